// RELU, RELU6 and LEAKY_RELU of int16. Source: as of int8.
#include "generated/layout.h"
#include "../common/fixed_point.h"

// Zero points are 0 in all of int16.
// input   int16 [size]
// output  int16 [size], another scale
void tflm_relu_s16(const tflm_relu_t *params, const uint8_t *input, int16_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        const int32_t y =
            tflm_scale(tflm_load16(input + 2 * i), params->multiplier, params->shift);
        output[i] = (int16_t)tflm_clamp(y, params->activation_min, params->activation_max);
    }
}

// input   int16 [size]
// output  int16 [size], same scale
void tflm_relu6_s16(const tflm_clamp_t *params, const uint8_t *input, int16_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        output[i] = (int16_t)tflm_clamp(
            tflm_load16(input + 2 * i), params->minimum, params->maximum);
    }
}

// input   int16 [size]
// output  int16 [size], another scale
// The multiplier of the negative side has alpha's sign, as in int8.
void tflm_leaky_relu_s16(const tflm_leaky_relu_t *params, const uint8_t *input, int16_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        const int32_t x = tflm_load16(input + 2 * i);
        const int32_t y =
            x >= 0 ? tflm_scale(x, params->identity_multiplier, params->identity_shift)
                   : tflm_scale(x, params->alpha_multiplier, params->alpha_shift);
        output[i] = (int16_t)tflm_clamp(y, INT16_MIN, INT16_MAX);
    }
}
