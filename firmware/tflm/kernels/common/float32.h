// Float32 numbers carried as little-endian words at any alignment.
#ifndef TFLM_FLOAT32_H
#define TFLM_FLOAT32_H

#include <string.h>

#include "load.h"

#if defined(__ARM_FP)
#define TFLM_HAS_FPU (__ARM_FP >> 2 & 1)  // of single precision
#else
#define TFLM_HAS_FPU 0
#endif

// Whether doubles are multiplied and added by one instruction.
#ifndef TFLM_HAS_DOUBLES
#if defined(__ARM_FP) && defined(__ARM_FEATURE_FMA)
#define TFLM_HAS_DOUBLES (__ARM_FP >> 3 & 1)
#else
#define TFLM_HAS_DOUBLES 0
#endif
#endif

// Whether floats are computed by calls.
#ifndef TFLM_SOFT_FLOAT
#if defined(__SOFTFP__) || (defined(__riscv) && !defined(__riscv_flen))
#define TFLM_SOFT_FLOAT 1
#else
#define TFLM_SOFT_FLOAT 0
#endif
#endif

static inline float tflm_float(int32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

static inline int32_t tflm_bits(float x) {
    int32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static inline float tflm_load_f32(const uint8_t *p) {
    return tflm_float(tflm_load32(p));
}

static inline void tflm_store_f32(uint8_t *p, float x) {
    tflm_store32(p, tflm_bits(x));
}

// min(max(x, minimum), maximum) with the comparisons of std::min and std::max: NaN passes.
static inline float tflm_clamp_f32(float x, float minimum, float maximum) {
    x = x < minimum ? minimum : x;
    return maximum < x ? maximum : x;
}

#endif
