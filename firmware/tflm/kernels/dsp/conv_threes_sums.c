#include "conv_threes_sums.h"

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

#include <stddef.h>

#define OFFSET(field, bytes) (offsetof(tflm_dsp_threes_t, field) == (bytes))

_Static_assert(OFFSET(output, 4) && OFFSET(depth, 8) && OFFSET(output_end, 12)
    && OFFSET(advance, 16) && OFFSET(channel, 20) && OFFSET(enter, 24) && OFFSET(finish, 28)
    && OFFSET(window_end, 32) && OFFSET(filter, 36) && OFFSET(step, 40) && OFFSET(form, 44)
    && sizeof(tflm_dsp_channel_t) == 16 && TFLM_THREE * sizeof(int16_t) == 24,
    "the numbers in the code below");

// r0: to; r1: the first window; r2: advance; r3: run; r4: skip; r5: rows left; r6: the input's
// offset, twice; lr: end of the run.
TFLM_ASSEMBLY void tflm_dsp_widen_three(
    int16_t *to, const int8_t *first, int32_t advance, const tflm_runs_t *runs) {
    __asm__ volatile(
        "push  {r4-r11, lr}\n"
        "ldm   r3, {r3, r4, r5, r6}\n"
        "movs  r7, #0\n"
        "shadd16 r6, r6, r7\n"        // exact: it is even
        "subs  r4, r4, r3\n"
        "1:\n"
        "add   lr, r1, r3\n"
        "2:\n"
        "ldr   r9, [r1, r2, lsl #1]\n"
        "ldr   r8, [r1, r2]\n"
        "ldr   r7, [r1], #4\n"
        "sxtab16 r10, r6, r7, ror #8\n"
        "sxtab16 r11, r6, r8, ror #8\n"
        "sxtab16 r12, r6, r9, ror #8\n"
        "sxtab16 r7, r6, r7\n"
        "sxtab16 r8, r6, r8\n"
        "sxtab16 r9, r6, r9\n"
        "sadd16 r10, r10, r10\n"
        "sadd16 r11, r11, r11\n"
        "sadd16 r12, r12, r12\n"
        "sadd16 r7, r7, r7\n"
        "sadd16 r8, r8, r8\n"
        "sadd16 r9, r9, r9\n"
        "stmia r0!, {r7, r8, r9, r10, r11, r12}\n"
        "cmp   r1, lr\n"
        "bne   2b\n"
        "add   r1, r1, r4\n"
        "subs  r5, r5, #1\n"
        "bne   1b\n"
        "pop   {r4-r11, pc}\n");
}

// Products of r3 or r4 with the pairs in r5, r6 and r7.
#define PRODUCTS(taps, a, b, c) \
    "smlad " a ", " taps ", r5, " a "\n" \
    "smlad " b ", " taps ", r6, " b "\n" \
    "smlad " c ", " taps ", r7, " c "\n"

// Four taps of two channels at three positions, the turn-th of eight: 96 bytes. Five operands have
// registers, so the second channel's taps are loaded twice. Loads after each other share a cycle.
#define FOUR(turn) \
    "ldr.w r3, [r1, #4 * " #turn "]\n" \
    "ldr.n r4, [r2, #4 * " #turn "]\n" \
    "ldr.w r5, [r0, #24 * " #turn "]\n" \
    "ldr.w r6, [r0, #4 + 24 * " #turn "]\n" \
    "ldr.w r7, [r0, #8 + 24 * " #turn "]\n" \
    "sxtb16 r4, r4\n" \
    PRODUCTS("r4", "r11", "r12", "lr") \
    "sxtb16 r4, r3\n" \
    PRODUCTS("r4", "r8", "r9", "r10") \
    "sxtb16 r3, r3, ror #8\n" \
    "ldr.n r4, [r2, #4 * " #turn "]\n" \
    "ldr.w r5, [r0, #12 + 24 * " #turn "]\n" \
    "ldr.w r6, [r0, #16 + 24 * " #turn "]\n" \
    "ldr.w r7, [r0, #20 + 24 * " #turn "]\n" \
    PRODUCTS("r3", "r8", "r9", "r10") \
    "sxtb16 r4, r4, ror #8\n" \
    PRODUCTS("r4", "r11", "r12", "lr")

#define LINEAR(shift) \
    TFLM_DSP_LINEAR("r8", "r4", "r5", shift) \
    TFLM_DSP_LINEAR("r9", "r4", "r5", shift) \
    TFLM_DSP_LINEAR("r10", "r4", "r5", shift) \
    TFLM_DSP_LINEAR("r11", "r6", "r7", shift) \
    TFLM_DSP_LINEAR("r12", "r6", "r7", shift) \
    TFLM_DSP_LINEAR("lr", "r6", "r7", shift)

// r0: windows; r1, r2: filters of two channels; r8, r9, r10: sums of the first at three positions,
// r11, r12, lr: of the second; r3, r4: taps; r5, r6, r7: pairs of the windows. [sp]: the first nine
// words of `threes`, of which the output and the channel move on.
//
// Fours modulo 8 decide where the loop is entered: some of its eight turns are left out, none
// where fours are a multiple of 8. Windows and filters begin as many before their first one then,
// because turns have fixed offsets.
TFLM_ASSEMBLY void tflm_dsp_threes(tflm_dsp_threes_t *threes) {
    __asm__ volatile(
        "push  {r4-r11, lr}\n"
        "mov   r12, r0\n"
        "ldr   r3, [r12, #24]\n"
        "cmp   r3, #0\n"
        "beq.w 10f\n"                 // the first call
        "9:\n"
        "ldmia r12!, {r0-r8}\n"
        "push  {r0-r8}\n"
        "mov   r3, r5\n"
        "ldm   r12, {r1, r2}\n"       // filter, step
        "add   r2, r1, r2\n"
        // Two channels, from r3 on.
        "0:\n"
        "ldr.w r8, [r3]\n"
        "ldr.w r11, [r3, #16]\n"
        "mov   r9, r8\n"
        "mov   r10, r8\n"
        "mov   r12, r11\n"
        "mov   lr, r11\n"
        "ldr.w pc, [sp, #24]\n"       // into 3
        ".balign 4\n"
        "3:\n"
        FOUR(0) FOUR(1) FOUR(2) FOUR(3) FOUR(4) FOUR(5) FOUR(6) FOUR(7)
        "ldr   r7, [sp, #32]\n"
        "adds  r0, r0, #192\n"
        "adds  r1, r1, #32\n"
        "adds  r2, r2, #32\n"
        "cmp   r0, r7\n"
        "bne.w 3b\n"
        // What linear outputs need of the channels at r3.
        "ldr   r3, [sp, #20]\n"
        "ldr   r4, [r3, #4]\n"
        "ldr   r5, [r3, #8]\n"
        "ldr   r6, [r3, #20]\n"
        "ldr   r7, [r3, #24]\n"
        "ldr.w pc, [sp, #28]\n"       // to 4, 5 or 6
        ".balign 4\n"
        "6:\n"
        LINEAR("8")
        "7:\n"
        "adds  r3, r3, #32\n"
        "str   r3, [sp, #20]\n"
        "ldm   sp, {r0, r4, r5, r6, r7}\n"  // window, output, depth, the output's end, advance
        "strb.w r8, [r4]\n"
        "strb.w r11, [r4, #1]\n"
        "add   r1, r1, r7\n"
        "add   r2, r2, r7\n"
        "adds  r7, r4, r5\n"
        "strb.w r9, [r7]\n"
        "strb.w r12, [r7, #1]\n"
        "add   r7, r7, r5\n"
        "strb.w r10, [r7]\n"
        "strb.w lr, [r7, #1]\n"
        "adds  r4, r4, #2\n"
        "str   r4, [sp, #4]\n"
        "cmp   r4, r6\n"
        "bne.w 0b\n"
        "add   sp, sp, #36\n"
        "pop   {r4-r11, pc}\n"
        ".balign 4\n"
        "5:\n"
        LINEAR("4")
        "b     7b\n"
        ".balign 4\n"
        "4:\n"
        "ldr   r0, [r3, #12]\n"       // right
        TFLM_DSP_OUTPUT("r8", "r7", "r4", "r5", "r0")
        TFLM_DSP_OUTPUT("r9", "r7", "r4", "r5", "r0")
        TFLM_DSP_OUTPUT("r10", "r7", "r4", "r5", "r0")
        "ldr   r7, [r3, #24]\n"
        "ldr   r0, [r3, #28]\n"
        TFLM_DSP_OUTPUT("r11", "r4", "r6", "r7", "r0")
        TFLM_DSP_OUTPUT("r12", "r4", "r6", "r7", "r0")
        TFLM_DSP_OUTPUT("lr", "r4", "r6", "r7", "r0")
        "b     7b\n"
        "10:\n"
        "ldr   r0, [r12]\n"
        "ldrd  r1, r2, [r12, #36]\n"  // filter, step
        "lsrs  r4, r2, #2\n"          // fours
        "rsb   r5, r4, #0\n"
        "and   r5, r5, #7\n"          // turns that are left out
        "sub   r1, r1, r5, lsl #2\n"
        "str   r1, [r12, #36]\n"
        "adds  r6, r4, r5\n"          // turns of all rounds
        "lsls  r7, r2, #1\n"
        "sub   r7, r7, r6, lsl #2\n"
        "str   r7, [r12, #16]\n"      // advance
        "movs  r7, #24\n"
        "mls   r0, r5, r7, r0\n"
        "str   r0, [r12]\n"
        "mla   r0, r6, r7, r0\n"
        "str   r0, [r12, #32]\n"      // window_end
        "movs  r7, #96\n"
        "adr.w r8, 3b\n"
        "mla   r8, r5, r7, r8\n"
        "orr   r8, r8, #1\n"          // enter
        "ldr   r4, [r12, #44]\n"      // form
        "adr.w r9, 4b\n"
        "cmp   r4, #4\n"
        "it    eq\n"
        "adreq.w r9, 5b\n"
        "it    gt\n"
        "adrgt.w r9, 6b\n"
        "orr   r9, r9, #1\n"          // finish
        "strd  r8, r9, [r12, #24]\n"
        "b.w   9b\n");
}

#else

void tflm_dsp_widen_three(
    int16_t *to, const int8_t *first, int32_t advance, const tflm_runs_t *runs) {
    for (int32_t row = 0; row < runs->rows; row++, first += runs->skip) {
        for (int32_t i = 0; i < runs->run; i += 4, to += TFLM_THREE) {
            for (int32_t slot = 0; slot < 3; slot++) {
                const uint32_t word = tflm_load4(first + i + slot * advance);
                tflm_put(to + 2 * slot, tflm_twice_even(runs->offsets, word));
                tflm_put(to + 2 * slot + TFLM_THREE / 2, tflm_twice_odd(runs->offsets, word));
            }
        }
    }
}

static uint32_t dot(const tflm_dsp_threes_t *threes, const tflm_dsp_channel_t *channel,
    const int8_t *filter, int32_t slot) {
    const int16_t *x = threes->window + 2 * slot;
    uint32_t sum = (uint32_t)channel->start;
    for (int32_t k = 0; k < threes->step; k += 4, x += TFLM_THREE) {
        sum += (uint32_t)(x[0] * filter[k] + x[1] * filter[k + 2]);
        sum += (uint32_t)(x[6] * filter[k + 1] + x[7] * filter[k + 3]);
    }
    return sum;
}

void tflm_dsp_threes(tflm_dsp_threes_t *threes) {
    const tflm_dsp_channel_t *channel = threes->channel;
    const int8_t *filter = threes->filter;
    const int32_t channels = (int32_t)(threes->output_end - threes->output);
    for (int32_t c = 0; c < channels; c++, channel++, filter += threes->step) {
        for (int32_t slot = 0; slot < 3; slot++) {
            const uint32_t sum = dot(threes, channel, filter, slot);
            threes->output[slot * threes->depth + c] = tflm_dsp_finish(sum, channel, threes->form);
        }
    }
}

#endif
