@ A boot ROM for the emulated RP2040, which comes without one: vectors, the start of the firmware
@ in flash, and the tables of functions that firmware calls (bootrom.c and bootrom_float.c).
@
@ Source: RP2040 datasheet 2.8 (layout, codes of the tables); pico-sdk boot/bootrom_constants.h.
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .equ XIP_BASE, 0x10000000
    .equ BOOT2_BYTES, 256
    .equ SRAM_END, 0x20042000
    .equ BOOT2_COPY, SRAM_END - BOOT2_BYTES
    .equ SIO_BASE, 0xd0000000
    .equ SIO_CPUID, 0x00
    .equ FIFO_ST, 0x50
    .equ FIFO_WR, 0x54
    .equ FIFO_RD, 0x58
    .equ VTOR, 0xe000ed08

    .section .vectors, "a"
    .word BOOT2_COPY            @ the stack grows down from the copy of boot2
    .word reset + 1
    .word fault + 1             @ NMI
    .word fault + 1             @ HardFault
    .ascii "Mu"                 @ offset 0x10
    .byte 1
    .byte 3                     @ version: that of chip B2
    .hword functions
    .hword data
    .hword table_lookup + 1

    .text
@ Copies the second-stage loader from the start of the flash to the end of the RAM and enters it.
@ A link register of 0 tells it to go on with the vectors behind it in flash. Core 1 waits instead.
    .thumb_func
reset:
    ldr r0, =SIO_BASE
    ldr r1, [r0, #SIO_CPUID]
    cmp r1, #0
    bne wait_for_entry
    ldr r0, =XIP_BASE
    ldr r1, =BOOT2_COPY
    ldr r2, =SRAM_END
copy_word:
    ldmia r0!, {r3}
    stmia r1!, {r3}
    cmp r1, r2
    bne copy_word
    movs r0, #0
    mov lr, r0
    ldr r0, =BOOT2_COPY + 1
    bx r0

@ Core 1 empties its mailbox and tells core 0 with a 0 that it is up. Then it waits for the words
@ 0, 0, 1, vector table, stack, entry, and sends each back; at one that it does not expect it begins
@ anew. r4: the number of the next word; r5, r6, r7: the last three.
@
@ Source: RP2040 datasheet 2.8.2.
    .thumb_func
wait_for_entry:
    ldr r1, [r0, #FIFO_ST]
    lsrs r1, r1, #1
    bcc is_empty
    ldr r1, [r0, #FIFO_RD]
    b wait_for_entry
is_empty:
    movs r1, #0
    str r1, [r0, #FIFO_WR]
    sev
first_word:
    movs r4, #0
next_word:
    ldr r1, [r0, #FIFO_ST]
    lsrs r1, r1, #1
    bcs has_word
    wfe
    b next_word
has_word:
    mov r5, r6
    mov r6, r7
    ldr r7, [r0, #FIFO_RD]
    str r7, [r0, #FIFO_WR]
    sev
    cmp r4, #3
    bhs expected
    lsrs r1, r4, #1             @ words 0 and 1 are 0, word 2 is 1
    cmp r1, r7
    beq expected
    cmp r7, #0                  @ a 0 in place of the 1 is the second of two zeros
    bne first_word
    movs r4, #2
    b next_word
expected:
    adds r4, #1
    cmp r4, #6
    bne next_word
    ldr r1, =VTOR
    str r5, [r1]
    msr msp, r6
    blx r7
    ldr r0, =SIO_BASE           @ it came back
    b first_word
    .pool

@ The emulator stops at a breakpoint and says where.
    .thumb_func
fault:
    bkpt #0
    b fault

    .thumb_func
reset_to_usb_boot:
    bkpt #1
    b reset_to_usb_boot

@ What drives a real flash chip: nothing is to be done for an emulated one.
    .thumb_func
nothing:
    bx lr

@ r0: table of halfwords code, pointer, ..., 0;  r1: code.  Returns the pointer or 0.
    .thumb_func
table_lookup:
    uxth r1, r1
next_row:
    ldrh r2, [r0]
    ldrh r3, [r0, #2]
    adds r0, #4
    cmp r2, #0
    beq not_found
    cmp r2, r1
    bne next_row
    mov r0, r3
    bx lr
not_found:
    movs r0, #0
    bx lr
    .pool

    .section .rodata.tables, "a"
    .macro function code, name
    .ascii "\code"
    .hword \name + 1
    .endm

    .align 2
functions:
    function P3, bootrom_popcount
    function R3, bootrom_reverse
    function L3, bootrom_leading_zeros
    function T3, bootrom_trailing_zeros
    function MS, bootrom_memset
    function S4, bootrom_memset
    function MC, bootrom_memcpy
    function C4, bootrom_memcpy
    function UB, reset_to_usb_boot
    function IF, nothing
    function EX, nothing
    function RE, bootrom_flash_erase
    function RP, bootrom_flash_program
    function FC, nothing
    function CX, nothing
    .hword 0, 0
data:
    .ascii "SF"
    .hword bootrom_float + 4    @ behind the header of struct table
    .ascii "SD"
    .hword bootrom_double + 4
    .hword 0, 0
