// From a float32 to the steps of a quantized number.
#ifndef TFLM_QUANTIZE_F32_H
#define TFLM_QUANTIZE_F32_H

#include "float32.h"

// Rounds to the nearest integer, ties away from zero. What lies beyond +-2^30 saturates there,
// and NaN is 0: TFLM leaves both undefined.
static inline int32_t tflm_round_away(float x) {
    const float limit = 1073741824.0f;
    if (x != x) {
        return 0;
    }
    const int32_t whole = (int32_t)tflm_clamp_f32(x, -limit, limit);
    const float rest = x - (float)whole;  // exact: below 2^23 by nature, above it 0
    return whole + (rest >= 0.5f) - (rest <= -0.5f);
}

#endif
