#include "conv_wide.h"

#include "conv_widen.h"

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

#include <stddef.h>

_Static_assert(offsetof(tflm_dsp_wide_t, channels) == 4 && offsetof(tflm_dsp_wide_t, enter) == 8
    && offsetof(tflm_dsp_wide_t, finish) == 16 && offsetof(tflm_dsp_wide_t, window_end) == 20
    && offsetof(tflm_dsp_wide_t, stream) == 24 && offsetof(tflm_dsp_wide_t, form) == 28,
    "the offsets in the code below");

// Four taps of two channels at two positions: 40 bytes, of 10 instructions.
#define FOUR \
    "ldmia.w r0!, {r7, r8, r9, r10}\n" \
    "ldmia.w r1!, {r2, r11, r12, lr}\n" \
    "smlad r3, r2, r7, r3\n" \
    "smlad r4, r2, r8, r4\n" \
    "smlad r3, r11, r9, r3\n" \
    "smlad r4, r11, r10, r4\n" \
    "smlad r5, r12, r7, r5\n" \
    "smlad r6, r12, r8, r6\n" \
    "smlad r5, lr, r9, r5\n" \
    "smlad r6, lr, r10, r6\n"

#define OUTPUT(sum) TFLM_DSP_OUTPUT(sum, "r7", "r8", "r9", "r10")

// Outputs of both sums of both channels; r7..r10 are lost.
#define LINEAR(shift) \
    "ldmia r1!, {r7, r8, r9, r10}\n" \
    TFLM_DSP_LINEAR("r3", "r7", "r9", shift) \
    TFLM_DSP_LINEAR("r4", "r7", "r9", shift) \
    TFLM_DSP_LINEAR("r5", "r8", "r10", shift) \
    TFLM_DSP_LINEAR("r6", "r8", "r10", shift)

// r8, r9, r10: outputs of both positions, the first one's end.
#define STORE \
    "ldm   sp, {r0, r8, r9, r10}\n" \
    "strb  r3, [r8], #1\n" \
    "strb  r5, [r8], #1\n" \
    "strb  r4, [r9], #1\n" \
    "strb  r6, [r9], #1\n" \
    "str   r8, [sp, #4]\n" \
    "str   r9, [sp, #8]\n" \
    "cmp   r8, r10\n" \
    "bne.w 0b\n"

// r0: window; r1: stream; r3, r4: sums of the first channel at both positions, r5, r6: of the
// second; r7..r10: four pairs of the window; r2, r11, r12, lr: of the filters. [sp]: window, both
// outputs, the first one's end, enter, after, finish, window_end.
TFLM_ASSEMBLY void tflm_dsp_wide(tflm_dsp_wide_t *wide, int8_t *output0, int8_t *output1) {
    __asm__ volatile(
        "push  {r4-r11, lr}\n"
        "ldr   r3, [r0, #16]\n"
        "cbnz  r3, 9f\n"              // a later call
        // Fours modulo 8 decide where the loop is entered: 8 - fours % 8 of it are left out, none
        // where they are a multiple of 8. Up to eight need no look at the window's end.
        "ldr   r3, [r0]\n"
        "ldr   r8, [r0, #20]\n"
        "sub   r8, r8, r3\n"
        "lsrs  r8, r8, #4\n"
        "rsb   r4, r8, #0\n"
        "and   r4, r4, #7\n"
        "movs  r5, #40\n"
        "adr.w r6, 3f\n"
        "mla   r6, r4, r5, r6\n"
        "orr   r6, r6, #1\n"
        "ldr   r4, [r0, #28]\n"       // form
        "adr.w r7, 4f\n"
        "cmp   r4, #4\n"
        "it    eq\n"
        "adreq.w r7, 5f\n"
        "it    gt\n"
        "adrgt.w r7, 6f\n"
        "orr   r7, r7, #1\n"
        "mov   r5, r7\n"
        "cmp   r8, #8\n"
        "it    gt\n"
        "adrgt.w r5, 2f\n"
        "orr   r5, r5, #1\n"
        "strd  r6, r5, [r0, #8]\n"
        "str   r7, [r0, #16]\n"
        "9:\n"
        "ldm   r0, {r0, r3, r4, r5, r6, r7, r8}\n"
        "add   r3, r3, r1\n"
        "push  {r0, r1, r2, r3, r4, r5, r6, r7}\n"
        "mov   r1, r8\n"
        // Two channels.
        "0:\n"
        "ldmia r1!, {r3, r4, r5, r6}\n"
        "ldr.w pc, [sp, #16]\n"       // into 3
        ".balign 4\n"
        "3:\n"
        FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR
        "ldr.w pc, [sp, #20]\n"       // to 2, 4, 5 or 6
        ".balign 4\n"
        "2:\n"
        "ldr   r7, [sp, #28]\n"
        "cmp   r0, r7\n"
        "bne.w 3b\n"
        "ldr.w pc, [sp, #24]\n"       // to 4, 5 or 6
        ".balign 4\n"
        "4:\n"
        "ldmia r1!, {r8, r9, r10}\n"
        OUTPUT("r3") OUTPUT("r4")
        "ldmia r1!, {r8, r9, r10}\n"
        OUTPUT("r5") OUTPUT("r6")
        STORE
        "b.w   7f\n"
        ".balign 4\n"
        "5:\n"
        LINEAR("4")
        STORE
        "b.w   7f\n"
        ".balign 4\n"
        "6:\n"
        LINEAR("8")
        STORE
        "7:\n"
        "add   sp, sp, #32\n"
        "pop   {r4-r11, pc}\n");
}

#else

// The sum of one channel at one position.
static uint32_t dot(const tflm_dsp_wide_t *wide, int32_t channel, int32_t slot) {
    const int16_t *x = wide->window + slot * TFLM_SLOT;
    const uint32_t *taps = (const uint32_t *)wide->stream + 4 + 2 * channel;
    uint32_t sum = (uint32_t)wide->stream[2 * channel + slot];
    for (; x < wide->window_end; x += TFLM_FOUR, taps += 4) {
        uint32_t even, odd;
        memcpy(&even, x, sizeof(even));
        memcpy(&odd, x + TFLM_ODD, sizeof(odd));
        sum = tflm_smlad(odd, taps[1], tflm_smlad(even, taps[0], sum));
    }
    return sum;
}

void tflm_dsp_wide(tflm_dsp_wide_t *wide, int8_t *output0, int8_t *output1) {
    const int32_t fours = (int32_t)(wide->window_end - wide->window) / TFLM_FOUR;
    int8_t *const outputs[] = {output0, output1};
    tflm_dsp_wide_t now = *wide;
    for (int32_t c = 0; c < wide->channels; c++) {
        const int32_t *f = now.stream + 4 + 4 * fours, i = c % 2;
        const tflm_dsp_channel_t exact = {0, f[3 * i], f[3 * i + 1], f[3 * i + 2]};
        const tflm_dsp_channel_t linear = {0, f[i], f[2 + i], 0};
        const tflm_dsp_channel_t *channel = wide->form == TFLM_EXACT ? &exact : &linear;
        for (int32_t slot = 0; slot < 2; slot++) {
            outputs[slot][c] = tflm_dsp_finish(dot(&now, i, slot), channel, wide->form);
        }
        now.stream += i * tflm_dsp_wide_step(fours, wide->form);
    }
}

#endif
