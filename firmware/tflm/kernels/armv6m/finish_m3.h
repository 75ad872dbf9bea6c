// finish.h in assembly for a core with products of 64 bits.
#ifndef TFLM_ARMV6M_FINISH_M3_H
#define TFLM_ARMV6M_FINISH_M3_H

#include "finish.h"

_Static_assert(offsetof(tflm_m0_channel_t, multiplier) == 8, "read by assembly");
_Static_assert(offsetof(tflm_m0_linear_t, limit) == 8, "read by assembly");

// EXACT_LOAD, LINEAR_LOAD: the constants of the channel \at bytes behind \channel into r2-r5.
// EXACT_SCALE, LINEAR_SCALE: the sum in \sum (none of r2-r7) becomes the output; clobbers r5-r7. An
// exact output is clamped only to int8.
//
// Exact: 2 * sum * multiplier + 2^31 has in its upper word what tflm_m0_scale() calls `high`, and
// half is added there, too. The sign of the sum stands for that of `high`: they differ where it
// is 0, and then it makes no difference, as half less one is rounded down to the same.
#define TFLM_M3_FINISH_MACROS \
    ".macro EXACT_LOAD channel, at, rounding\n" \
    "    ldrd r2, r3, [\\channel, #\\at + 8]\n" /* multiplier, right */ \
    "    lsl  r4, \\rounding, r3\n" \
    "    asrs r4, r4, #1\n"              /* half */ \
    ".endm\n" \
    ".macro EXACT_SCALE sum\n" \
    "    lsl  r5, \\sum, #1\n" \
    "    mov  r6, #0x80000000\n" \
    "    add  r7, r4, \\sum, asr #31\n" \
    "    smlal r6, r7, r5, r2\n" \
    "    asrs r7, r3\n" \
    "    ssat \\sum, #8, r7\n" \
    ".endm\n" \
    ".macro LINEAR_LOAD channel, at, rounding\n" \
    "    ldrd r2, r3, [\\channel, #\\at + 8]\n"  /* limit, high */ \
    "    ldrd r4, r5, [\\channel, #\\at + 16]\n" /* low, addend */ \
    ".endm\n" \
    ".macro LINEAR_SCALE sum\n" \
    "    cmn  \\sum, r2\n" \
    "    bge  7f\n" \
    "    rsb  \\sum, r2, #0\n" \
    "    b    8f\n" \
    "7:  cmp  \\sum, r2\n" \
    "    ble  8f\n" \
    "    mov  \\sum, r2\n" \
    "8:  mul  r6, \\sum, r4\n" \
    "    mla  r7, \\sum, r3, r5\n" \
    "    add  r7, r7, r6, asr #12\n" \
    "    asr  \\sum, r7, #23\n" \
    ".endm\n" \
    /* Clamps an exact output to minimum and maximum, in r2 and r3. */ \
    ".macro CLAMP output\n" \
    "    cmp  \\output, r2\n" \
    "    it   lt\n" \
    "    movlt \\output, r2\n" \
    "    cmp  \\output, r3\n" \
    "    it   gt\n" \
    "    movgt \\output, r3\n" \
    ".endm\n"

#endif
