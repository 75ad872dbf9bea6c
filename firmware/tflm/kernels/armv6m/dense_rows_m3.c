// dense_rows.h for Cortex-M3.
#include "core.h"

#if TFLM_ASSEMBLY == 7

#include "dense_rows.h"
#include "finish_m3.h"
#include "frame.h"

_Static_assert(offsetof(tflm_m0_rows_t, end) == 20 && offsetof(tflm_m0_rows_t, step) == 24,
    "read by assembly");
_Static_assert(offsetof(tflm_m0_finish_t, rounding) == 16, "read by assembly");

// r0 input_offset, r1 input, r2-r5 rows, r6 and r7 weights, r8-r11 sums, r12 end of the input,
// lr input value; on the stack: depth, sums, their end, where each four rows enter, step. Enters a
// turn of four indices where the last turns come out whole; an index is 38 bytes of code, 36
// without the offset.
__asm__(
    "    .syntax unified\n"
    "    .macro INDEX bytes\n"
    "    ldrsb lr, [r1], #1\n"
    "    ldrsb r6, [r2], #1\n"
    "    ldrsb r7, [r3], #1\n"
    "    .if \\bytes == 38\n"
    "    add  lr, r0\n"
    "    .endif\n"
    "    mla  r8, lr, r6, r8\n"
    "    mla  r9, lr, r7, r9\n"
    "    ldrsb r6, [r4], #1\n"
    "    ldrsb r7, [r5], #1\n"
    "    mla  r10, lr, r6, r10\n"
    "    mla  r11, lr, r7, r11\n"
    "    .endm\n"

    "    .macro ROWS name, bytes\n"
    M0_FUNCTION("\\name", "4")
    "    push {r4-r11, lr}\n"
    "    ldmia r0, {r1-r7}\n"
    "    mov  r10, r7\n"
    "    add  r12, r1, r3\n"
    "    mov  r0, r4\n"
    "    rsb  r7, r3, #0\n"
    "    and  r7, #3\n"
    "    adr  r8, 1f\n"
    "    mov  r9, #\\bytes\n"
    "    mla  r7, r7, r9, r8\n"
    "    orr  r7, #1\n"
    "    push {r3, r5, r6, r7, r10}\n"
    "    add  r5, r2, r3\n"
    "    sub  r5, r10\n"
    // r5: where the last of four rows ended
    "2:  ldrd r6, r7, [sp]\n"
    "    ldr  lr, [sp, #16]\n"
    "    sub  r1, r12, r6\n"
    "    sub  r2, r5, r6\n"
    "    add  r2, lr\n"
    "    add  r3, r2, lr\n"
    "    add  r4, r3, lr\n"
    "    add  r5, r4, lr\n"
    "    ldmia r7, {r8-r11}\n"
    "    ldr  pc, [sp, #12]\n"
    "    .balign 4\n"
    "1:  INDEX \\bytes\n"
    "    INDEX \\bytes\n"
    "    INDEX \\bytes\n"
    "    INDEX \\bytes\n"
    "    cmp  r1, r12\n"
    "    bne  1b\n"
    "    ldrd r7, r6, [sp, #4]\n"
    "    stmia r7!, {r8-r11}\n"
    "    str  r7, [sp, #4]\n"
    "    cmp  r7, r6\n"
    "    bne  2b\n"
    "    add  sp, #20\n"
    "    pop  {r4-r11, pc}\n"
    "    .size \\name, . - \\name\n"
    "    .endm\n"
    "    ROWS tflm_m0_rows, 38\n"
    "    ROWS tflm_m0_rows_alone, 36\n"

    TFLM_M3_FINISH_MACROS
    // r0 0 where outputs have all of int8, r1 rounding, r8 sums, r9 channel, r10 sum, r11 step,
    // r12 output, lr end of the sums. Stack: minimum, maximum.
    "    .macro FINISH name, form, is_exact\n"
    M0_FUNCTION("\\name", "4")
    "    push {r4-r11, lr}\n"
    "    mov  r8, r0\n"
    "    mov  r9, r1\n"
    "    mov  r12, r2\n"
    "    ldmia r3, {r1, r4-r7}\n"
    "    mov  r11, r1\n"
    "    add  lr, r0, r4, lsl #2\n"
    "    push {r5, r6}\n"
    "    sub  r0, r6, r5\n"
    "    subs r0, #255\n"
    "    mov  r1, r7\n"
    "1:  ldr  r10, [r8], #4\n"
    "    \\form\\()_LOAD r9, 0, r1\n"
    "    \\form\\()_SCALE r10\n"
    "    .if \\is_exact\n"
    "    cbnz r0, 3f\n"
    "    .endif\n"
    "2:  strb r10, [r12], #1\n"
    "    add  r9, r11\n"
    "    cmp  r8, lr\n"
    "    bne  1b\n"
    "    pop  {r2-r11, pc}\n"
    "    .if \\is_exact\n"
    "3:  ldrd r2, r3, [sp]\n"
    "    CLAMP r10\n"
    "    b    2b\n"
    "    .endif\n"
    "    .size \\name, . - \\name\n"
    "    .endm\n"
    "    FINISH tflm_m0_finish_exacts, EXACT, 1\n"
    "    FINISH tflm_m0_finish_linears, LINEAR, 0\n"
    "    .text\n");

#endif
