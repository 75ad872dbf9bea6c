#include "conv_widen.h"

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

// Four values of both positions.
#define FOUR \
    "ldr   r11, [r1], #4\n" \
    "ldr   r12, [r2], #4\n" \
    "sxtab16 r7, r6, r11\n" \
    "sxtab16 r9, r6, r11, ror #8\n" \
    "sxtab16 r8, r6, r12\n" \
    "sxtab16 r10, r6, r12, ror #8\n" \
    "sxtab16 r7, r7, r11\n" \
    "sxtab16 r9, r9, r11, ror #8\n" \
    "sxtab16 r8, r8, r12\n" \
    "sxtab16 r10, r10, r12, ror #8\n" \
    "cmp   r1, lr\n" \
    "stmia r0!, {r7, r8, r9, r10}\n"

// r0: to; r1, r2: the values of both positions; r3: run; r4: skip; r5: rows left; r6: offsets; lr:
// end of the run.
TFLM_ASSEMBLY void tflm_dsp_widen_both(
    int16_t *to, const int8_t *first, const int8_t *second, const tflm_runs_t *runs) {
    __asm__ volatile(
        "push  {r4-r11, lr}\n"
        "ldm   r3, {r3, r4, r5, r6}\n"
        "sub   r4, r4, r3\n"
        "1:\n"
        "add   lr, r1, r3\n"
        "2:\n"
        FOUR
        "beq   3f\n"
        FOUR
        "bne   2b\n"
        "3:\n"
        "subs  r5, r5, #1\n"
        "add   r1, r1, r4\n"
        "add   r2, r2, r4\n"
        "bne   1b\n"
        "pop   {r4-r11, pc}\n");
}

#else

void tflm_dsp_widen_both(
    int16_t *to, const int8_t *first, const int8_t *second, const tflm_runs_t *runs) {
    for (int32_t row = 0; row < runs->rows; row++) {
        for (int32_t i = 0; i < runs->run; i += 4, to += TFLM_FOUR) {
            tflm_put_both(to, runs->offsets, tflm_load4(first + row * runs->skip + i),
                tflm_load4(second + row * runs->skip + i));
        }
    }
}

#endif
