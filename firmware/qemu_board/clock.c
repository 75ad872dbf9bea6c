// A clock from SysTick: 24 bits count down at BOARD_CLOCK_HZ, an interrupt counts the wraps. The
// count goes 0 (just started, or wrapped and counted), COUNT_MAX, ..., 1, then 0 again.
#include "py/runtime.h"
#include "py/mphal.h"
#include "qemu_board.h"

#define SYST_CSR REGISTER32(0xE000E010)
#define SYST_RVR REGISTER32(0xE000E014)
#define SYST_CVR REGISTER32(0xE000E018)
#define SCB_ICSR REGISTER32(0xE000ED04)
#define CSR_RUN (7)  // enable, interrupt, core clock
#define ICSR_PENDSTSET (1u << 26)
#define COUNT_MAX (0xFFFFFFu)
#define TICKS_PER_US (BOARD_CLOCK_HZ / 1000000)

static volatile uint32_t wraps;

void qemu_board_systick(void) {
    wraps++;
    stdio_poll();  // so that Ctrl-C reaches a kernel that runs for seconds
}

// Starts from 0. The first wrap is 2^24 ticks away.
void clock_start(void) {
    SYST_CSR = 0;
    SYST_RVR = COUNT_MAX;
    SYST_CVR = 0;
    SCB_ICSR = 1u << 25;  // PENDSTCLR
    wraps = 0;
    SYST_CSR = CSR_RUN;
}

uint64_t clock_ticks(void) {
    uint32_t high, low, pending;
    do {
        high = wraps;
        low = -SYST_CVR & COUNT_MAX;
        pending = SCB_ICSR & ICSR_PENDSTSET;
    } while (high != wraps);
    if (pending && low < COUNT_MAX / 2) {
        high++;  // wrapped before the read, but its interrupt has yet to run
    }
    return ((uint64_t)high << 24) + low;
}

mp_uint_t mp_hal_ticks_cpu(void) {
    return (mp_uint_t)clock_ticks();
}

mp_uint_t mp_hal_ticks_us(void) {
    return (mp_uint_t)(clock_ticks() / TICKS_PER_US);
}

mp_uint_t mp_hal_ticks_ms(void) {
    return (mp_uint_t)(clock_ticks() / (TICKS_PER_US * 1000));
}

uint64_t mp_hal_time_ns(void) {
    return clock_ticks() * 1000 / TICKS_PER_US;
}

void mp_hal_delay_us(mp_uint_t us) {
    uint64_t end = clock_ticks() + (uint64_t)us * TICKS_PER_US;
    while (clock_ticks() < end) {
    }
}

void mp_hal_delay_ms(mp_uint_t ms) {
    uint64_t end = clock_ticks() + (uint64_t)ms * (TICKS_PER_US * 1000);
    do {
        stdio_poll();
        mp_event_handle_nowait();
    } while (clock_ticks() < end);
}
