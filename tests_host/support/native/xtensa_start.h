// The start of a program for qemu-xtensa, as text for __asm__: calls serve() and has system_call().
//
// The kernel takes the arguments of a system call in registers of their own. The assembler knows
// `syscall` only by its bytes, as the cores of an ESP32 have no use for it.
#define XTENSA_START \
    ".text\n" \
    ".literal_position\n" \
    ".literal .Lserve, serve\n" \
    ".global _start\n" \
    ".align 4\n" \
    "_start:\n" \
    "    movi a0, 0\n" \
    "    l32r a8, .Lserve\n" \
    "    callx8 a8\n" \
    ".global system_call\n" \
    ".align 4\n" \
    "system_call:\n" \
    "    entry a1, 32\n" \
    "    mov a6, a3\n" \
    "    mov a3, a4\n" \
    "    mov a4, a5\n" \
    "    .byte 0x00, 0x50, 0x00\n" \
    "    retw\n"
