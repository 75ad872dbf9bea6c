// From an accumulator to an int8 output on a core whose products have 32 bits.
#ifndef TFLM_ARMV6M_FINISH_H
#define TFLM_ARMV6M_FINISH_H

#include "channels.h"

// Half a unit and the output's offset, before a right shift of the channel makes them so.
static inline int32_t tflm_m0_rounding(int32_t output_offset) {
    return (int32_t)(2 * (uint32_t)output_offset + 1);
}

// With sum = ah * 2^15 + al and multiplier = mh * 2^16 + ml:
// sum * multiplier / 2^31 = ah * mh + (al * mh + (ah * ml + al * ml / 2^15) / 2) / 2^15.
// Floors of floors are the floor of the whole. |ah| <= 2^13, so all sums stay below 2^31.
// Rounding: nearest and up in the first step, as the bit that the last shift drops says; away
// from zero in the second, which is adding half and rounding down, one less for negative numbers.
// rounding: see tflm_m0_rounding().
static inline int32_t tflm_m0_scale(
    int32_t sum, const tflm_m0_channel_t *channel, int32_t rounding) {
    const int32_t ah = sum >> 15;
    const int32_t al = sum & 0x7FFF;
    const int32_t mh = channel->multiplier >> 16;
    const int32_t ml = channel->multiplier & 0xFFFF;
    const int32_t middle =
        al * mh + ((ah * ml + (int32_t)((uint32_t)al * (uint32_t)ml >> 15)) >> 1);
    const int32_t high = ah * mh + (middle >> 15) + (middle >> 14 & 1);
    const int32_t half = (int32_t)((uint32_t)rounding << channel->right) >> 1;
    return tflm_wrapping_add(high + (high >> 31), half) >> channel->right;
}

static inline int8_t tflm_m0_finish(
    uint32_t sum, const tflm_m0_channel_t *channel, const tflm_range_t *range) {
    const int32_t rounding = tflm_m0_rounding(range->offset);
    const int32_t y = tflm_m0_scale((int32_t)sum, channel, rounding);
    return (int8_t)tflm_clamp(y, range->minimum, range->maximum);
}

// The linear form: the whole stays inside 32 bits, though not each step.
static inline int8_t tflm_m0_finish_linear(uint32_t sum, const tflm_m0_linear_t *channel) {
    const int32_t limit = channel->limit;
    const uint32_t x = (uint32_t)tflm_clamp((int32_t)sum, -limit, limit);
    const uint32_t low = (uint32_t)((int32_t)(x * (uint32_t)channel->low) >> 12);
    const uint32_t y = x * (uint32_t)channel->high + low + (uint32_t)channel->addend;
    return (int8_t)((int32_t)y >> 23);
}

// Any form. Out of line: on a Cortex-M0 it is called where nothing faster is right.
int8_t tflm_m0_output(tflm_m0_form_t form, uint32_t sum, const tflm_m0_channel_t *channel,
    const tflm_range_t *range);

// Both in assembly, as macros. EXACT_LOAD, LINEAR_LOAD: the constants of the channel in r1 into
// registers r2-r6; \rounding, \channel: where the stack holds those words. EXACT_SCALE,
// LINEAR_SCALE: sum in r0 -> output in r4, clamped; the exact one with minimum in r12, maximum in
// lr, and clobbers r1 and r2. MULS leaves the carry alone. EXACT_CLAMP, LINEAR_CLAMP: what the
// EXACT_SCALE of the same number has aside, 256 bytes away at most; of the PAIRs numbers 1 and 2.
#define TFLM_M0_FINISH_MACROS \
    ".macro EXACT_LOAD rounding\n" \
    "    ldrh r2, [r1, #8]\n"    /* ml */ \
    "    ldrh r3, [r1, #10]\n"   /* mh */ \
    "    ldr  r5, [r1, #12]\n"   /* right */ \
    "    ldr  r6, [sp, #\\rounding]\n" \
    "    lsls r6, r6, r5\n" \
    "    asrs r6, r6, #1\n"      /* half */ \
    ".endm\n" \
    ".macro EXACT_SCALE id\n" \
    "    asrs r1, r0, #15\n"     /* ah */ \
    "    lsls r0, r0, #17\n" \
    "    lsrs r0, r0, #17\n"     /* al */ \
    "    movs r4, r2\n" \
    "    muls r4, r0\n" \
    "    lsrs r4, r4, #15\n" \
    "    muls r2, r1\n" \
    "    adds r4, r4, r2\n" \
    "    asrs r4, r4, #1\n" \
    "    muls r0, r3\n" \
    "    adds r4, r4, r0\n"      /* middle */ \
    "    muls r1, r3\n" \
    "    asrs r4, r4, #15\n"     /* carry: bit 14 */ \
    "    adcs r4, r1\n"          /* high */ \
    "    asrs r0, r4, #31\n" \
    "    adds r4, r4, r0\n" \
    "    adds r4, r4, r6\n" \
    "    asrs r4, r5\n" \
    "    cmp  r4, r12\n" \
    "    blt  7\\id\\()1f\n" \
    "    cmp  r4, lr\n" \
    "    bgt  7\\id\\()2f\n" \
    "7\\id\\()3:\n" \
    ".endm\n" \
    ".macro EXACT_CLAMP id\n" \
    "7\\id\\()1:\n" \
    "    mov  r4, r12\n" \
    "    b    7\\id\\()3b\n" \
    "7\\id\\()2:\n" \
    "    mov  r4, lr\n" \
    "    b    7\\id\\()3b\n" \
    ".endm\n" \
    ".macro EXACT_CLAMPS\n"     /* at four positions */ \
    "    EXACT_CLAMP 1\n" \
    "    EXACT_CLAMP 2\n" \
    "    EXACT_CLAMP 3\n" \
    "    EXACT_CLAMP 4\n" \
    ".endm\n" \
    ".macro LINEAR_LOAD rounding\n" \
    "    adds r1, #8\n" \
    "    ldmia r1!, {r2, r3, r5, r6}\n" /* limit, high, low, addend */ \
    ".endm\n" \
    ".macro LINEAR_FORM\n"      /* of a sum within the limit */ \
    "    movs r4, r5\n" \
    "    muls r4, r0\n" \
    "    asrs r4, r4, #12\n" \
    "    muls r0, r3\n" \
    "    adds r4, r4, r0\n" \
    "    adds r4, r4, r6\n" \
    "    asrs r4, r4, #23\n" \
    ".endm\n" \
    ".macro LINEAR_SCALE id\n" \
    "    cmp  r0, r2\n" \
    "    bgt  7f\n" \
    "    cmn  r0, r2\n" \
    "    bge  8f\n" \
    "    rsbs r0, r2, #0\n" \
    "    b    8f\n" \
    "7:  movs r0, r2\n" \
    "8:\n" \
    "    LINEAR_FORM\n" \
    ".endm\n" \
    ".macro LINEAR_CLAMP id\n" \
    ".endm\n" \
    /* The linear form in fewer cycles, for four outputs or more of a channel: after a ReLU half of */ \
    /* the sums lie below -limit, and have one output. LINEAR_LEAST puts it into the high register */ \
    /* \least. LINEAR_BEYOND: what the LINEAR_WITHIN of the same number has aside. */ \
    ".macro LINEAR_AT id\n" \
    "6\\id\\()3:\n" \
    "    LINEAR_FORM\n" \
    "6\\id\\()4:\n" \
    ".endm\n" \
    ".macro LINEAR_LEAST least\n" \
    "    rsbs r0, r2, #0\n" \
    "    LINEAR_AT 0\n" \
    "    mov  \\least, r4\n" \
    ".endm\n" \
    ".macro LINEAR_WITHIN id\n" \
    "    cmn  r0, r2\n" \
    "    blt  6\\id\\()1f\n" \
    "    cmp  r0, r2\n" \
    "    bgt  6\\id\\()2f\n" \
    "    LINEAR_AT \\id\n" \
    ".endm\n" \
    ".macro LINEAR_BEYOND id, least\n" \
    "6\\id\\()1:\n" \
    "    mov  r4, \\least\n" \
    "    b    6\\id\\()4b\n" \
    "6\\id\\()2:\n" \
    "    movs r0, r2\n" \
    "    b    6\\id\\()3b\n" \
    ".endm\n" \
    /* Sums in r0 and \second (not r0-r6) -> outputs in r8 and r4, the next channel in r1. */ \
    ".macro EXACT_PAIR second, rounding, channel\n" \
    "    EXACT_LOAD \\rounding\n" \
    "    mov  r8, r2\n" \
    "    EXACT_SCALE 1\n" \
    "    mov  r2, r8\n" \
    "    mov  r8, r4\n" \
    "    mov  r0, \\second\n" \
    "    EXACT_SCALE 2\n" \
    "    ldr  r1, [sp, #\\channel]\n" \
    "    adds r1, #16\n" \
    ".endm\n" \
    ".macro LINEAR_PAIR second, rounding, channel\n" \
    "    LINEAR_LOAD \\rounding\n" \
    "    LINEAR_SCALE 1\n" \
    "    mov  r8, r4\n" \
    "    mov  r0, \\second\n" \
    "    LINEAR_SCALE 2\n" \
    ".endm\n"

#endif
