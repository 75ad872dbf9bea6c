// A clock from SysTick: 24 bits count down at BOARD_CLOCK_HZ, an interrupt counts the wraps. The
// count goes 0 (just started, or wrapped and counted), COUNT_MAX, ..., 1, then 0 again.
#include "qemu_board.h"

#define SYST_CSR REGISTER32(0xE000E010)
#define SYST_RVR REGISTER32(0xE000E014)
#define SYST_CVR REGISTER32(0xE000E018)
#define SCB_ICSR REGISTER32(0xE000ED04)
#define CSR_RUN (7)  // enable, interrupt, core clock
#define ICSR_PENDSTSET (1u << 26)
#define COUNT_MAX (0xFFFFFFu)

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
