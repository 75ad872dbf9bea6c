// From a float32 to the steps of a quantized number.
#ifndef TFLM_QUANTIZE_F32_H
#define TFLM_QUANTIZE_F32_H

#include "float32.h"

// Rounds to the nearest integer, ties away from zero. What lies beyond +-2^30 saturates there,
// and NaN is 0: TFLM leaves both undefined.
static inline int32_t tflm_round_away(float x) {
#if TFLM_HAS_FPU
    // Twice x, towards zero; the conversion saturates, and makes NaN 0.
    int32_t twice, positive;  // 0 where it is negative
    __asm__("vcvt.s32.f32 %0, %0, #1" : "+t" (x));
    __asm__("vmov %0, %1" : "=r" (twice) : "t" (x));
    __asm__("bic %0, %1, %1, asr #31" : "=r" (positive) : "r" (twice));
    return (twice >> 1) + (positive & 1);
#else
    const uint32_t bits = (uint32_t)tflm_bits(x), fraction = bits & 0x7FFFFF;
    const int32_t exponent = (int32_t)(bits >> 23 & 255), shift = 150 - exponent;
    uint32_t size = 1u << 30;
    if (shift > 24 || (exponent == 255 && fraction != 0)) {
        return 0;
    }
    if (shift > 0) {
        size = ((fraction | 1u << 23) + (1u << (shift - 1))) >> shift;
    } else if (shift > -7) {
        size = (fraction | 1u << 23) << -shift;
    }
    return bits >> 31 ? -(int32_t)size : (int32_t)size;
#endif
}

#endif
