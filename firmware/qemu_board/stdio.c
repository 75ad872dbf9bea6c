// Standard input and output on the board's UART, in place of the port's uart.c: received bytes are
// buffered, so that Ctrl-C interrupts a running program.
#include "py/runtime.h"
#include "py/mphal.h"
#include "py/stream.h"
#include "uart.h"
#include "qemu_board.h"

static uint8_t received[256];
static volatile uint16_t head;  // where the next byte goes; head == tail when empty
static volatile uint16_t tail;
static volatile bool polling;  // the timer's handler keeps off while the main program polls

static bool full(void) {
    return (head + 1) % sizeof(received) == tail;
}

void stdio_poll(void) {
    if (polling) {
        return;
    }
    polling = true;
    while (!full()) {
        int byte = uart_hw_read();
        if (byte < 0) {
            break;
        }
        if (byte == mp_interrupt_char) {
            mp_sched_keyboard_interrupt();
        } else {
            received[head] = byte;
            head = (head + 1) % sizeof(received);
        }
    }
    polling = false;
}

void uart_init(void) {
    clock_start();
    uart_hw_init();
}

int uart_rx_chr(void) {
    mp_handle_pending(true);
    stdio_poll();
    if (tail == head) {
        return UART_RX_NO_CHAR;
    }
    int byte = received[tail];
    tail = (tail + 1) % sizeof(received);
    return byte;
}

void uart_tx_strn(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        uart_hw_write((uint8_t)text[i]);
    }
}

// The port's version says that input is never ready; `mpremote mount` needs the truth.
uintptr_t mp_hal_stdio_poll(uintptr_t poll_flags) {
    uintptr_t ready = poll_flags & MP_STREAM_POLL_WR;
    stdio_poll();
    if (tail != head) {
        ready |= poll_flags & MP_STREAM_POLL_RD;
    }
    return ready;
}
