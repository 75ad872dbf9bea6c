// What the files of this module share. BOARD_CLOCK_HZ, BOARD_UART_BASE, BOARD_ROMFS_START,
// BOARD_ROMFS_SIZE and BOARD_ROMFS_WRITABLE come from boards/<BOARD>/mpconfigboard.mk.
#ifndef QEMU_BOARD_H
#define QEMU_BOARD_H

#include <stddef.h>
#include <stdint.h>

#define REGISTER32(address) (*(volatile uint32_t *)(address))

// clock_arm.c: the handler that the vector table points at besides those of the port.
void qemu_board_systick(void);

// clock_riscv32.c: what a timer interrupt calls.
void qemu_board_timer(void);

// startup_riscv32.c: takes over interrupts and faults from the port.
void traps_start(void);

// clock_*.c: ticks at BOARD_CLOCK_HZ. The timer calls stdio_poll() every second or so.
void clock_start(void);
uint64_t clock_ticks(void);

// One of uart_*.c, chosen by the board: the registers of its UART.
void uart_hw_init(void);
int uart_hw_read(void);  // a byte, or -1 when none has come
void uart_hw_write(uint8_t byte);

// stdio.c: fetches what the UART has received and looks for Ctrl-C.
void stdio_poll(void);

#endif
