#include "conv_pairs.h"

#include "conv_widen.h"

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

#include <stddef.h>

_Static_assert(offsetof(tflm_dsp_pairs_t, output_end) == 12
    && offsetof(tflm_dsp_pairs_t, advance) == 16 && offsetof(tflm_dsp_pairs_t, channel) == 20
    && offsetof(tflm_dsp_pairs_t, loop) == 28 && offsetof(tflm_dsp_pairs_t, form) == 32
    && offsetof(tflm_dsp_pairs_t, window_end) == 36 && offsetof(tflm_dsp_pairs_t, filter) == 40
    && offsetof(tflm_dsp_pairs_t, lead) == 44 && offsetof(tflm_dsp_pairs_t, step) == 48
    && offsetof(tflm_dsp_pairs_t, rest) == 52
    && sizeof(tflm_dsp_channel_t) == 16,
    "the offsets in the code below");

// Four taps of two channels at two positions, the turn-th of twelve: 60 bytes.
#define FOUR(turn) \
    "ldmia.w r0!, {r7, r8, r9, r10}\n" \
    "ldr.w r11, [r1, #4 * " #turn "]\n" \
    "ldr.w lr, [r2, #4 * " #turn "]\n" \
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

#define FOURS(a, b, c, d) FOUR(a) FOUR(b) FOUR(c) FOUR(d)

// Outputs of both sums of both channels.
#define LINEAR(shift) \
    TFLM_DSP_LINEAR("r3", "r7", "r8", shift) \
    TFLM_DSP_LINEAR("r4", "r7", "r8", shift) \
    TFLM_DSP_LINEAR("r5", "r0", "r11", shift) \
    TFLM_DSP_LINEAR("r6", "r0", "r11", shift)

// r0: window; r1, r2: filters of two channels; r3, r4: sums of the first at both positions, r5,
// r6: of the second; r7..r10: four pairs of the window; r11, r12, lr: taps. [sp]: the first ten
// words of `pairs`, of which the outputs and the channel move on.
//
// Whole fours modulo 12 decide where the loop is entered: some of its twelve turns are left out,
// all where there are none, none where they are a multiple of 12. r1 and r2 lie as many before the
// filters, because turns have fixed offsets; `advance` leads from there to the next two channels.
// With twelve turns all code of a pair of channels fits into the 1 KB of code that an STM32F4 caches.
TFLM_ASSEMBLY void tflm_dsp_pairs(tflm_dsp_pairs_t *pairs) {
    __asm__ volatile(
        "push  {r4-r11, lr}\n"
        "mov   r12, r0\n"
        "ldr   r3, [r12, #28]\n"
        "cmp   r3, #0\n"
        "beq.w 10f\n"                 // the first call
        "9:\n"
        "ldmia r12!, {r0-r9}\n"
        "push  {r0-r9}\n"
        "mov   r9, r5\n"
        "ldm   r12, {r1, r2, r3}\n"   // filter, lead, step
        "add   r1, r1, r2\n"
        "add   r2, r1, r3\n"
        // Two channels, from r9 on; r0: window. Loads after each other share a cycle.
        "0:\n"
        "ldr   r3, [r9]\n"
        "ldr   r4, [r9]\n"
        "ldr   r5, [r9, #16]\n"
        "ldr   r6, [r9, #16]\n"
        "ldr.w pc, [sp, #24]\n"       // to 8 or into 3
        // The taps that fill no word are bytes 1..3 of `right`; its byte 0 meets a zero of the
        // window.
        ".balign 4\n"
        "8:\n"
        "ldr   r0, [sp, #36]\n"
        "ldr   r11, [r9, #12]\n"
        "ldr   r12, [r9, #28]\n"
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
        "ldr   r0, [sp]\n"
        "ldr.w pc, [sp, #28]\n"       // into 3
        ".balign 4\n"
        "3:\n"
        FOURS(0, 1, 2, 3) FOURS(4, 5, 6, 7) FOURS(8, 9, 10, 11)
        "ldr   r7, [sp, #36]\n"
        "adds  r1, r1, #48\n"
        "adds  r2, r2, #48\n"
        "cmp   r0, r7\n"
        "bne.w 3b\n"
        // What outputs need of the channels at r9, which moves on.
        "ldr   r9, [sp, #20]\n"
        "ldr   lr, [sp, #32]\n"      // form
        "ldr   r7, [r9, #4]\n"
        "ldr   r8, [r9, #8]\n"
        "ldr   r10, [r9, #12]\n"
        "ldr   r0, [r9, #20]\n"
        "ldr   r11, [r9, #24]\n"
        "ldr   r12, [r9, #28]\n"
        "cmp   lr, #4\n"
        "bge   4f\n"
        TFLM_DSP_OUTPUT("r3", "lr", "r7", "r8", "r10")
        TFLM_DSP_OUTPUT("r4", "lr", "r7", "r8", "r10")
        TFLM_DSP_OUTPUT("r5", "lr", "r0", "r11", "r12")
        TFLM_DSP_OUTPUT("r6", "lr", "r0", "r11", "r12")
        "7:\n"
        "add   r9, r9, #32\n"
        "str   r9, [sp, #20]\n"
        "ldm   sp, {r0, r7, r8, r10, r11}\n"  // window, outputs, the first one's end, advance
        "strb  r3, [r7], #1\n"
        "strb  r5, [r7], #1\n"
        "strb  r4, [r8], #1\n"
        "strb  r6, [r8], #1\n"
        "str   r7, [sp, #4]\n"
        "str   r8, [sp, #8]\n"
        "add   r1, r1, r11\n"
        "add   r2, r2, r11\n"
        "cmp   r7, r10\n"
        "bne.w 0b\n"
        "add   sp, sp, #40\n"
        "pop   {r4-r11, pc}\n"
        "4:\n"
        "beq   5f\n"
        LINEAR("8")
        "b     7b\n"
        "5:\n"
        LINEAR("4")
        "b     7b\n"
        "10:\n"
        "ldr   r0, [r12]\n"
        "ldr   r4, [r12, #36]\n"
        "sub   r4, r4, r0\n"
        "lsr   r4, r4, #4\n"          // whole fours
        "movs  r7, #12\n"
        "add   r8, r4, #11\n"
        "udiv  r8, r8, r7\n"          // rounds
        "mul   r5, r8, r7\n"
        "subs  r5, r5, r4\n"          // turns that are left out
        "cmp   r4, #0\n"
        "it    eq\n"
        "moveq r5, r7\n"
        "rsb   r6, r5, #0\n"
        "lsls  r6, r6, #2\n"
        "str   r6, [r12, #44]\n"      // lead
        "movs  r7, #60\n"
        "adr.w r9, 3b\n"
        "mla   r9, r5, r7, r9\n"
        "orr   r9, r9, #1\n"          // loop
        "ldr   r6, [r12, #48]\n"      // step
        "movs  r7, #48\n"
        "mul   r8, r8, r7\n"
        "rsb   r6, r8, r6, lsl #1\n"
        "str   r6, [r12, #16]\n"      // advance
        "ldr   r7, [r12, #52]\n"      // rest
        "adr.w r8, 8b\n"
        "orr   r8, r8, #1\n"
        "cmp   r7, #0\n"
        "it    eq\n"
        "moveq r8, r9\n"              // enter
        "add   r0, r12, #24\n"
        "stm   r0, {r8, r9}\n"
        "b.w   9b\n");
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
    const tflm_dsp_channel_t *channel = pairs->channel;
    const int8_t *filter = pairs->filter;
    const int32_t channels = (int32_t)(pairs->output_end - pairs->output[0]);
    for (int32_t c = 0; c < channels; c++, channel++, filter += pairs->step) {
        for (int32_t slot = 0; slot < 2; slot++) {
            const uint32_t sum = dot(pairs, channel, filter, slot);
            pairs->output[slot][c] = tflm_dsp_finish(sum, channel, pairs->form);
        }
    }
}

#endif
