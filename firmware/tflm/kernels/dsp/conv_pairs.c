#include "conv_pairs.h"

#include "conv_widen.h"

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

#include <stddef.h>

_Static_assert(offsetof(tflm_dsp_pairs_t, channel) == 4 && offsetof(tflm_dsp_pairs_t, rest) == 8
    && offsetof(tflm_dsp_pairs_t, output) == 16 && offsetof(tflm_dsp_pairs_t, window_end) == 24
    && offsetof(tflm_dsp_pairs_t, filter) == 28 && offsetof(tflm_dsp_pairs_t, last) == 32
    && offsetof(tflm_dsp_pairs_t, form) == 36
    && offsetof(tflm_dsp_pairs_t, finish) == 48 && sizeof(tflm_dsp_channel_t) == 16,
    "the offsets in the code below");

// Four taps of two channels at two positions: 60 bytes, of 15 instructions.
#define FOUR \
    "ldmia r0!, {r7, r8, r9, r10}\n" \
    "ldr   r11, [r1], #4\n" \
    "ldr   lr, [r2], #4\n" \
    "sxtb16 r12, r11\n" \
    "sxtb16 r11, r11, ror #8\n" \
    "smlad r3, r12, r7, r3\n" \
    "smlad r4, r12, r8, r4\n" \
    "smlad r3, r11, r9, r3\n" \
    "smlad r4, r11, r10, r4\n" \
    "sxtb16 r12, lr\n" \
    "sxtb16 r11, lr, ror #8\n" \
    "smlad r5, r12, r7, r5\n" \
    "smlad r6, r12, r8, r6\n" \
    "smlad r5, r11, r9, r5\n" \
    "smlad r6, r11, r10, r6\n"

#define OUTPUT(sum) TFLM_DSP_OUTPUT(sum, "r7", "r8", "r9", "r10")

// Outputs of both sums of both channels.
#define LINEAR(shift) \
    "ldr   r7, [r0, #4]\n" \
    "ldr   r8, [r0, #8]\n" \
    "ldr   r9, [r0, #20]\n" \
    "ldr   r10, [r0, #24]\n" \
    "adds  r0, r0, #32\n" \
    TFLM_DSP_LINEAR("r3", "r7", "r8", shift) \
    TFLM_DSP_LINEAR("r4", "r7", "r8", shift) \
    TFLM_DSP_LINEAR("r5", "r9", "r10", shift) \
    TFLM_DSP_LINEAR("r6", "r9", "r10", shift)

// r0: window; r1, r2: filters of two channels; r3, r4: sums of the first at both positions, r5,
// r6: of the second; r7..r10: four pairs of the window; r11, r12, lr: taps.
// Between the loops r12 is `pairs`, which lies at [sp].
TFLM_ASSEMBLY void tflm_dsp_pairs(tflm_dsp_pairs_t *pairs) {
    __asm__ volatile(
        "push  {r0, r4-r11, lr}\n"
        "mov   r12, r0\n"
        "ldr   r1, [r12, #28]\n"
        "ldrd  r2, r3, [r12, #8]\n"   // rest, step
        "ldr   r6, [r12, #40]\n"
        "cbnz  r6, 9f\n"              // a later call
        // Whole fours modulo 8 decide where the loop is entered: 8 - fours % 8 of it are left out,
        // but none where there are fours and they are a multiple of 8.
        "ldr   r0, [r12]\n"
        "ldr   r4, [r12, #24]\n"
        "sub   r4, r4, r0\n"
        "lsrs  r4, r4, #4\n"
        "ite   eq\n"
        "moveq r4, #8\n"
        "rsbne r4, r4, #0\n"
        "it    ne\n"
        "andne r4, r4, #7\n"
        "movs  r5, #60\n"
        "adr.w r6, 3f\n"
        "mla   r6, r4, r5, r6\n"
        "orr   r6, r6, #1\n"
        "str   r6, [r12, #44]\n"
        "cbz   r2, 1f\n"
        "adr.w r6, 2f\n"
        "orr   r6, r6, #1\n"
        "1:\n"
        "str   r6, [r12, #40]\n"
        "ldr   r4, [r12, #36]\n"      // form
        "adr.w r6, 4f\n"
        "cmp   r4, #4\n"
        "it    eq\n"
        "adreq.w r6, 5f\n"
        "it    gt\n"
        "adrgt.w r6, 6f\n"
        "orr   r6, r6, #1\n"
        "str   r6, [r12, #48]\n"
        "9:\n"
        "add   r2, r1, r3\n"
        "ldr   r0, [r12, #4]\n"
        // Two channels, from r0 on. Loads after each other share a cycle.
        "0:\n"
        "ldr   r3, [r0]\n"
        "ldr   r4, [r0]\n"
        "ldr   r5, [r0, #16]\n"
        "ldr   r6, [r0, #16]\n"
        "ldr   r0, [r12]\n"
        "ldr.w pc, [r12, #40]\n"      // to 2 or into 3
        // The taps that fill no word are bytes 1..3 of `right`; its byte 0 meets a zero of the
        // window.
        "2:\n"
        "ldr   r7, [r12, #4]\n"
        "ldr   r0, [r12, #24]\n"
        "ldr   r11, [r7, #12]\n"
        "ldr   r12, [r7, #28]\n"
        "ldm   r0, {r7, r8, r9, r10}\n"
        "sxtb16 r0, r11, ror #8\n"
        "sxtb16 r11, r11, ror #16\n"
        "smlad r3, r0, r7, r3\n"
        "smlad r4, r0, r8, r4\n"
        "smlad r3, r11, r9, r3\n"
        "smlad r4, r11, r10, r4\n"
        "sxtb16 r0, r12, ror #8\n"
        "sxtb16 r11, r12, ror #16\n"
        "smlad r5, r0, r7, r5\n"
        "smlad r6, r0, r8, r6\n"
        "smlad r5, r11, r9, r5\n"
        "smlad r6, r11, r10, r6\n"
        "ldr   r12, [sp]\n"
        "ldr   r0, [r12]\n"
        "ldr.w pc, [r12, #44]\n"      // into 3
        ".balign 4\n"
        "3:\n"
        FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR
        "ldr   r12, [sp]\n"
        "ldr   r7, [r12, #24]\n"
        "cmp   r0, r7\n"
        "bne   3b\n"
        "ldr   r0, [r12, #4]\n"
        "ldr.w pc, [r12, #48]\n"      // to 4, 5 or 6
        "5:\n"
        LINEAR("4")
        "b     7f\n"
        "6:\n"
        LINEAR("8")
        "b     7f\n"
        "4:\n"
        "ldmia r0!, {r7, r8, r9, r10}\n"
        OUTPUT("r3") OUTPUT("r4")
        "ldmia r0!, {r7, r8, r9, r10}\n"
        OUTPUT("r5") OUTPUT("r6")
        "7:\n"
        "ldr   r8, [r12, #16]\n"      // outputs
        "ldr   r9, [r12, #20]\n"
        "ldr   r10, [r12, #8]\n"      // rest, step
        "ldr   r11, [r12, #12]\n"
        "ldr   r7, [r12, #32]\n"      // last
        "strb  r3, [r8], #1\n"
        "strb  r4, [r9], #1\n"
        "strb  r5, [r8], #1\n"
        "strb  r6, [r9], #1\n"
        "str   r8, [r12, #16]\n"
        "str   r9, [r12, #20]\n"
        "str   r0, [r12, #4]\n"
        "add   r1, r2, r10\n"
        "add   r2, r1, r11\n"
        "cmp   r0, r7\n"
        "bne   0b\n"
        "pop   {r0, r4-r11, pc}\n");
}

#else

static uint32_t dot(const tflm_dsp_pairs_t *pairs, const tflm_dsp_channel_t *channel,
    const int8_t *filter, int32_t slot) {
    const int16_t *x = pairs->window + slot * TFLM_SLOT;
    const int32_t whole = (int32_t)(pairs->window_end - pairs->window) / TFLM_FOUR * 4;
    uint32_t sum = (uint32_t)channel->start;
    for (int32_t k = 0; k < whole + pairs->rest; k++) {
        // The last taps are not read from the filter, as in the code above.
        const int32_t last = (int8_t)((uint32_t)channel->right >> (8 * (k - whole + 1) & 31));
        sum += (uint32_t)(x[tflm_place(k)] * (k < whole ? filter[k] : last));
    }
    return sum;
}

void tflm_dsp_pairs(tflm_dsp_pairs_t *pairs) {
    const int8_t *filter = pairs->filter;
    for (; pairs->channel != pairs->last; pairs->channel++, filter += pairs->step) {
        for (int32_t slot = 0; slot < 2; slot++) {
            const uint32_t sum = dot(pairs, pairs->channel, filter, slot);
            *pairs->output[slot]++ = tflm_dsp_finish(sum, pairs->channel, pairs->form);
        }
    }
}

#endif
