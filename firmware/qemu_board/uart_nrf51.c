// UART of Nordic's nRF51, as on the micro:bit.
#include "qemu_board.h"

#define START_RX REGISTER32(BOARD_UART_BASE + 0x000)
#define START_TX REGISTER32(BOARD_UART_BASE + 0x008)
#define RX_READY REGISTER32(BOARD_UART_BASE + 0x108)
#define TX_READY REGISTER32(BOARD_UART_BASE + 0x11C)
#define ENABLE REGISTER32(BOARD_UART_BASE + 0x500)
#define RX_DATA REGISTER32(BOARD_UART_BASE + 0x518)
#define TX_DATA REGISTER32(BOARD_UART_BASE + 0x51C)
#define ENABLE_UART (4)

void uart_hw_init(void) {
    ENABLE = ENABLE_UART;
    START_RX = 1;
    START_TX = 1;
    TX_READY = 1;  // nothing is on its way yet
}

int uart_hw_read(void) {
    if (!RX_READY) {
        return -1;
    }
    RX_READY = 0;
    return (int)(RX_DATA & 0xFF);
}

void uart_hw_write(uint8_t byte) {
    while (!TX_READY) {
    }
    TX_READY = 0;
    TX_DATA = byte;
}
