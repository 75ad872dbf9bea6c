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

// A scale to divide by.
typedef struct {
    float scale;
    uint32_t inverse;  // 2^39 / its mantissa of 24 bits, 16 bits
    int32_t exponent;  // as float32 has it
} tflm_divisor_t;

static inline tflm_divisor_t tflm_divisor(float scale) {
    const int32_t bits = tflm_bits(scale), hidden = 1 << 23;
    const float inverse = 0x1p39f / (float)((bits & (hidden - 1)) | hidden);
    return (tflm_divisor_t){scale, inverse > 65535.0f ? 65535 : (uint32_t)inverse, bits >> 23};
}

// Rounds x / scale, rounded to float32, as tflm_round_away does; from 256 on it may be any number
// from there on. Without an FPU a product of 16 bits tells the result, but near a tie: the quotient
// of mantissas, times 2^30, is no more than SLACK below it, and SLACK and 2^16 above it.
static inline int32_t tflm_steps(int32_t x, const tflm_divisor_t *by) {
    const int32_t power = (x >> 23 & 0xFF) - by->exponent;
    if (!TFLM_SOFT_FLOAT || by->exponent < 2 || (x & INT32_MAX) >= 0x7F800000) {
        return tflm_round_away(tflm_float(x) / by->scale);
    }
    if (power < -1) {  // less than a half
        return 0;
    }
    uint32_t size = 256;
    if (power < 9) {
        enum { SLACK = 1 << 9 };
        const int32_t shift = 30 - power;
        const uint32_t quotient = (((uint32_t)x >> 8 & 0x7FFF) | 0x8000) * by->inverse >> 1;
        const uint32_t least = quotient + (1u << (shift - 1)) - SLACK;
        size = least >> shift;
        if ((least + (1 << 16) + 2 * SLACK) >> shift != size) {
            return tflm_round_away(tflm_float(x) / by->scale);
        }
    }
    return x < 0 ? -(int32_t)size : (int32_t)size;
}

#endif
