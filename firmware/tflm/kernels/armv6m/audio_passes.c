#include "audio_passes.h"

#include "audio/spectrum.h"
#include "core.h"
#include "frame.h"

#if TFLM_ASSEMBLY == 6

// r0 number, r6 turns, r7 factor; r8 half of what is divided by, lr stride. r9 and r10 keep the first
// number, then the sum of the first and the third; r11 and r12 the second. The stack: difference of
// the first and the third (0, 4), factor (8), bytes of turns skipped (12), end (16).

__asm__(
    "    .syntax unified\n"

    // The number at r0, divided.
    "    .macro AUDIO_LOAD re, im\n"
    "    ldr  \\re, [r0]\n"
    "    asrs \\im, \\re, #16\n"
    "    sxth \\re, \\re\n"
    "    muls \\im, r7\n"
    "    muls \\re, r7\n"
    "    add  \\im, r8\n"
    "    add  \\re, r8\n"
    "    asrs \\im, \\im, #15\n"
    "    asrs \\re, \\re, #15\n"
    "    .endm\n"

    // The same, turned, in r1 and r5.
    "    .macro AUDIO_LOAD_TURNED\n"
    "    AUDIO_LOAD r1, r2\n"
    "    ldmia r6!, {r3}\n"
    "    asrs r4, r3, #16\n"
    "    sxth r3, r3\n"
    "    movs r5, r1\n"
    "    muls r5, r4\n"
    "    muls r1, r3\n"
    "    muls r3, r2\n"
    "    muls r4, r2\n"
    "    subs r1, r1, r4\n"
    "    adds r5, r5, r3\n"
    "    add  r1, r8\n"
    "    add  r5, r8\n"
    "    asrs r1, r1, #15\n"
    "    asrs r5, r5, #15\n"
    "    .endm\n"

    "    .macro AUDIO_KEEP_FIRST\n"
    "    mov  r9, r1\n"
    "    mov  r10, r5\n"
    "    add  r0, lr\n"
    "    .endm\n"

    "    .macro AUDIO_KEEP_SECOND\n"
    "    mov  r11, r1\n"
    "    mov  r12, r5\n"
    "    add  r0, lr\n"
    "    .endm\n"

    "    .macro AUDIO_MIX_THIRD\n"
    "    mov  r2, r9\n"
    "    mov  r3, r10\n"
    "    adds r4, r2, r1\n"
    "    subs r2, r2, r1\n"
    "    adds r1, r3, r5\n"
    "    subs r3, r3, r5\n"
    "    mov  r9, r4\n"
    "    mov  r10, r1\n"
    "    str  r2, [sp]\n"
    "    str  r3, [sp, #4]\n"
    "    add  r0, lr\n"
    "    .endm\n"

    // With the fourth; then r0 is where it was.
    "    .macro AUDIO_MIX_ALL\n"
    "    mov  r2, r11\n"
    "    mov  r3, r12\n"
    "    adds r4, r2, r1\n"
    "    subs r2, r2, r1\n"
    "    adds r1, r3, r5\n"
    "    subs r3, r3, r5\n"
    "    ldr  r7, [sp]\n"
    "    adds r5, r7, r3\n"
    "    subs r7, r7, r3\n"
    "    strh r7, [r0]\n"
    "    ldr  r7, [sp, #4]\n"
    "    adds r3, r7, r2\n"
    "    strh r3, [r0, #2]\n"
    "    subs r7, r7, r2\n"
    "    mov  r3, lr\n"
    "    subs r0, r0, r3\n"
    "    mov  r2, r9\n"
    "    subs r2, r2, r4\n"
    "    strh r2, [r0]\n"
    "    mov  r2, r10\n"
    "    subs r2, r2, r1\n"
    "    strh r2, [r0, #2]\n"
    "    subs r0, r0, r3\n"
    "    strh r5, [r0]\n"
    "    strh r7, [r0, #2]\n"
    "    subs r0, r0, r3\n"
    "    add  r4, r9\n"
    "    strh r4, [r0]\n"
    "    add  r1, r10\n"
    "    strh r1, [r0, #2]\n"
    "    .endm\n"

    M0_FUNCTION("tflm_m0_audio_mix", "4")
    M0_ENTER
    "    push {r4-r7}\n"
    "    sub  sp, #20\n"
    "    mov  lr, r1\n"
    "    str  r2, [sp, #16]\n"
    "    str  r3, [sp, #8]\n"
    "    movs r1, #1\n"
    "    lsls r1, r1, #14\n"
    "    mov  r8, r1\n"
    "1:  ldr  r7, [sp, #8]\n"
    "    AUDIO_LOAD r1, r5\n"
    "    AUDIO_KEEP_FIRST\n"
    "    AUDIO_LOAD r1, r5\n"
    "    AUDIO_KEEP_SECOND\n"
    "    AUDIO_LOAD r1, r5\n"
    "    AUDIO_MIX_THIRD\n"
    "    AUDIO_LOAD r1, r5\n"
    "    AUDIO_MIX_ALL\n"
    "    lsls r3, r3, #2\n"
    "    adds r0, r0, r3\n"
    "    ldr  r3, [sp, #16]\n"
    "    cmp  r0, r3\n"
    "    bne  1b\n"
    "    add  sp, #20\n"
    "    pop  {r4-r7}\n"
    M0_LEAVE

    M0_FUNCTION("tflm_m0_audio_turn", "4")
    M0_ENTER
    "    push {r4-r7}\n"
    "    sub  sp, #20\n"
    "    mov  lr, r1\n"
    "    movs r6, r2\n"
    "    str  r3, [sp, #12]\n"
    "    subs r2, r2, r3\n"
    "    subs r2, r2, r3\n"
    "    movs r1, #189\n"
    "    lsls r1, r1, #2\n"
    "    adds r2, r2, r1\n"
    "    str  r2, [sp, #16]\n"
    "    movs r1, #1\n"
    "    lsls r7, r1, #13\n"
    "    subs r7, r7, #1\n"
    "    str  r7, [sp, #8]\n"
    "    lsls r1, r1, #14\n"
    "    mov  r8, r1\n"
    "1:  AUDIO_LOAD r1, r5\n"
    "    AUDIO_KEEP_FIRST\n"
    "    AUDIO_LOAD_TURNED\n"
    "    AUDIO_KEEP_SECOND\n"
    "    AUDIO_LOAD_TURNED\n"
    "    AUDIO_MIX_THIRD\n"
    "    AUDIO_LOAD_TURNED\n"
    "    AUDIO_MIX_ALL\n"
    "    adds r0, r0, #4\n"
    "    ldr  r3, [sp, #12]\n"
    "    ldr  r7, [sp, #8]\n"
    "    ldr  r2, [sp, #16]\n"
    "    cmp  r6, r2\n"
    "    beq  2f\n"
    "    adds r6, r6, r3\n"
    "    b    1b\n"
    "2:  add  sp, #20\n"
    "    pop  {r4-r7}\n"
    M0_LEAVE
    "    .text\n");

#else

static inline tflm_audio_complex_t turned(int32_t word, uint32_t turn) {
    return tflm_audio_times(tflm_audio_load(word, TFLM_M0_QUARTER), turn);
}

void tflm_m0_audio_mix(int32_t *x, int32_t stride, const int32_t *end, int32_t factor) {
    const int32_t size = stride / 4;
    for (; x != end; x += 4 * size) {
        tflm_audio_mix(x, size, tflm_audio_load(*x, factor), tflm_audio_load(x[size], factor),
            tflm_audio_load(x[2 * size], factor), tflm_audio_load(x[3 * size], factor));
    }
}

void tflm_m0_audio_turn(int32_t *x, int32_t stride, const uint32_t *turns, int32_t skipped) {
    const int32_t size = stride / 4;
    for (int32_t k = 1; k < size; k++, x++, turns += 3 + skipped / 4) {
        tflm_audio_mix(x, size, tflm_audio_load(*x, TFLM_M0_QUARTER), turned(x[size], turns[0]),
            turned(x[2 * size], turns[1]), turned(x[3 * size], turns[2]));
    }
}

#endif
