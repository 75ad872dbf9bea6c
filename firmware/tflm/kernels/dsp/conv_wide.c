#include "conv_wide.h"

#include "conv_widen.h"

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

#include <stddef.h>

_Static_assert(offsetof(tflm_dsp_wide_t, channels) == 4 && offsetof(tflm_dsp_wide_t, begin) == 8
    && offsetof(tflm_dsp_wide_t, skip) == 12 && offsetof(tflm_dsp_wide_t, enter) == 16
    && offsetof(tflm_dsp_wide_t, after) == 20 && offsetof(tflm_dsp_wide_t, finish) == 24
    && offsetof(tflm_dsp_wide_t, window_end) == 28 && offsetof(tflm_dsp_wide_t, stream) == 32
    && offsetof(tflm_dsp_wide_t, form) == 36,
    "the offsets in the code below");

// Two taps of four channels at two positions: 52 bytes. Loads after each other share a cycle.
#define TWO(window, taps) \
    "ldr.n r2, [r0, #" window "]\n" \
    "ldr.n r3, [r0, #4 + " window "]\n" \
    "ldr.w r4, [r1, #" taps "]\n" \
    "ldr.w r5, [r1, #4 + " taps "]\n" \
    "smlad r6, r4, r2, r6\n" \
    "smlad r7, r4, r3, r7\n" \
    "smlad r8, r5, r2, r8\n" \
    "smlad r9, r5, r3, r9\n" \
    "ldr.w r4, [r1, #16 + " taps "]\n" \
    "ldr.w r5, [r1, #20 + " taps "]\n" \
    "smlad r10, r4, r2, r10\n" \
    "smlad r11, r4, r3, r11\n" \
    "smlad r12, r5, r2, r12\n" \
    "smlad lr, r5, r3, lr\n"

// Four taps, the turn-th of eight.
#define FOUR(turn) TWO("16 * " #turn, "32 * " #turn) TWO("8 + 16 * " #turn, "8 + 32 * " #turn)

// r2, r3, r4: outputs of both positions, the first one's end.
#define STORE \
    "ldm   sp, {r0, r2, r3, r4, r5}\n" \
    "strb  r6, [r2], #1\n" \
    "strb  r8, [r2], #1\n" \
    "strb  r10, [r2], #1\n" \
    "strb  r12, [r2], #1\n" \
    "strb  r7, [r3], #1\n" \
    "strb  r9, [r3], #1\n" \
    "strb  r11, [r3], #1\n" \
    "strb  lr, [r3], #1\n" \
    "str   r2, [sp, #4]\n" \
    "str   r3, [sp, #8]\n" \
    "cmp   r2, r4\n" \
    "bne.w 0b\n"

// r0: window; r1: stream; r6, r8, r10, r12: sums of four channels at the first position; r7, r9,
// r11, lr: at the second; r2, r3: pairs of the window; r4, r5: of the filters. [sp]: begin, both
// outputs, the first one's end, skip, enter, after, finish, window_end.
//
// Fours modulo 8 decide where the loop is entered: some of its eight turns are left out, none
// where fours are a multiple of 8. `begin` lies as many before the window, and `skip` bytes lead
// from a channel's starts to as many before its taps, because turns have fixed offsets.
TFLM_ASSEMBLY void tflm_dsp_wide(tflm_dsp_wide_t *wide, int8_t *output0, int8_t *output1) {
    __asm__ volatile(
        "push  {r4-r11, lr}\n"
        "ldr   r3, [r0, #24]\n"
        "cbnz  r3, 9f\n"              // a later call
        "ldr   r3, [r0]\n"
        "ldr   r8, [r0, #28]\n"
        "sub   r8, r8, r3\n"
        "lsrs  r8, r8, #4\n"          // fours
        "rsb   r4, r8, #0\n"
        "and   r4, r4, #7\n"          // turns that are left out
        "sub   r3, r3, r4, lsl #4\n"
        "movs  r5, #16\n"
        "sub   r5, r5, r4, lsl #5\n"
        "strd  r3, r5, [r0, #8]\n"
        "movs  r5, #104\n"
        "adr.w r6, 3f\n"
        "mla   r6, r4, r5, r6\n"
        "orr   r6, r6, #1\n"
        "ldr   r4, [r0, #36]\n"       // form
        "adr.w r7, 4f\n"
        "cmp   r4, #4\n"
        "it    eq\n"
        "adreq.w r7, 5f\n"
        "it    gt\n"
        "adrgt.w r7, 6f\n"
        "orr   r7, r7, #1\n"
        "mov   r5, r7\n"
        "cmp   r8, #8\n"              // up to eight need no look at the window's end
        "it    gt\n"
        "adrgt.w r5, 2f\n"
        "orr   r5, r5, #1\n"
        "strd  r6, r5, [r0, #16]\n"
        "str   r7, [r0, #24]\n"
        "9:\n"
        "ldrd  r4, r3, [r0, #4]\n"    // channels, begin
        "add   r4, r4, r1\n"
        "add   r0, r0, #12\n"
        "ldm   r0, {r5, r6, r7, r8, r9, r10}\n"
        "mov   r0, r3\n"
        "mov   r3, r2\n"
        "mov   r2, r1\n"
        "mov   r1, r10\n"
        "push  {r0, r2, r3, r4, r5, r6, r7, r8, r9}\n"
        // Four channels; r0: begin, r5: skip.
        "0:\n"
        "ldm   r1, {r6, r8, r10, r12}\n"
        "add   r1, r1, r5\n"
        "mov   r7, r6\n"
        "mov   r9, r8\n"
        "mov   r11, r10\n"
        "mov   lr, r12\n"
        "ldr.w pc, [sp, #20]\n"       // into 3
        ".balign 4\n"
        "3:\n"
        FOUR(0) FOUR(1) FOUR(2) FOUR(3) FOUR(4) FOUR(5) FOUR(6) FOUR(7)
        "adds  r0, r0, #128\n"
        "add   r1, r1, #256\n"
        "ldr.w pc, [sp, #24]\n"       // to 2, 4, 5 or 6
        ".balign 4\n"
        "2:\n"
        "ldr   r2, [sp, #32]\n"
        "cmp   r0, r2\n"
        "bne.w 3b\n"
        "ldr.w pc, [sp, #28]\n"       // to 4, 5 or 6
        ".balign 4\n"
        "4:\n"
        TFLM_DSP_EXACT_CHANNEL("r6", "r7")
        TFLM_DSP_EXACT_CHANNEL("r8", "r9")
        TFLM_DSP_EXACT_CHANNEL("r10", "r11")
        TFLM_DSP_EXACT_CHANNEL("r12", "lr")
        STORE
        "b.w   7f\n"
        ".balign 4\n"
        "5:\n"
        TFLM_DSP_LINEAR_CHANNELS("r6", "r7", "r8", "r9", "4")
        TFLM_DSP_LINEAR_CHANNELS("r10", "r11", "r12", "lr", "4")
        STORE
        "b.w   7f\n"
        ".balign 4\n"
        "6:\n"
        TFLM_DSP_LINEAR_CHANNELS("r6", "r7", "r8", "r9", "8")
        TFLM_DSP_LINEAR_CHANNELS("r10", "r11", "r12", "lr", "8")
        STORE
        "7:\n"
        "add   sp, sp, #36\n"
        "pop   {r4-r11, pc}\n");
}

#else

// The sum of one of four channels at one position.
static uint32_t dot(
    const tflm_dsp_wide_t *wide, const int32_t *stream, int32_t channel, int32_t slot) {
    const int16_t *x = wide->window + slot * TFLM_SLOT;
    const uint32_t *taps =
        (const uint32_t *)stream + TFLM_WIDE_CHANNELS + (channel & 1) + (channel & 2) * 2;
    uint32_t sum = (uint32_t)stream[channel];
    for (; x < wide->window_end; x += TFLM_FOUR, taps += 2 * TFLM_WIDE_CHANNELS) {
        uint32_t even, odd;
        memcpy(&even, x, sizeof(even));
        memcpy(&odd, x + TFLM_ODD, sizeof(odd));
        sum = tflm_smlad(odd, taps[2], tflm_smlad(even, taps[0], sum));
    }
    return sum;
}

void tflm_dsp_wide(tflm_dsp_wide_t *wide, int8_t *output0, int8_t *output1) {
    const int32_t fours = (int32_t)(wide->window_end - wide->window) / TFLM_FOUR;
    const int32_t words = wide->form == TFLM_EXACT ? 3 : 2;
    const int32_t *stream = wide->stream;
    for (int32_t c = 0; c < wide->channels; c++) {
        const int32_t i = c % TFLM_WIDE_CHANNELS;
        const int32_t *factors = stream + TFLM_WIDE_CHANNELS * (1 + 2 * fours) + i * words;
        const int32_t right = words == 3 ? factors[2] : 0;
        const tflm_dsp_channel_t channel = {0, factors[0], factors[1], right};
        output0[c] = tflm_dsp_finish(dot(wide, stream, i, 0), &channel, wide->form);
        output1[c] = tflm_dsp_finish(dot(wide, stream, i, 1), &channel, wide->form);
        stream += i == TFLM_WIDE_CHANNELS - 1 ? tflm_dsp_wide_step(fours, wide->form) : 0;
    }
}

#endif
