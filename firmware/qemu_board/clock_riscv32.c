// A clock from the machine timer: 64 bits that count up at BOARD_CLOCK_HZ.
#include "qemu_board.h"

#define MTIMECMP_LOW REGISTER32(0x02004000)
#define MTIMECMP_HIGH REGISTER32(0x02004004)
#define MTIME_LOW REGISTER32(0x0200BFF8)
#define MTIME_HIGH REGISTER32(0x0200BFFC)
#define POLL_TICKS (1u << 23)  // from one call of stdio_poll() to the next

static uint64_t started;

static uint64_t timer(void) {
    uint32_t high, low;
    do {
        high = MTIME_HIGH;
        low = MTIME_LOW;
    } while (high != MTIME_HIGH);
    return (uint64_t)high << 32 | low;
}

static void poll_at(uint64_t time) {
    MTIMECMP_HIGH = UINT32_MAX;  // so that no half of it is reached too early
    MTIMECMP_LOW = (uint32_t)time;
    MTIMECMP_HIGH = (uint32_t)(time >> 32);
}

void qemu_board_timer(void) {
    poll_at(timer() + POLL_TICKS);
    stdio_poll();  // so that Ctrl-C reaches a kernel that runs for seconds
}

// Starts from 0.
void clock_start(void) {
    traps_start();
    started = timer();
    poll_at(started + POLL_TICKS);
}

uint64_t clock_ticks(void) {
    return timer() - started;
}
