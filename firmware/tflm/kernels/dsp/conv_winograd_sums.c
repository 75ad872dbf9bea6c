#include "conv_winograd_sums.h"

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

#include <stddef.h>

_Static_assert(offsetof(tflm_dsp_tiles_t, fours) == 4 && offsetof(tflm_dsp_tiles_t, stream) == 8
    && offsetof(tflm_dsp_tiles_t, channels) == 12 && offsetof(tflm_dsp_tiles_t, form) == 16
    && offsetof(tflm_dsp_tiles_t, outputs) == 20,
    "the order in the code below");

// Two terms of four channels at two pairs: 56 bytes. Loads after each other share a cycle.
#define TWO(input, filter) \
    "ldr.w r2, [r0, #" input "]\n" \
    "ldr.w r3, [r0, #4 + " input "]\n" \
    "ldr.w r4, [r1, #" filter "]\n" \
    "ldr.w r5, [r1, #4 + " filter "]\n" \
    "smlad r6, r4, r2, r6\n" \
    "smlad r7, r4, r3, r7\n" \
    "smlad r8, r5, r2, r8\n" \
    "smlad r9, r5, r3, r9\n" \
    "ldr.w r4, [r1, #8 + " filter "]\n" \
    "ldr.w r5, [r1, #12 + " filter "]\n" \
    "smlad r10, r4, r2, r10\n" \
    "smlad r11, r4, r3, r11\n" \
    "smlad r12, r5, r2, r12\n" \
    "smlad lr, r5, r3, lr\n"

// Four terms, the turn-th of six.
#define FOUR(turn) TWO("64 * " #turn, "32 * " #turn) TWO("8 + 64 * " #turn, "16 + 32 * " #turn)

// Goes to the loop for one kind of terms, and afterwards to `label`.
#define RUN(kind, label) \
    "ldrd  r0, r2, [sp, #64]\n" \
    "adr.w r4, " label "\n" \
    "orr   r4, r4, #1\n" \
    "add   r0, r0, #16 * " kind "\n" \
    "add   r2, r2, r0\n" \
    "str   r2, [sp, #8]\n" \
    "str   r4, [sp]\n" \
    "ldr.w pc, [sp, #72]\n"

// Makes sum and difference of m1, which is saved, and m2.
#define BOTH(saved, a, b) \
    "ldrd  r2, r3, [sp, #" saved "]\n" \
    "add   r4, r2, " a "\n" \
    "sub   " a ", r2, " a "\n" \
    "add   r5, r3, " b "\n" \
    "sub   " b ", r3, " b "\n" \
    "strd  r4, r5, [sp, #" saved "]\n"

// Goes to make outputs of the sums, and afterwards to `label`.
#define FINISH(label) \
    "str   r1, [sp, #4]\n" \
    "adr.w r2, " label "\n" \
    "orr   r2, r2, #1\n" \
    "ldr   r1, [sp, #80]\n" \
    "str   r2, [sp]\n" \
    "ldr.w pc, [sp, #76]\n"

// Stores the second pair's outputs before the first one's.
#define STORE(outputs) \
    "ldrd  r2, r3, [sp, #" outputs "]\n" \
    "strb  r7, [r3], #1\n" \
    "strb  r9, [r3], #1\n" \
    "strb  r11, [r3], #1\n" \
    "strb  lr, [r3], #1\n" \
    "strb  r6, [r2], #1\n" \
    "strb  r8, [r2], #1\n" \
    "strb  r10, [r2], #1\n" \
    "strb  r12, [r2], #1\n" \
    "strd  r2, r3, [sp, #" outputs "]\n"

// r0: terms of the input; r1: stream; r6, r8, r10, r12: sums of four channels at the first pair; r7,
// r9, r11, lr: at the second; r2, r3: pairs of the input's terms; r4, r5: of the filter's. The stack:
//
//      0 where to go after the loop    4 r1 while outputs are made    8 end of these terms
//     16 eight sums                     48 pointers to outputs         64 the input's terms
//     68 bytes of them                  72 where the loop begins       76 how outputs are made
//     80 factors                        84 end of the first output     88 bytes of the factors
TFLM_ASSEMBLY void tflm_dsp_tiles(const tflm_dsp_tiles_t *tiles) {
    __asm__ volatile(
        "push  {r4-r11, lr}\n"
        "sub   sp, sp, #92\n"
        "ldm   r0, {r1, r2, r3, r4, r5, r6, r7, r8, r9}\n"
        "strd  r6, r7, [sp, #48]\n"
        "strd  r8, r9, [sp, #56]\n"
        "add   r4, r4, r6\n"
        "str   r4, [sp, #84]\n"
        "adr.w r6, 3f\n"
        "tst   r2, #1\n"             // three turns more than a multiple of six
        "it    ne\n"
        "adrne.w r6, 2f\n"
        "lsl   r2, r2, #6\n"
        "strd  r1, r2, [sp, #64]\n"
        "movs  r8, #32\n"
        "adr.w r7, 4f\n"
        "cmp   r5, #4\n"
        "it    eq\n"
        "adreq.w r7, 5f\n"
        "it    gt\n"
        "adrgt.w r7, 6f\n"
        "it    lt\n"
        "movlt r8, #48\n"
        "orr   r6, r6, #1\n"
        "orr   r7, r7, #1\n"
        "strd  r6, r7, [sp, #72]\n"
        "str   r8, [sp, #88]\n"
        "mov   r1, r3\n"
        "b.w   0f\n"
        ".balign 4\n"
        "2:\n"
        "sub   r0, r0, #192\n"
        "subs  r1, r1, #96\n"
        "b.n   7f\n"
        ".balign 4\n"
        "3:\n"
        FOUR(0) FOUR(1) FOUR(2)
        "7:\n"
        FOUR(3) FOUR(4) FOUR(5)
        "ldr   r2, [sp, #8]\n"
        "add   r0, r0, #384\n"
        "adds  r1, r1, #192\n"
        "cmp   r0, r2\n"
        "bne.w 3b\n"
        "ldr.w pc, [sp]\n"
        ".balign 4\n"
        // Four channels.
        "0:\n"
        "ldm   r1!, {r6, r8, r10, r12}\n"
        "ldr   r2, [sp, #88]\n"
        "str   r1, [sp, #80]\n"
        "add   r1, r1, r2\n"
        "mov   r7, r6\n"
        "mov   r9, r8\n"
        "mov   r11, r10\n"
        "mov   lr, r12\n"
        RUN("0", "11f")
        ".balign 4\n"
        "11:\n"
        "add   r2, sp, #16\n"
        "stm   r2, {r6, r7, r8, r9, r10, r11, r12, lr}\n"
        "movs  r6, #0\n"
        "movs  r7, #0\n"
        "mov   r8, r6\n"
        "mov   r9, r6\n"
        "mov   r10, r6\n"
        "mov   r11, r6\n"
        "mov   r12, r6\n"
        "mov   lr, r6\n"
        RUN("1", "12f")
        ".balign 4\n"
        "12:\n"
        BOTH("16", "r6", "r7") BOTH("24", "r8", "r9") BOTH("32", "r10", "r11")
        BOTH("40", "r12", "lr")
        RUN("2", "13f")
        ".balign 4\n"
        "13:\n"
        FINISH("14f")
        ".balign 4\n"
        "14:\n"
        STORE("56")
        "ldr   r1, [sp, #4]\n"
        "add   r2, sp, #16\n"
        "ldm   r2, {r6, r7, r8, r9, r10, r11, r12, lr}\n"
        RUN("3", "15f")
        ".balign 4\n"
        "15:\n"
        FINISH("16f")
        ".balign 4\n"
        "16:\n"
        STORE("48")
        "ldr   r3, [sp, #84]\n"
        "ldr   r1, [sp, #4]\n"
        "cmp   r2, r3\n"
        "bne.w 0b\n"
        "add   sp, sp, #92\n"
        "pop   {r4-r11, pc}\n"
        ".balign 4\n"
        "4:\n"
        TFLM_DSP_EXACT_CHANNEL("r6", "r7")
        TFLM_DSP_EXACT_CHANNEL("r8", "r9")
        TFLM_DSP_EXACT_CHANNEL("r10", "r11")
        TFLM_DSP_EXACT_CHANNEL("r12", "lr")
        "ldr.w pc, [sp]\n"
        ".balign 4\n"
        "5:\n"
        TFLM_DSP_LINEAR_CHANNELS("r6", "r7", "r8", "r9", "4")
        TFLM_DSP_LINEAR_CHANNELS("r10", "r11", "r12", "lr", "4")
        "ldr.w pc, [sp]\n"
        ".balign 4\n"
        "6:\n"
        TFLM_DSP_LINEAR_CHANNELS("r6", "r7", "r8", "r9", "8")
        TFLM_DSP_LINEAR_CHANNELS("r10", "r11", "r12", "lr", "8")
        "ldr.w pc, [sp]\n");
}

#else

// One kind of terms of one channel at one pair.
static uint32_t dot(
    const tflm_dsp_tiles_t *tiles, int32_t kind, int32_t pair, const uint32_t *tap) {
    const uint32_t *x = tiles->terms + kind * TFLM_KIND_WORDS + pair;
    uint32_t sum = 0;
    tap += kind * tiles->fours * 2 * TFLM_TILE_CHANNELS;
    for (int32_t i = 0; i < tiles->fours; i++, x += TFLM_FOUR_WORDS) {
        sum = tflm_smlad(x[0], tap[0], sum);
        sum = tflm_smlad(x[TFLM_TILES], tap[TFLM_TILE_CHANNELS], sum);
        tap += 2 * TFLM_TILE_CHANNELS;
    }
    return sum;
}

void tflm_dsp_tiles(const tflm_dsp_tiles_t *tiles) {
    const int32_t words = tiles->form == TFLM_EXACT ? 3 : 2;
    const int32_t *stream = tiles->stream;
    for (int32_t c = 0; c < tiles->channels; c++) {
        const int32_t i = c % TFLM_TILE_CHANNELS;
        const int32_t *factors = stream + TFLM_TILE_CHANNELS + i * words;
        const uint32_t *taps = (const uint32_t *)stream + TFLM_TILE_CHANNELS * (1 + words) + i;
        const int32_t right = words == 3 ? factors[2] : 0;
        const tflm_dsp_channel_t channel = {0, factors[0], factors[1], right};
        for (int32_t pair = TFLM_TILES - 1; pair >= 0; pair--) {
            const uint32_t m1 = (uint32_t)stream[i] + dot(tiles, 0, pair, taps);
            const uint32_t m2 = dot(tiles, 1, pair, taps);
            const uint32_t second = m1 - m2 + dot(tiles, 2, pair, taps);
            const uint32_t first = m1 + m2 + dot(tiles, 3, pair, taps);
            tiles->outputs[2 + pair][c] = tflm_dsp_finish(second, &channel, tiles->form);
            tiles->outputs[pair][c] = tflm_dsp_finish(first, &channel, tiles->form);
        }
        stream += i == TFLM_TILE_CHANNELS - 1 ? tflm_dsp_tiles_step(tiles->fours, tiles->form) : 0;
    }
}

#endif
