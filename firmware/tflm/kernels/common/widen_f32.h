// Filters of int8 for operators of float32.
#ifndef TFLM_WIDEN_F32_H
#define TFLM_WIDEN_F32_H

#include "float32.h"

enum { TFLM_WIDENED = 4 };  // channels at a time: as many as have a sum at once

static inline void tflm_widen_f32(
    const int8_t *values, int32_t count, float scale, float *widened) {
    for (const int8_t *end = values + count; values != end; values++) {
        *widened++ = (float)*values * scale;
    }
}

#endif
