// conv_pairs.h for Cortex-M3. Two taps' products and 2^15, added: the low half of the word then
// stays between 0 and 2^16 - 1, so the upper half has lost no borrow and is added by one
// instruction. The sum of all words, less a start with these 2^15 in it, yields the low sums as on
// a Cortex-M0.
#include "core.h"

#if TFLM_ASSEMBLY == 7

#include "conv_pairs.h"
#include "finish_m3.h"
#include "frame.h"

_Static_assert(offsetof(tflm_m0_pairs_t, tap_step) == 24, "read by assembly");
_Static_assert(offsetof(tflm_m0_pairs_t, maximum) == 44, "read by assembly");

// At least two channels, whose taps lie side by side and one channel behind the other.
void tflm_m3_dense_exact(const tflm_m0_pairs_t *job);
void tflm_m3_dense_linear(const tflm_m0_pairs_t *job);
// Any.
void tflm_m3_strided_exact(const tflm_m0_pairs_t *job);
void tflm_m3_strided_linear(const tflm_m0_pairs_t *job);

static inline int is_dense(tflm_m0_form_t form, const tflm_m0_pairs_t *job) {
    return job->tap_step == 1 && job->channel_step == job->taps
        && job->end != tflm_m0_channel_at(form, job->channels, 1);
}

void tflm_m0_pairs_exact(const tflm_m0_pairs_t *job) {
    if (is_dense(TFLM_M0_EXACT, job)) {
        tflm_m3_dense_exact(job);
    } else {
        tflm_m3_strided_exact(job);
    }
}

void tflm_m0_pairs_linear(const tflm_m0_pairs_t *job) {
    if (is_dense(TFLM_M0_LINEAR, job)) {
        tflm_m3_dense_linear(job);
    } else {
        tflm_m3_strided_linear(job);
    }
}

// The stack while channels run: channel (0), -2^15 times the words added (4), 2^16 + 1 (8),
// window (12), 2^15 (16), filter (20), taps or tap_step (24), where a channel's taps begin (28),
// where their fours do (32), end of the window (36), end of the channels, less one where two are
// taken (40), rounding (44), 0 where outputs have all of int8 (48), output (52), second (56),
// minimum (60), maximum (64), channel_step (68), taps (72).
__asm__(
    "    .syntax unified\n"
    TFLM_M3_FINISH_MACROS

    // Job in r0. bytes: of a channel; one: those of the channels taken at a time but the first;
    // step: the job's word for (24); four: bytes of code for four taps.
    "    .macro START name, bytes, one, step, four\n"
    M0_FUNCTION("\\name", "4")
    "    push {r4-r11, lr}\n"
    "    sub  sp, #76\n"
    "    ldmia r0, {r1-r12}\n"
    "    str  r2, [sp]\n"
    "    add  r0, r10, #1\n"
    "    lsr  r0, r0, #1\n"
    "    lsl  r0, r0, #15\n"
    "    rsb  r0, r0, #0\n"
    "    mov  r2, #0x10001\n"
    "    strd r0, r2, [sp, #4]\n"
    "    mov  r0, #0x8000\n"
    "    strd r5, r0, [sp, #12]\n"
    "    strd r1, \\step, [sp, #20]\n"
    "    add  r0, r5, r10, lsl #2\n"
    "    sub  r8, #\\one\n"
    "    strd r0, r8, [sp, #36]\n"
    "    sub  r0, r12, r11\n"
    "    subs r0, #255\n"
    "    strd r9, r0, [sp, #44]\n"
    "    strd r3, r4, [sp, #52]\n"
    "    strd r11, r12, [sp, #60]\n"
    "    strd r6, r10, [sp, #68]\n"
    "    lsrs r1, r10, #2\n"
    "    adr  r0, 30f\n"
    "    beq  1f\n"
    "    adr  r0, 20f\n"
    "    rsb  r1, r1, #0\n"
    "    and  r1, #3\n"
    "    mov  r2, #\\four\n"
    "    mla  r0, r1, r2, r0\n"    // fours that the first turn leaves out
    "1:  adds r0, #1\n"
    "    mov  r1, r0\n"
    "    tst  r10, #3\n"
    "    beq  2f\n"
    "    adr  r1, 12f\n"
    "    adds r1, #1\n"
    "2:  strd r1, r0, [sp, #28]\n"
    "    .endm\n"

    "    .macro FINISH name\n"
    "    add  sp, #76\n"
    "    pop  {r4-r11, pc}\n"
    "    .size \\name, . - \\name\n"
    "    .endm\n"

    // The one to three taps that are no four, and then all fours.
    "    .macro TAPS one, two, four\n"
    "    ldr  pc, [sp, #28]\n"
    "    .balign 4\n"
    "12: ldr  r0, [sp, #72]\n"
    "    lsls r0, r0, #31\n"
    "    bpl  13f\n"
    "    \\one\n"
    "13: bcc  14f\n"
    "    \\two\n"
    "14: ldr  pc, [sp, #32]\n"
    "    .balign 4\n"
    "20:\n"
    "    \\four\n"
    "    \\four\n"
    "    \\four\n"
    "    \\four\n"
    "    ldr  r0, [sp, #36]\n"
    "    cmp  r6, r0\n"
    "    bne  20b\n"
    "    .balign 4\n"
    "30:\n"
    "    .endm\n"

    // Dense: r0-r3 words, r4 and r5 weights, r6 window, r7 2^15, r8 and r9 filters, r10 and r12
    // sums of words, r11 and lr sums of their upper halves.
    "    .macro ADD_WORD word, all, high\n"
    "    add  \\all, \\word\n"
    "    add  \\high, \\high, \\word, asr #16\n"
    "    .endm\n"
    "    .macro DENSE_ONE\n"
    "    ldmia r6!, {r0}\n"
    "    ldrsb r4, [r8], #1\n"
    "    ldrsb r5, [r9], #1\n"
    "    mla  r4, r0, r4, r7\n"
    "    mla  r5, r0, r5, r7\n"
    "    ADD_WORD r4, r10, r11\n"
    "    ADD_WORD r5, r12, lr\n"
    "    .endm\n"
    "    .macro DENSE_PRODUCTS first, second, filter, all, high\n"
    "    ldrsb r5, [\\filter, #1]\n"
    "    ldrsb r4, [\\filter], #2\n"
    "    mla  r5, \\second, r5, r7\n"
    "    mla  r4, \\first, r4, r5\n"
    "    ADD_WORD r4, \\all, \\high\n"
    "    .endm\n"
    "    .macro DENSE_TWO\n"
    "    ldmia r6!, {r0, r1}\n"
    "    DENSE_PRODUCTS r0, r1, r8, r10, r11\n"
    "    DENSE_PRODUCTS r0, r1, r9, r12, lr\n"
    "    .endm\n"
    "    .macro DENSE_FOUR\n"
    "    ldmia r6!, {r0-r3}\n"
    "    DENSE_PRODUCTS r0, r1, r8, r10, r11\n"
    "    DENSE_PRODUCTS r0, r1, r9, r12, lr\n"
    "    DENSE_PRODUCTS r2, r3, r8, r10, r11\n"
    "    DENSE_PRODUCTS r2, r3, r9, r12, lr\n"
    "    .endm\n"

    "    .macro DENSE name, form, bytes, is_exact\n"
    "    START \\name, \\bytes, \\bytes, r10, 90\n"
    "10: ldmia sp, {r3-r9}\n"
    "    ldr  r11, [r3]\n"
    "    ldr  lr, [r3, #\\bytes]\n"
    "    mla  r10, r11, r5, r4\n"
    "    mla  r12, lr, r5, r4\n"
    "    add  r9, r8, r9\n"
    "    TAPS DENSE_ONE, DENSE_TWO, DENSE_FOUR\n"
    "    ldr  r0, [sp]\n"
    "    str  r9, [sp, #20]\n"
    "    sub  r10, r10, r11, lsl #16\n"
    "    sub  r12, r12, lr, lsl #16\n"
    "    .if \\is_exact\n"
    "    ldrd r8, r1, [sp, #44]\n"
    "    .endif\n"
    "    \\form\\()_LOAD r0, 0, r8\n"
    "    \\form\\()_SCALE r10\n"
    "    \\form\\()_SCALE r11\n"
    "    \\form\\()_LOAD r0, \\bytes, r8\n"
    "    \\form\\()_SCALE r12\n"
    "    \\form\\()_SCALE lr\n"
    "    .if \\is_exact\n"
    "    cbnz r1, 50f\n"
    "    .endif\n"
    "40: ldrd r1, r2, [sp, #52]\n"
    "    strb r11, [r1, r2]\n"
    "    strb r10, [r1]\n"
    "    adds r1, #1\n"
    "    strb lr, [r1, r2]\n"
    "    strb r12, [r1]\n"
    "    adds r1, #1\n"
    "    str  r1, [sp, #52]\n"
    "    adds r0, #2 * \\bytes\n"
    "    str  r0, [sp]\n"
    "    ldr  r2, [sp, #40]\n"
    "    cmp  r0, r2\n"
    "    blo  10b\n"
    "    bhi  60f\n"
    "    subs r0, #\\bytes\n"      // one channel is left: again, with the one before it
    "    str  r0, [sp]\n"
    "    subs r1, #1\n"
    "    str  r1, [sp, #52]\n"
    "    ldrd r1, r2, [sp, #20]\n"
    "    subs r1, r1, r2\n"
    "    str  r1, [sp, #20]\n"
    "    b    10b\n"
    "    .if \\is_exact\n"
    "50: ldrd r2, r3, [sp, #60]\n"
    "    CLAMP r10\n"
    "    CLAMP r11\n"
    "    CLAMP r12\n"
    "    CLAMP lr\n"
    "    b    40b\n"
    "    .endif\n"
    "60:\n"
    "    FINISH \\name\n"
    "    .endm\n"
    "    DENSE tflm_m3_dense_exact, EXACT, 16, 1\n"
    "    DENSE tflm_m3_dense_linear, LINEAR, 24, 0\n"

    // Strided: r0-r3 words, r4 and r5 weights, r6 window, r7 2^15, r8 filter, r9 tap_step,
    // r12 3 * tap_step, r10 sum of words, r11 sum of their upper halves.
    "    .macro STRIDED_ONE\n"
    "    ldmia r6!, {r0}\n"
    "    ldrsb r4, [r8]\n"
    "    add  r8, r9\n"
    "    mla  r4, r0, r4, r7\n"
    "    ADD_WORD r4, r10, r11\n"
    "    .endm\n"
    "    .macro STRIDED_PRODUCTS first, second\n"
    "    mla  r4, \\first, r4, r7\n"
    "    mla  r4, \\second, r5, r4\n"
    "    ADD_WORD r4, r10, r11\n"
    "    .endm\n"
    "    .macro STRIDED_TWO\n"
    "    ldmia r6!, {r0, r1}\n"
    "    ldrsb r4, [r8]\n"
    "    ldrsb r5, [r8, r9]\n"
    "    add  r8, r8, r9, lsl #1\n"
    "    STRIDED_PRODUCTS r0, r1\n"
    "    .endm\n"
    "    .macro STRIDED_FOUR\n"
    "    ldmia r6!, {r0-r3}\n"
    "    ldrsb r4, [r8]\n"
    "    ldrsb r5, [r8, r9]\n"
    "    STRIDED_PRODUCTS r0, r1\n"
    "    ldrsb r4, [r8, r9, lsl #1]\n"
    "    ldrsb r5, [r8, r12]\n"
    "    add  r8, r8, r9, lsl #2\n"
    "    STRIDED_PRODUCTS r2, r3\n"
    "    .endm\n"

    "    .macro STRIDED name, form, bytes, is_exact\n"
    "    START \\name, \\bytes, 0, r7, 50\n"
    "10: ldmia sp, {r3-r9}\n"
    "    ldr  r11, [r3]\n"
    "    mla  r10, r11, r5, r4\n"
    "    add  r12, r9, r9, lsl #1\n"
    "    TAPS STRIDED_ONE, STRIDED_TWO, STRIDED_FOUR\n"
    "    ldr  r0, [sp]\n"
    "    sub  r10, r10, r11, lsl #16\n"
    "    .if \\is_exact\n"
    "    ldrd r8, r1, [sp, #44]\n"
    "    .endif\n"
    "    \\form\\()_LOAD r0, 0, r8\n"
    "    \\form\\()_SCALE r10\n"
    "    \\form\\()_SCALE r11\n"
    "    .if \\is_exact\n"
    "    cbnz r1, 50f\n"
    "    .endif\n"
    "40: ldrd r1, r2, [sp, #52]\n"
    "    strb r11, [r1, r2]\n"
    "    strb r10, [r1], #1\n"
    "    str  r1, [sp, #52]\n"
    "    ldr  r1, [sp, #20]\n"
    "    ldr  r2, [sp, #68]\n"
    "    add  r1, r2\n"
    "    str  r1, [sp, #20]\n"
    "    adds r0, #\\bytes\n"
    "    str  r0, [sp]\n"
    "    ldr  r2, [sp, #40]\n"
    "    cmp  r0, r2\n"
    "    bne  10b\n"
    "    FINISH \\name\n"
    "    .if \\is_exact\n"
    "50: ldrd r2, r3, [sp, #60]\n"
    "    CLAMP r10\n"
    "    CLAMP r11\n"
    "    b    40b\n"
    "    .endif\n"
    "    .endm\n"
    "    STRIDED tflm_m3_strided_exact, EXACT, 16, 1\n"
    "    STRIDED tflm_m3_strided_linear, LINEAR, 24, 0\n"

    // r0 window, r1 first, r2 second, r3 values left of the row, r4-r7 words, r8 from the end of a
    // row to the next, r9 second's value, lr rows left, r12 2^16 + 1. Stack: run, ..., rows, step.
    "    .macro PACK word\n"
    "    ldrsb \\word, [r1], #1\n"
    "    ldrsb r9, [r2], #1\n"
    "    add  \\word, r12\n"
    "    add  \\word, \\word, r9, lsl #16\n"
    "    .endm\n"
    M0_FUNCTION("tflm_m0_pack", "4")
    "    push {r3-r9, lr}\n"
    "    ldrd lr, r8, [sp, #32]\n"
    "    sub  r8, r8, r3\n"
    "    mov  r12, #0x10001\n"
    "1:  subs r3, #4\n"
    "    blo  3f\n"
    "2:  PACK r4\n"
    "    PACK r5\n"
    "    PACK r6\n"
    "    PACK r7\n"
    "    stmia r0!, {r4-r7}\n"
    "    subs r3, #4\n"
    "    bhs  2b\n"
    "3:  adds r3, #4\n"
    "    beq  5f\n"
    "4:  PACK r4\n"
    "    stmia r0!, {r4}\n"
    "    subs r3, #1\n"
    "    bne  4b\n"
    "5:  add  r1, r8\n"
    "    add  r2, r8\n"
    "    ldr  r3, [sp]\n"
    "    subs lr, #1\n"
    "    bne  1b\n"
    "    pop  {r3-r9, pc}\n"
    "    .size tflm_m0_pack, . - tflm_m0_pack\n"
    "    .text\n");

#endif
