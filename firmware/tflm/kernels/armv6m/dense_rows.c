#include "dense_rows.h"

#include "../common/dot.h"
#include "core.h"
#include "frame.h"

static inline void finish_all(tflm_m0_form_t form, const uint32_t *sums,
    const tflm_m0_channel_t *channel, int8_t *output, const tflm_m0_finish_t *finish) {
    const tflm_range_t range = {finish->rounding >> 1, finish->minimum, finish->maximum};
    for (int32_t i = 0; i < finish->count; i++) {
        output[i] = tflm_m0_output(form, sums[i], channel, &range);
        channel = (const void *)((const uint8_t *)channel + finish->step);
    }
}

void tflm_m0_finish_plains(const uint32_t *sums, const tflm_m0_channel_t *channel, int8_t *output,
    const tflm_m0_finish_t *finish) {
    finish_all(TFLM_M0_PLAIN, sums, channel, output, finish);
}

#if TFLM_ASSEMBLY == 6

_Static_assert(offsetof(tflm_m0_rows_t, end) == 20 && offsetof(tflm_m0_rows_t, step) == 24,
    "read by assembly");

// r0 input value, r1 input, r2-r5 rows, r6 index, downwards, r7 product, r8-r11 sums, r12 offset,
// lr where each four rows enter; on the stack: depth, step, sums, their end. Enters a turn of four
// indices where the last turns come out whole; an index is 30 bytes of code, 28 without the offset.
__asm__(
    "    .syntax unified\n"
    "    .macro INDEX bytes\n"
    "    ldrsb r0, [r1, r6]\n"
    "    .if \\bytes == 30\n"
    "    add  r0, r12\n"
    "    .endif\n"
    "    ldrsb r7, [r2, r6]\n"
    "    muls r7, r0\n"
    "    add  r8, r7\n"
    "    ldrsb r7, [r3, r6]\n"
    "    muls r7, r0\n"
    "    add  r9, r7\n"
    "    ldrsb r7, [r4, r6]\n"
    "    muls r7, r0\n"
    "    add  r10, r7\n"
    "    ldrsb r7, [r5, r6]\n"
    "    muls r7, r0\n"
    "    add  r11, r7\n"
    "    subs r6, #1\n"
    "    .endm\n"

    "    .macro ROWS name, bytes\n"
    M0_FUNCTION("\\name", "4")
    M0_ENTER
    "    push {r4-r7}\n"
    "    ldmia r0!, {r1-r6}\n"
    "    mov  r12, r4\n"
    "    ldr  r4, [r0]\n"
    "    push {r3-r6}\n"
    "    movs r7, #3\n"
    "    rsbs r0, r3, #0\n"
    "    ands r0, r7\n"
    "    movs r7, #\\bytes\n"
    "    muls r7, r0\n"
    "    adr  r0, 1f\n"
    "    adds r0, r0, r7\n"
    "    mov  lr, r0\n"
    "    movs r6, r3\n"
    "    movs r7, r5\n"
    // r2 row, r6 depth, r7 sums
    "2:  str  r7, [sp, #8]\n"
    "    ldmia r7!, {r0, r3, r4, r5}\n"
    "    mov  r8, r0\n"
    "    mov  r9, r3\n"
    "    mov  r10, r4\n"
    "    mov  r11, r5\n"
    "    ldr  r0, [sp, #4]\n"
    "    adds r3, r2, r0\n"
    "    adds r4, r3, r0\n"
    "    adds r5, r4, r0\n"
    "    subs r6, #1\n"
    "    mov  pc, lr\n"
    "    .balign 4\n"
    "1:  INDEX \\bytes\n"
    "    INDEX \\bytes\n"
    "    INDEX \\bytes\n"
    "    INDEX \\bytes\n"
    "    bpl  1b\n"
    "    ldr  r6, [sp]\n"
    "    ldr  r7, [sp, #4]\n"
    "    adds r2, r5, r7\n"
    "    ldr  r7, [sp, #8]\n"
    "    mov  r0, r8\n"
    "    mov  r3, r9\n"
    "    mov  r4, r10\n"
    "    mov  r5, r11\n"
    "    stmia r7!, {r0, r3, r4, r5}\n"
    "    ldr  r0, [sp, #12]\n"
    "    cmp  r7, r0\n"
    "    bne  2b\n"
    "    add  sp, #16\n"
    "    pop  {r4-r7}\n"
    M0_LEAVE
    "    .size \\name, . - \\name\n"
    "    .endm\n"
    "    ROWS tflm_m0_rows, 30\n"
    "    ROWS tflm_m0_rows_alone, 28\n"
    TFLM_M0_FINISH_MACROS
    // r7 channel, r8 sums, r9 output, r10 end of the sums, r11 step; rounding on the stack
    "    .macro FINISH name, form\n"
    M0_FUNCTION("\\name", "2")
    M0_ENTER
    "    push {r4-r7}\n"
    "    movs r7, r1\n"
    "    mov  r8, r0\n"
    "    mov  r9, r2\n"
    "    ldmia r3!, {r1, r2, r4, r5, r6}\n"
    "    mov  r11, r1\n"
    "    lsls r2, r2, #2\n"
    "    adds r2, r2, r0\n"
    "    mov  r10, r2\n"
    "    mov  r12, r4\n"
    "    mov  lr, r5\n"
    "    push {r6}\n"
    "1:  mov  r2, r8\n"
    "    ldmia r2!, {r0}\n"
    "    mov  r8, r2\n"
    "    movs r1, r7\n"
    "    \\form\\()_LOAD 0\n"
    "    \\form\\()_SCALE 1\n"
    "    mov  r1, r9\n"
    "    strb r4, [r1]\n"
    "    adds r1, #1\n"
    "    mov  r9, r1\n"
    "    add  r7, r11\n"
    "    cmp  r8, r10\n"
    "    bne  1b\n"
    "    pop  {r3-r7}\n"
    M0_LEAVE
    "    \\form\\()_CLAMP 1\n"
    "    .size \\name, . - \\name\n"
    "    .endm\n"
    "    FINISH tflm_m0_finish_exacts, EXACT\n"
    "    FINISH tflm_m0_finish_linears, LINEAR\n"
    "    .text\n");

#elif TFLM_ASSEMBLY == 0

void tflm_m0_rows(const tflm_m0_rows_t *job) {
    const int8_t *row = job->rows;
    for (uint32_t *sum = job->sums; sum != job->end; sum++, row += job->step) {
        *sum += tflm_dot(job->input, row, job->depth, job->input_offset);
    }
}

void tflm_m0_rows_alone(const tflm_m0_rows_t *job) {
    tflm_m0_rows(job);
}

void tflm_m0_finish_exacts(const uint32_t *sums, const tflm_m0_channel_t *channel, int8_t *output,
    const tflm_m0_finish_t *finish) {
    finish_all(TFLM_M0_EXACT, sums, channel, output, finish);
}

void tflm_m0_finish_linears(const uint32_t *sums, const tflm_m0_channel_t *channel,
    int8_t *output, const tflm_m0_finish_t *finish) {
    finish_all(TFLM_M0_LINEAR, sums, channel, output, finish);
}

#endif
