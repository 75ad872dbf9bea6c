// MicroPython's time, from the board's clock: clock_arm.c or clock_riscv32.c.
#include "py/runtime.h"
#include "py/mphal.h"
#include "qemu_board.h"

#define TICKS_PER_US (BOARD_CLOCK_HZ / 1000000)

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
