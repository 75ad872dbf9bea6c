// UART of Arm's Cortex-M System Design Kit, as on the MPS2 and MPS3 boards.
#include "qemu_board.h"

#define DATA REGISTER32(BOARD_UART_BASE + 0x00)
#define STATE REGISTER32(BOARD_UART_BASE + 0x04)
#define CTRL REGISTER32(BOARD_UART_BASE + 0x08)
#define BAUDDIV REGISTER32(BOARD_UART_BASE + 0x10)
#define STATE_TX_FULL (1u << 0)
#define STATE_RX_FULL (1u << 1)
#define CTRL_ENABLE_TX_RX (3)

void uart_hw_init(void) {
    BAUDDIV = 16;  // the smallest that is allowed; the emulator ignores the rate
    CTRL = CTRL_ENABLE_TX_RX;
}

int uart_hw_read(void) {
    return STATE & STATE_RX_FULL ? (int)(DATA & 0xFF) : -1;
}

void uart_hw_write(uint8_t byte) {
    while (STATE & STATE_TX_FULL) {
    }
    DATA = byte;
}
