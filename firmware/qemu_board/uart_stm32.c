// USART of STMicroelectronics' STM32F2 and F4.
#include "qemu_board.h"

#define STATUS REGISTER32(BOARD_UART_BASE + 0x00)
#define DATA REGISTER32(BOARD_UART_BASE + 0x04)
#define CONTROL1 REGISTER32(BOARD_UART_BASE + 0x0C)
#define STATUS_RX_READY (1u << 5)
#define STATUS_TX_EMPTY (1u << 7)
#define CONTROL1_ENABLE_TX_RX (1u << 13 | 1u << 3 | 1u << 2)

void uart_hw_init(void) {
    CONTROL1 = CONTROL1_ENABLE_TX_RX;
}

int uart_hw_read(void) {
    return STATUS & STATUS_RX_READY ? (int)(DATA & 0xFF) : -1;
}

void uart_hw_write(uint8_t byte) {
    while (!(STATUS & STATUS_TX_EMPTY)) {
    }
    DATA = byte;
}
