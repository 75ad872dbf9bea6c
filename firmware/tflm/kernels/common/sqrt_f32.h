// The square root of a float32, rounded to the nearest: of the FPU where there is one.
#ifndef TFLM_SQRT_F32_H
#define TFLM_SQRT_F32_H

#include "float32.h"

#if TFLM_HAS_FPU

static inline float tflm_sqrt_f32(float x) {
    float root;
    __asm__("vsqrt.f32 %0, %1" : "=t" (root) : "t" (x));
    return root;
}

#else

static inline float tflm_sqrt_f32(float x) {
    const int32_t bits = tflm_bits(x), hidden = 1 << 23;
    if (bits < 0) {
        return bits == INT32_MIN ? x : tflm_float(0x7FC00000);
    }
    int32_t exponent = bits >> 23, mantissa = bits & (hidden - 1);
    if (bits == 0 || exponent == 255) {
        return x;
    }
    if (exponent > 0) {
        mantissa |= hidden;
    } else {
        for (exponent = 1; mantissa < hidden; exponent--) {
            mantissa <<= 1;
        }
    }
    exponent -= 127;
    // x = mantissa * 2^(exponent - 23), exponent even: the root of mantissa * 2^23 has 24 bits.
    uint64_t rest = (uint64_t)mantissa << (23 + (exponent & 1));
    uint32_t root = 0;
    for (int32_t bit = 23; bit >= 0; bit--) {
        const uint64_t step = ((uint64_t)root << (bit + 1)) + (1ULL << 2 * bit);
        if (rest >= step) {
            rest -= step;
            root += 1u << bit;
        }
    }
    root += rest > root;  // a root is never half way
    return tflm_float((int32_t)((uint32_t)((exponent >> 1) + 126) << 23) + (int32_t)root);
}

#endif

#endif
