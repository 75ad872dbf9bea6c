// The high multiply of fixed-point arithmetic.
#ifndef TFLM_HIGH_MUL_H
#define TFLM_HIGH_MUL_H

#include <stdint.h>

// SaturatingRoundingDoublingHighMul: a * b / 2^31, nearest, ties up.
// a and b are not both INT32_MIN, the only pair that would saturate.
#if defined(__ARM_ARCH_6M__)

// A Cortex-M0 multiplies 32 by 32 bits to 32. With a = ah * 2^16 + al, b likewise, no step leaves
// 32 bits: |ah * bl| <= 2^31 - 2^15 and the carries that join it are below 2^16; the same for
// al * bh.
static inline int32_t tflm_high_mul(int32_t a, int32_t b) {
    const int32_t ah = a >> 16, bh = b >> 16;
    const uint32_t al = (uint32_t)a & 0xFFFF, bl = (uint32_t)b & 0xFFFF;
    const int32_t t = ah * (int32_t)bl + (int32_t)(al * bl >> 16);
    const int32_t u = (int32_t)al * bh + (t & 0xFFFF);
    const uint32_t high = (uint32_t)(ah * bh) + (uint32_t)(t >> 16) + (uint32_t)(u >> 16);
    return (int32_t)((high << 1) + ((((uint32_t)u & 0xFFFF) + 0x4000) >> 15));
}

#else

static inline int32_t tflm_high_mul(int32_t a, int32_t b) {
    return (int32_t)(((int64_t)a * b + (1 << 30)) >> 31);
}

#endif

#endif
