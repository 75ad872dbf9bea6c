// Fixed-point arithmetic of the int8 kernels, equal bit for bit to TFLM's reference kernels in
// their default build (double rounding).
//
// Where the reference wraps modulo 2^32, sums and shifts are done in uint32_t. Converting such a
// sum to int32_t keeps its bits on every compiler that we know of.
// Source: gemmlowp fixedpoint/fixedpoint.h; tensorflow/lite/kernels/internal/common.h.
#ifndef TFLM_FIXED_POINT_H
#define TFLM_FIXED_POINT_H

#include <stdint.h>

#include "high_mul.h"
#include "load.h"

// Clamps in TFLM's order: where minimum > maximum, the result is the maximum.
static inline int32_t tflm_clamp(int32_t x, int32_t minimum, int32_t maximum) {
    x = x < minimum ? minimum : x;
    return x > maximum ? maximum : x;
}

static inline int32_t tflm_wrapping_add(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

static inline int32_t tflm_wrapping_sub(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

// RoundingDivideByPOT: x / 2^exponent, nearest, ties away from zero. exponent: 0..31.
static inline int32_t tflm_rounding_divide(int32_t x, int32_t exponent) {
    const uint32_t mask = (1u << exponent) - 1;
    const uint32_t threshold = (mask >> 1) + ((uint32_t)x >> 31);
    return (x >> exponent) + (((uint32_t)x & mask) > threshold);
}

// x * 2^exponent, saturated. exponent: 0..30.
static inline int32_t tflm_saturating_shift(int32_t x, int32_t exponent) {
    const int32_t limit = (int32_t)((1u << (31 - exponent)) - 1);
    if (x > limit) {
        return INT32_MAX;
    }
    return x < -limit ? INT32_MIN : x * (1 << exponent);
}

// MultiplyByQuantizedMultiplier: x * multiplier / 2^31 * 2^shift. shift: -31..31.
static inline int32_t tflm_scale(int32_t x, int32_t multiplier, int32_t shift) {
    const int32_t left = shift > 0 ? shift : 0;
    const int32_t right = shift > 0 ? 0 : -shift;
    const int32_t high = tflm_high_mul((int32_t)((uint32_t)x << left), multiplier);
    return tflm_rounding_divide(high, right);
}

static inline int32_t tflm_leading_zeros(uint32_t x) {
    return x == 0 ? 32 : __builtin_clz(x);
}

// exp(a) for a in [-1/4, 0), a and result in Q0.31: Taylor's series around -1/8.
static inline int32_t tflm_exp_quarter(int32_t a) {
    const int32_t exp_of_minus_eighth = 1895147668;
    const int32_t third = 715827883;
    const int32_t x = a + (1 << 28);  // |x| <= 2^28, so that no sum below leaves 32 bits
    const int32_t x2 = tflm_high_mul(x, x);
    const int32_t x3 = tflm_high_mul(x2, x);
    const int32_t x4_quarter = tflm_rounding_divide(tflm_high_mul(x2, x2), 2);
    const int32_t tail = tflm_rounding_divide(tflm_high_mul(x4_quarter + x3, third) + x2, 1);
    return exp_of_minus_eighth + tflm_high_mul(exp_of_minus_eighth, x + tail);
}

// A function that stands once in each file that calls it: hundreds of bytes long.
#define TFLM_LONG static __attribute__((noinline, unused))

// exp(a) in Q0.31 for a <= 0 with `integer_bits` (4 or 5) integer bits.
TFLM_LONG int32_t tflm_exp_fixed(int32_t a, int32_t integer_bits) {
    // exp(-2^e) in Q0.31 for e = -2..4
    static const int32_t factors[] = {
        1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242,
    };
    const int32_t quarter = 1 << (29 - integer_bits);
    if (a == 0) {
        return INT32_MAX;
    }
    const int32_t remainder = (a & (quarter - 1)) - quarter;  // in [-1/4, 0)
    int32_t result = tflm_exp_quarter(remainder * (1 << integer_bits));
    const uint32_t quarters = (uint32_t)(remainder - a) / (uint32_t)quarter;
    for (int32_t i = 0; i < integer_bits + 2; i++) {
        if (quarters >> i & 1) {
            result = tflm_high_mul(result, factors[i]);
        }
    }
    return result;
}

// 2 / (1 + a) in Q2.29 for a in [0, 1], Q0.31: three steps of Newton and Raphson.
TFLM_LONG int32_t tflm_newton(int32_t a) {
    const int32_t half = (int32_t)(((uint32_t)a + (1u << 31)) >> 1);  // (1 + a) / 2
    int32_t x = 1515870810 + tflm_high_mul(half, -1010580540);  // 48/17 - 32/17 * half
    for (int32_t i = 0; i < 3; i++) {
        const int32_t error = (1 << 29) - tflm_high_mul(half, x);
        x += tflm_saturating_shift(tflm_high_mul(x, error), 2);
    }
    return x;
}

// 1 / (1 + a) in Q0.31.
static inline int32_t tflm_one_over_one_plus(int32_t a) {
    return tflm_saturating_shift(tflm_newton(a), 1);
}

// (1 - a) / (1 + a) in Q0.31.
static inline int32_t tflm_one_minus_over_one_plus(int32_t a) {
    return tflm_saturating_shift(tflm_newton(a) - (1 << 29), 2);
}

// 1 / x as a Q0.31 result that is to be scaled by 2^-*bits; x > 0 has `digits` integer bits.
static inline int32_t tflm_reciprocal(uint32_t x, int32_t digits, int32_t *bits) {
    const int32_t zeros = tflm_leading_zeros(x);
    *bits = digits - zeros;
    return tflm_one_over_one_plus((int32_t)((x << (zeros & 31)) & INT32_MAX));
}

#endif
