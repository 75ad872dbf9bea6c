// LOGISTIC and TANH of int16. Source: as of int8.
//
// The kernels of portable/elementwise_curves_s16.c. A file of an ISA that replaces it includes this one, too, and
// gives its functions other names.
#ifndef TFLM_PLAIN_ELEMENTWISE_CURVES_S16_H
#define TFLM_PLAIN_ELEMENTWISE_CURVES_S16_H

#include "generated/layout.h"
#include "curves_s16.h"
#include "fixed_point.h"

typedef int32_t (*curve_t)(int32_t x);

static inline void apply(
    const tflm_curve_s16_t *params, const uint8_t *input, int16_t *output, curve_t curve) {
    const int32_t shift = params->left_shift, half = shift > 0 ? 1 << (shift - 1) : 0;
    const uint32_t multiplier = (uint32_t)params->multiplier;
    for (int16_t *const end = output + params->size; output < end; input += 2) {
        const int32_t product = (int32_t)((uint32_t)tflm_load16(input) * multiplier);
        *output++ = (int16_t)curve(tflm_wrapping_add(product, half) >> shift);
    }
}

// input   int16 [size]
// output  int16 [size], scale 1/32768
// What prepare sees to: the multiplier is below 2^16, left_shift 0 to 31:
// the shift that has made the multiplier this large.
void tflm_logistic_s16(const tflm_curve_s16_t *params, const uint8_t *input, int16_t *output) {
    apply(params, input, output, tflm_sigmoid);
}

void tflm_tanh_s16(const tflm_curve_s16_t *params, const uint8_t *input, int16_t *output) {
    apply(params, input, output, tflm_hyperbolic);
}

#endif
