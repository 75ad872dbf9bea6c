#include "conv_depthwise_rows.h"

// A plane is read from its start while sums are written there, which are fewer. Those of windows
// that begin before the first column are worth nothing and lie before the others; the same holds
// for up to two behind the last one.

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

#include <stddef.h>

#define OFFSET(field, bytes) (offsetof(tflm_dsp_fours_t, field) == (bytes))

_Static_assert(OFFSET(input, 4) && OFFSET(second, 8) && OFFSET(third, 12) && OFFSET(step, 16)
    && OFFSET(whole, 20) && OFFSET(offsets, 24) && OFFSET(odd, 28) && OFFSET(pairs, 32)
    && OFFSET(lanes, 36) && OFFSET(sums, 40) && OFFSET(output, 44) && OFFSET(depth, 48)
    && OFFSET(sums_end, 52) && OFFSET(factors, 56) && OFFSET(way, 60) && OFFSET(form, 64)
    && OFFSET(groups, 68) && OFFSET(lanes_step, 72) && OFFSET(factors_step, 76)
    && OFFSET(filter, 80) && OFFSET(room, 84) && OFFSET(source, 88)
    && OFFSET(source_step, 92) && OFFSET(pairs_inside, 96) && OFFSET(last_inside, 100) && sizeof(tflm_lane_t) == 24
    && TFLM_PLANE * 4 == 156,
    "the numbers in the code below");

// Four channels of a column: rows to r8, r10 and `last`.
#define COLUMN(last) \
    "ldr   r8, [r1]\n" \
    "ldr   r10, [r1, r2]\n" \
    "ldr   " last ", [r1, r3]\n"

// A byte of each row of a column.
#define BYTES(first, second, third) \
    "ldrsb " first ", [r1]\n" \
    "ldrsb " second ", [r1, r2]\n" \
    "ldrsb " third ", [r1, r3]\n"

// Adds the offsets: channels 0 and 2 to `even`, 1 and 3 to `odd`, of which one may be `word`.
#define WIDEN(word, even, odd) \
    "sxtab16 " even ", r6, " word "\n" \
    "sxtab16 " odd ", r6, " word ", ror #8\n"

// Pairs of two widened words: channels 0, 1, 2, 3.
#define FIRST_ROWS(c0, c1, c2, c3) \
    WIDEN("r8", "r7", "r8") \
    WIDEN("r10", "r9", "r10") \
    "pkhbt lr, r7, r9, lsl #16\n" \
    "pkhtb r9, r9, r7, asr #16\n" \
    "pkhbt r7, r8, r10, lsl #16\n" \
    "pkhtb r10, r10, r8, asr #16\n" \
    "str   lr, [r0" c0 "\n" \
    "str   r7, [r0, #" c1 "]\n" \
    "str   r9, [r0, #" c2 "]\n" \
    "str   r10, [r0, #" c3 "]\n"

#define LAST_ROW(c0, c1, c2, c3) \
    "str   " c0 ", [r0, #8]\n" \
    "str   " c1 ", [r0, #164]\n" \
    "str   " c2 ", [r0, #320]\n" \
    "str   " c3 ", [r0, #476]\n"

// A channel, whose plane and lane r0 and r12 come to by `plane` and `lane`: r1: its sums;
// lr: pairs; r2..r6: taps; r7: start.
#define LANE(plane, lane) \
    "ldr   r12, [sp]\n" \
    "ldr   lr, [r12, #32]\n" \
    "ldr   r0, [r12]\n" \
    "ldr   r12, [r12, #36]\n" \
    lane \
    "ldm   r12, {r2, r3, r4, r5, r6, r7}\n" \
    plane \
    "sub   r1, r0, #8\n"

// Both sums of r8 and r9 end at a pair of columns, and two others begin.
#define BY_ONE(plane, lane) \
    LANE(plane, lane) \
    "mov   r9, r7\n" \
    "1:\n" \
    "ldmia r0!, {r10, r11, r12}\n" \
    "smlad r8, r10, r4, r8\n" \
    "smlabt r8, r12, r6, r8\n" \
    "str   r8, [r1], #4\n" \
    "smlad r9, r10, r3, r9\n" \
    "smlad r9, r11, r4, r9\n" \
    "smlad r9, r12, r6, r9\n" \
    "str   r9, [r1], #4\n" \
    "smlad r8, r10, r2, r7\n" \
    "smlad r8, r11, r3, r8\n" \
    "smlad r8, r12, r5, r8\n" \
    "smlad r9, r11, r2, r7\n" \
    "smlatb r9, r12, r5, r9\n" \
    "subs  lr, lr, #1\n" \
    "bne   1b\n" \
    "str   r8, [r1]\n" \
    "str   r9, [r1, #4]\n"

// The sum of r8 ends, by END, and another one begins.
#define BY_TWO(plane, lane, end) \
    LANE(plane, lane) \
    "mov   r8, r7\n" \
    "1:\n" \
    "ldmia r0!, {r10, r11, r12}\n" \
    end \
    "subs  lr, lr, #1\n" \
    "bne   1b\n" \
    "str   r8, [r1]\n"

#define EVEN \
    "smlad r8, r10, r4, r8\n" \
    "smlabt r8, r12, r6, r8\n" \
    "str   r8, [r1], #4\n" \
    "smlad r8, r10, r2, r7\n" \
    "smlad r8, r11, r3, r8\n" \
    "smlad r8, r12, r5, r8\n"

#define ODD \
    "smlad r8, r10, r3, r8\n" \
    "smlad r8, r11, r4, r8\n" \
    "smlad r8, r12, r6, r8\n" \
    "str   r8, [r1], #4\n" \
    "smlad r8, r11, r2, r7\n" \
    "smlatb r8, r12, r5, r8\n"

#define BY_TWO_EVEN(plane, lane) BY_TWO(plane, lane, EVEN)
#define BY_TWO_ODD(plane, lane) BY_TWO(plane, lane, ODD)

#define ALL(way) \
    way("", "") \
    way("add r0, r0, #156\n", "add r12, r12, #24\n") \
    way("add r0, r0, #312\n", "add r12, r12, #48\n") \
    way("add r0, r0, #468\n", "add r12, r12, #72\n")

// Two channels' outputs from their sums at r0 on, up to r3.
#define EXACT \
    "ldm   r12, {r4, r5, r6, r7, r8, r9, r10, r11}\n" \
    "1:\n" \
    "ldr   r8, [r0, #156]\n" \
    "ldr   r4, [r0], #4\n" \
    "smmlar r12, r4, r5, r6\n" \
    "smmlar lr, r8, r9, r10\n" \
    "add   r4, r12, r4, asr #31\n" \
    "add   r8, lr, r8, asr #31\n" \
    "asr   r4, r4, r7\n" \
    "asr   r8, r8, r11\n" \
    "ssat  r4, #8, r4\n" \
    "ssat  r8, #8, r8\n" \
    "strb  r4, [r1]\n" \
    "strb  r8, [r1, #1]\n" \
    "add   r1, r1, r2\n" \
    "cmp   r0, r3\n" \
    "bne   1b\n"

#define LINEAR(sum, multiplier, addend) TFLM_DSP_LINEAR(sum, multiplier, addend, "8")

// Four channels' taps at `address`, doubled: channels 0 and 2 to `even`, 1 and 3 to `word`.
#define DOUBLE(even, word) \
    "sxtb16 " even ", " word "\n" \
    "sxtb16 " word ", " word ", ror #8\n" \
    "sadd16 " even ", " even ", " even "\n" \
    "sadd16 " word ", " word ", " word "\n"

// Words of four lanes at `at`, from two taps: r10 and r11 are lost.
#define TAPS(even, odd, next_even, next_odd, c0, c1, c2, c3) \
    "pkhbt r10, " even ", " next_even ", lsl #16\n" \
    "pkhbt r11, " odd ", " next_odd ", lsl #16\n" \
    "str   r10, [r0, #" c0 "]\n" \
    "str   r11, [r0, #" c1 "]\n" \
    "pkhtb r10, " next_even ", " even ", asr #16\n" \
    "pkhtb r11, " next_odd ", " odd ", asr #16\n" \
    "str   r10, [r0, #" c2 "]\n" \
    "str   r11, [r0, #" c3 "]\n"

// A column of the first two rows.
#define TAPS_OF_COLUMN(c0, c1, c2, c3) \
    "ldr   r6, [r1]\n" \
    "ldr   r7, [r1, r4]\n" \
    "add   r1, r1, r2\n" \
    DOUBLE("r8", "r6") \
    DOUBLE("r9", "r7") \
    TAPS("r8", "r6", "r9", "r7", c0, c1, c2, c3)

// Registers as in tflm_dsp_fours; lr: `odd`.
TFLM_ASSEMBLY void tflm_dsp_spread(const tflm_dsp_fours_t *fours) {
    __asm__ volatile(
        "push  {r4-r11, lr}\n"
        "ldm   r0, {r0, r1, r2, r3, r4, r5, r6, lr}\n"
        "cmp   r0, r5\n"
        "beq   2f\n"
        "1:\n"
        BYTES("r7", "r8", "r9")
        "add   r1, r1, r4\n"
        BYTES("r10", "r11", "r12")
        "add   r1, r1, r4\n"
        "pkhbt r10, r10, r11, lsl #16\n"
        "pkhbt r9, r9, r12, lsl #16\n"
        "sadd16 r10, r10, r6\n"
        "sadd16 r9, r9, r6\n"
        "3:\n"
        "pkhbt r7, r7, r8, lsl #16\n"
        "sadd16 r7, r7, r6\n"
        "str   r10, [r0, #4]\n"
        "str   r7, [r0, #156]\n"
        "str   r10, [r0, #160]\n"
        LAST_ROW("r9", "r9", "r9", "r9")
        "str   r7, [r0, #312]\n"
        "str   r10, [r0, #316]\n"
        "str   r7, [r0, #468]\n"
        "str   r10, [r0, #472]\n"
        "str   r7, [r0], #12\n"
        "cmp   r0, r5\n"
        "bne   1b\n"
        "2:\n"
        "cmp   lr, #0\n"
        "beq   4f\n"
        // The last column has none beside it.
        BYTES("r7", "r8", "r9")
        "sadd16 r9, r9, r6\n"
        "uxth  r9, r9\n"
        "mov   r10, #0\n"
        "mov   lr, #0\n"
        "add   r5, r5, #12\n"
        "b     3b\n"
        "4:\n"
        "pop   {r4-r11, pc}\n");
}

// [sp]: fours, which r12 is between the parts.
TFLM_ASSEMBLY void tflm_dsp_fours(tflm_dsp_fours_t *fours) {
    __asm__ volatile(
        "push  {r0, r4-r11, lr}\n"
        "mov   r12, r0\n"
        "0:\n"
        "ldr   r1, [r12, #80]\n"
        "cmp   r1, #0\n"
        "beq.w 10f\n"
        // The lanes of four channels at r0, from a filter at r1 of r2 channels, whose constants
        // are at r3; r4: a row of it.
        "ldr   r0, [r12, #84]\n"
        "ldr   r2, [r12, #48]\n"
        "ldr   r3, [r12, #56]\n"
        "add   r4, r1, #4\n"
        "str   r4, [r12, #80]\n"
        "add   r4, r2, r2, lsl #1\n"
        "add   r5, r1, r4, lsl #1\n"
        "ldr   r6, [r5]\n"
        "ldr   r7, [r5, r2]\n"
        "ldr   r12, [r5, r2, lsl #1]\n"
        DOUBLE("r8", "r6")
        DOUBLE("r9", "r7")
        DOUBLE("lr", "r12")
        TAPS("r8", "r6", "r9", "r7", "12", "36", "60", "84")
        TAPS("r9", "r7", "lr", "r12", "16", "40", "64", "88")
        TAPS_OF_COLUMN("0", "24", "48", "72")
        TAPS_OF_COLUMN("4", "28", "52", "76")
        TAPS_OF_COLUMN("8", "32", "56", "80")
        "ldr   r4, [r3]\n"
        "ldr   r5, [r3, #16]\n"
        "ldr   r6, [r3, #32]\n"
        "ldr   r7, [r3, #48]\n"
        "str   r4, [r0, #20]\n"
        "str   r5, [r0, #44]\n"
        "str   r6, [r0, #68]\n"
        "str   r7, [r0, #92]\n"
        "ldr   r12, [sp]\n"
        "10:\n"
        "ldr   r1, [r12, #88]\n"
        "cbz   r1, 12f\n"
        "ldr   r0, [r12, #84]\n"
        "ldr   r9, [r12, #96]\n"
        "ldr   r10, [r12, #100]\n"
        "add   r11, r0, #96\n"
        "11:\n"
        "ldmia r1!, {r2, r3, r4, r5, r6, r7}\n"
        "and   r2, r2, r9\n"
        "and   r3, r3, r9\n"
        "and   r4, r4, r9\n"
        "and   r5, r5, r10\n"
        "and   r6, r6, r10\n"
        "stmia r0!, {r2, r3, r4, r5, r6, r7}\n"
        "cmp   r0, r11\n"
        "bne   11b\n"
        "ldr   r2, [r12, #92]\n"
        "add   r1, r1, r2\n"
        "str   r1, [r12, #88]\n"
        "12:\n"
        "ldm   r12, {r0, r1, r2, r3, r4, r5, r6}\n"
        "cmp   r0, r5\n"
        "beq   2f\n"
        "1:\n"
        COLUMN("r12")
        WIDEN("r12", "r11", "r12")
        FIRST_ROWS("]", "156", "312", "468")
        "add   r1, r1, r4\n"
        COLUMN("lr")
        "add   r1, r1, r4\n"
        WIDEN("lr", "r7", "r9")
        "pkhbt lr, r11, r7, lsl #16\n"
        "pkhtb r7, r7, r11, asr #16\n"
        "pkhbt r11, r12, r9, lsl #16\n"
        "pkhtb r9, r9, r12, asr #16\n"
        LAST_ROW("lr", "r11", "r7", "r9")
        "add   r0, r0, #12\n"
        FIRST_ROWS(", #-8]", "148", "304", "460")
        "cmp   r0, r5\n"
        "bne   1b\n"
        "2:\n"
        "ldr   r12, [sp]\n"
        "ldr   r5, [r12, #28]\n"
        "cbz   r5, 3f\n"
        COLUMN("r12")
        WIDEN("r12", "r11", "r12")
        FIRST_ROWS("]", "156", "312", "468")
        "uxth  r7, r11\n"
        "lsr   r11, r11, #16\n"
        "uxth  r9, r12\n"
        "lsr   r12, r12, #16\n"
        LAST_ROW("r7", "r9", "r11", "r12")
        "movs  r5, #0\n"
        "str   r5, [r0, #4]\n"
        "str   r5, [r0, #160]\n"
        "str   r5, [r0, #316]\n"
        "str   r5, [r0, #472]\n"
        "ldr   r12, [sp]\n"
        "3:\n"
        "ldr   r0, [r12, #60]\n"
        "cmp   r0, #1\n"
        "beq.w 4f\n"
        "bgt.w 5f\n"
        ALL(BY_ONE)
        "b.w   6f\n"
        "4:\n"
        ALL(BY_TWO_EVEN)
        "b.w   6f\n"
        "5:\n"
        ALL(BY_TWO_ODD)
        "6:\n"
        "ldr   r12, [sp]\n"
        "ldr   r4, [r12, #64]\n"
        "add   r12, r12, #40\n"
        "ldm   r12, {r0, r1, r2, r3, r12}\n"
        "cmp   r4, #0\n"
        "bne.w 7f\n"
        EXACT
        "ldr   r12, [sp]\n"
        "add   r12, r12, #40\n"
        "ldm   r12, {r0, r1, r2, r3, r12}\n"
        "add   r12, r12, #32\n"
        "add   r0, r0, #312\n"
        "adds  r1, r1, #2\n"
        "add   r3, r3, #312\n"
        EXACT
        "b     8f\n"
        "7:\n"
        "ldm   r12, {r4, r5, r6, r7, r8, r9, r10, r11}\n"
        "1:\n"
        "ldr   r12, [r0, #156]\n"
        "ldr   lr, [r0, #312]\n"
        LINEAR("r12", "r5", "r9")
        LINEAR("lr", "r6", "r10")
        "strb  r12, [r1, #1]\n"
        "strb  lr, [r1, #2]\n"
        "ldr   r12, [r0, #468]\n"
        "ldr   lr, [r0], #4\n"
        LINEAR("r12", "r7", "r11")
        LINEAR("lr", "r4", "r8")
        "strb  r12, [r1, #3]\n"
        "strb  lr, [r1]\n"
        "add   r1, r1, r2\n"
        "cmp   r0, r3\n"
        "bne   1b\n"
        "8:\n"
        "ldr   r12, [sp]\n"
        "ldr   r0, [r12, #68]\n"
        "subs  r0, r0, #1\n"
        "beq   9f\n"
        "str   r0, [r12, #68]\n"
        "ldr   r1, [r12, #4]\n"
        "ldr   r2, [r12, #36]\n"
        "ldr   r3, [r12, #44]\n"
        "ldr   r4, [r12, #56]\n"
        "ldr   r5, [r12, #72]\n"
        "ldr   r6, [r12, #76]\n"
        "adds  r1, r1, #4\n"
        "add   r2, r2, r5\n"
        "adds  r3, r3, #4\n"
        "add   r4, r4, r6\n"
        "str   r1, [r12, #4]\n"
        "str   r2, [r12, #36]\n"
        "str   r3, [r12, #44]\n"
        "str   r4, [r12, #56]\n"
        // The next ones need the same.
        "ldr   r7, [r12, #80]\n"
        "ldr   r8, [r12, #88]\n"
        "orrs  r7, r7, r8\n"
        "bne.w 0b\n"
        "b.w   12b\n"
        "9:\n"
        "pop   {r0, r4-r11, pc}\n");
}

#else

#include "conv_depthwise_rows_plain.h"

#endif
