#include "dense_rows.h"

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

#include <stddef.h>

_Static_assert(offsetof(tflm_dsp_dense_t, rows) == 8 && offsetof(tflm_dsp_dense_t, output) == 16
    && offsetof(tflm_dsp_dense_t, offsets) == 24 && offsetof(tflm_dsp_dense_t, form) == 36
    && offsetof(tflm_dsp_dense_t, finish) == 48,
    "the offsets in the code below");

#define ROW(word, sum) \
    "ldr   r10, " word "\n" \
    "sxtb16 r11, r10\n" \
    "sxtb16 r10, r10, ror #8\n" \
    "smlad " sum ", r11, r8, " sum "\n" \
    "smlad " sum ", r10, r9, " sum "\n"

#define ROWS \
    ROW("[r1, r2]", "r5") ROW("[r1, r2, lsl #1]", "r6") ROW("[r1, r3]", "r7") ROW("[r1], #4", "r4")

// The same of two rows, whose words are in r10 and r12.
#define TWO_ROWS(sum, other) \
    "sxtb16 r11, r10\n" \
    "sxtb16 r10, r10, ror #8\n" \
    "smlad " sum ", r11, r8, " sum "\n" \
    "smlad " sum ", r10, r9, " sum "\n" \
    "sxtb16 r11, r12\n" \
    "sxtb16 r12, r12, ror #8\n" \
    "smlad " other ", r11, r8, " other "\n" \
    "smlad " other ", r12, r9, " other "\n"

// Four values: 92 bytes of code, and 88. Loads after each other share a cycle, except with one before
// that updates its address.
#define VALUES \
    "ldr   r8, [r0], #4\n" \
    "sxtab16 r9, r12, r8, ror #8\n" \
    "sxtab16 r8, r12, r8\n" \
    ROWS

#define WIDE_VALUES \
    "ldr   r10, [r1, r2]\n" \
    "ldr   r12, [r1, r2, lsl #1]\n" \
    "ldr   r9, [r0, #4]\n" \
    "ldr   r8, [r0], #8\n" \
    TWO_ROWS("r5", "r6") \
    "ldr   r10, [r1, r3]\n" \
    "ldr   r12, [r1], #4\n" \
    TWO_ROWS("r7", "r4")

#define OUTPUT(sum) \
    "ldmia r0!, {r8, r9, r10, r11}\n" \
    TFLM_DSP_OUTPUT(sum, "r8", "r9", "r10", "r11")

#define TWO_LINEAR(first, second, shift) \
    "ldr   r8, [r0, #4]\n" \
    "ldr   r9, [r0, #8]\n" \
    "ldr   r10, [r0, #20]\n" \
    "ldr   r11, [r0, #24]\n" \
    "adds  r0, r0, #32\n" \
    TFLM_DSP_LINEAR(first, "r8", "r9", shift) \
    TFLM_DSP_LINEAR(second, "r10", "r11", shift)

// r0: values; r1: rows; r2: step; r3: 3 * step; r4..r7: sums; r8, r9: four values; r10, r11: taps;
// r12: offsets, or taps where values are wide; lr: end of the values. `dense` lies at [sp].
TFLM_ASSEMBLY void tflm_dsp_dense(tflm_dsp_dense_t *dense) {
    __asm__ volatile(
        "push  {r0, r4-r11, lr}\n"
        "ldrd  r1, r2, [r0, #8]\n"      // rows, step
        "ldr   r4, [r0]\n"
        "ldrd  r5, r7, [r0, #28]\n"     // is_wide, count
        "add   r3, r2, r2, lsl #1\n"
        "rsb   r6, r7, #0\n"            // how many turns are left out the first time, of eight
        "cbz   r5, 1f\n"
        "ubfx  r6, r6, #2, #3\n"
        "add   lr, r4, r7, lsl #1\n"
        "adr.w r8, 5f\n"
        "mov   r9, #88\n"
        "mla   r8, r6, r9, r8\n"
        "orr   r8, r8, #1\n"
        "b     2f\n"
        "1:\n"
        "ubfx  r6, r6, #2, #2\n"        // or of four
        "add   lr, r4, r7\n"
        "adr.w r8, 4f\n"
        "mov   r9, #92\n"
        "mla   r8, r6, r9, r8\n"
        "orr   r8, r8, #1\n"
        "str   r8, [r0, #44]\n"
        "adr.w r8, 3f\n"
        "orr   r8, r8, #1\n"
        "2:\n"
        "str   r8, [r0, #40]\n"
        "ldr   r4, [r0, #36]\n"         // form
        "adr.w r8, 7f\n"
        "cmp   r4, #4\n"
        "it    eq\n"
        "adreq.w r8, 8f\n"
        "it    gt\n"
        "adrgt.w r8, 9f\n"
        "orr   r8, r8, #1\n"
        "str   r8, [r0, #48]\n"
        // Four rows.
        "0:\n"
        "ldr   r8, [sp]\n"
        "ldrd  r0, r9, [r8]\n"          // values, channel
        "ldr   r12, [r8, #24]\n"        // offsets
        "ldr   r4, [r9]\n"
        "ldr   r5, [r9, #16]\n"
        "ldr   r6, [r9, #32]\n"
        "ldr   r7, [r9, #48]\n"
        "ldr.w pc, [r8, #40]\n"         // to 3 or into 5
        ".balign 4\n"
        "5:\n"
        WIDE_VALUES WIDE_VALUES WIDE_VALUES WIDE_VALUES
        WIDE_VALUES WIDE_VALUES WIDE_VALUES WIDE_VALUES
        "cmp   r0, lr\n"
        "bne   5b\n"
        "6:\n"
        "ldr   r12, [sp]\n"
        "ldr   r0, [r12, #4]\n"
        "ldr.w pc, [r12, #48]\n"        // to 7, 8 or 9
        "8:\n"
        TWO_LINEAR("r4", "r5", "4") TWO_LINEAR("r6", "r7", "4")
        "b     10f\n"
        "9:\n"
        TWO_LINEAR("r4", "r5", "8") TWO_LINEAR("r6", "r7", "8")
        "b     10f\n"
        "7:\n"
        OUTPUT("r4") OUTPUT("r5") OUTPUT("r6") OUTPUT("r7")
        "10:\n"
        "str   r0, [r12, #4]\n"
        "ldrd  r10, r11, [r12, #16]\n"  // output, end
        "strb  r4, [r10], #1\n"
        "strb  r5, [r10], #1\n"
        "strb  r6, [r10], #1\n"
        "strb  r7, [r10], #1\n"
        "str   r10, [r12, #16]\n"
        "ldr   r9, [r12, #32]\n"        // count
        "add   r1, r1, r2, lsl #2\n"
        "sub   r1, r1, r9\n"
        "cmp   r10, r11\n"
        "bne   0b\n"
        "pop   {r0, r4-r11, pc}\n"
        // int8 values are not doubled, so sums are, in the end.
        "3:\n"
        "asrs  r4, r4, #1\n"
        "asrs  r5, r5, #1\n"
        "asrs  r6, r6, #1\n"
        "asrs  r7, r7, #1\n"
        "ldr.w pc, [r8, #44]\n"         // into 4
        ".balign 4\n"
        "4:\n"
        VALUES VALUES VALUES VALUES
        "cmp   r0, lr\n"
        "bne   4b\n"
        "lsls  r4, r4, #1\n"
        "lsls  r5, r5, #1\n"
        "lsls  r6, r6, #1\n"
        "lsls  r7, r7, #1\n"
        "b     6b\n");
}

#else

void tflm_dsp_dense(tflm_dsp_dense_t *dense) {
    for (; dense->output != dense->end; dense->channel++, dense->rows += dense->step) {
        const uint32_t *wide = dense->values;
        uint32_t sum = (uint32_t)dense->channel->start;
        for (int32_t i = 0; i < dense->count; i += 4) {
            uint32_t even, odd;
            if (dense->is_wide) {
                even = *wide++;
                odd = *wide++;
            } else {
                const uint32_t word = tflm_load4((const int8_t *)dense->values + i);
                even = tflm_add_even(tflm_add_even(dense->offsets, word), word);
                odd = tflm_add_odd(tflm_add_odd(dense->offsets, word), word);
                even = tflm_add16(even, dense->offsets);
                odd = tflm_add16(odd, dense->offsets);
            }
            const uint32_t taps = tflm_load4(dense->rows + i);
            sum = tflm_smlad(tflm_even(taps), even, tflm_smlad(tflm_odd(taps), odd, sum));
        }
        *dense->output++ = tflm_dsp_finish(sum, dense->channel, dense->form);
    }
}

#endif
