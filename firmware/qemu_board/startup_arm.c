// Vector table, reset and faults. The port's own table (dropped by cortex_m.ld) neither enables
// the FPU nor has a clock, and spins for ever on a fault.
#include "qemu_board.h"
#include "uart.h"

extern uint32_t _estack;
extern void Reset_Handler(void);  // the port's: copies .data, clears .bss, calls main()

__attribute__((naked)) static void reset(void) {
    #if defined(__ARM_FP)
    __asm volatile (
        "ldr r0, =0xE000ED88\n"  // CPACR: full access to coprocessors 10 and 11, the FPU and MVE
        "ldr r1, [r0]\n"
        "orr r1, r1, #0xF00000\n"
        "str r1, [r0]\n"
        "dsb\n"
        "isb\n");
    #endif
    __asm volatile (
        "ldr r0, =Reset_Handler\n"
        "bx r0\n");
}

// Ends the emulator with a failing status (semihosting call SYS_EXIT, run-time error).
static void exit_failing(void) {
    register uint32_t operation __asm__ ("r0") = 0x18;
    register uint32_t reason __asm__ ("r1") = 0x20023;
    __asm volatile ("bkpt 0xAB" : : "r" (operation), "r" (reason) : "memory");
    for (;;) {
    }
}

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

// frame: what the core stacked on entry: r0-r3, r12, lr, pc, xpsr.
__attribute__((used)) static void report_fault(const uint32_t *frame) {
    uart_tx_strn("\r\nfault:", 8);
    print_register(" pc=", frame[6]);
    print_register(" lr=", frame[5]);
    print_register(" r0=", frame[0]);
    uart_tx_strn("\r\n", 2);
    exit_failing();
}

__attribute__((naked)) static void fault(void) {
    __asm volatile (
        "mrs r0, msp\n"
        "ldr r1, =report_fault\n"
        "bx r1\n");
}

__attribute__((used, section(".board_vectors"))) static const uintptr_t vectors[16] = {
    (uintptr_t)&_estack,
    (uintptr_t)&reset,
    (uintptr_t)&fault,  // NMI
    (uintptr_t)&fault,  // HardFault
    (uintptr_t)&fault,  // MemManage
    (uintptr_t)&fault,  // BusFault
    (uintptr_t)&fault,  // UsageFault
    (uintptr_t)&fault,  // SecureFault
    0,
    0,
    0,
    (uintptr_t)&fault,  // SVCall
    (uintptr_t)&fault,  // DebugMonitor
    0,
    (uintptr_t)&fault,  // PendSV
    (uintptr_t)&qemu_board_systick,
};
