// Timer interrupts and faults. The port's own handlers ignore the timer, and print a fault without
// ending in a way that tells it from an orderly end.
#include "uart.h"
#include "qemu_board.h"

#define MIE_TIMER (1u << 7)
#define MSTATUS_MIE (1u << 3)

extern void exit(int status);  // the port's: ends the emulator

// name: four characters.
static void print_register(const char *name, uint32_t value) {
    char digits[8];
    for (int i = 7; i >= 0; i--) {
        digits[i] = "0123456789abcdef"[value & 15];
        value >>= 4;
    }
    uart_tx_strn(name, 4);
    uart_tx_strn(digits, sizeof(digits));
}

__attribute__((used)) static void report_fault(uint32_t pc, uint32_t ra, uint32_t address) {
    uart_tx_strn("\r\nfault:", 8);
    print_register(" pc=", pc);
    print_register(" lr=", ra);
    print_register(" at=", address);
    uart_tx_strn("\r\n", 2);
    exit(1);
}

__attribute__((interrupt("machine"))) static void interrupt(void) {
    qemu_board_timer();
}

// A fault's registers are still those of the code that faulted, except t0.
__attribute__((naked, aligned(4))) static void trap(void) {
    __asm volatile (
        "csrw mscratch, t0\n"
        "csrr t0, mcause\n"
        "bgez t0, 1f\n"
        "csrr t0, mscratch\n"
        "j %0\n"
        "1:\n"
        "csrr a0, mepc\n"
        "mv a1, ra\n"
        "csrr a2, mtval\n"
        "j %1\n"
        : : "i" (interrupt), "i" (report_fault));
}

void traps_start(void) {
    __asm volatile ("csrw mtvec, %0" : : "r" (trap));
    __asm volatile ("csrs mie, %0" : : "r" (MIE_TIMER));
    __asm volatile ("csrs mstatus, %0" : : "r" (MSTATUS_MIE));
}
