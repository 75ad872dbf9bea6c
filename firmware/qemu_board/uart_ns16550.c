// UART 16550, as on QEMU's RISC-V machine. Its registers are bytes.
#include "qemu_board.h"

#define REGISTER8(address) (*(volatile uint8_t *)(address))
#define DATA REGISTER8(BOARD_UART_BASE + 0)
#define LINE_STATUS REGISTER8(BOARD_UART_BASE + 5)
#define LINE_RX_READY (1u << 0)
#define LINE_TX_EMPTY (1u << 5)

void uart_hw_init(void) {
}

int uart_hw_read(void) {
    return LINE_STATUS & LINE_RX_READY ? (int)DATA : -1;
}

void uart_hw_write(uint8_t byte) {
    while (!(LINE_STATUS & LINE_TX_EMPTY)) {
    }
    DATA = byte;
}
