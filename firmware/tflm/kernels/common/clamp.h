// To the ranges of int8 and int16: one instruction with the DSP extension.
#ifndef TFLM_CLAMP_H
#define TFLM_CLAMP_H

#include "dot.h"
#include "fixed_point.h"

static inline int32_t tflm_clamp8(int32_t x) {
#if TFLM_HAS_DSP
    return tflm_saturate8(x);
#else
    return tflm_clamp(x, INT8_MIN, INT8_MAX);
#endif
}

static inline int32_t tflm_clamp16(int32_t x) {
#if TFLM_HAS_DSP
    return tflm_saturate16(x);
#else
    return tflm_clamp(x, INT16_MIN, INT16_MAX);
#endif
}

#endif
