// RELU, RELU6 and LEAKY_RELU of int16. Sources: those of elementwise.c.
#include "generated/layout.h"
#include "../requantize.h"

// input   int16 [size]
// output  int16 [size], another scale and zero point
// What prepare sees to: both zero points are int16, and activation_min is the output's.
void tflm_relu_s16(const tflm_relu_t *params, const uint8_t *input, int16_t *output) {
    const tflm_range_t range = {
        params->output_zero_point, params->activation_min, params->activation_max};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    for (int32_t i = 0; i < params->size; i++) {
        const uint32_t value =
            (uint32_t)tflm_load16(input + 2 * i) - (uint32_t)params->input_zero_point;
        output[i] = tflm_requantize_s16(value, factor, range);
    }
}

// input   int16 [size]
// output  int16 [size], same scale and zero point
// minimum is the zero point; maximum at most 32767, and not below minimum.
void tflm_relu6_s16(const tflm_clamp_t *params, const uint8_t *input, int16_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        output[i] =
            (int16_t)tflm_clamp(tflm_load16(input + 2 * i), params->minimum, params->maximum);
    }
}

// input   int16 [size]
// output  int16 [size], another scale and zero point
// The multiplier of the negative side has alpha's sign: 2^30..2^31 - 1, 0, or the same negative.
void tflm_leaky_relu_s16(const tflm_leaky_relu_t *params, const uint8_t *input, int16_t *output) {
    const tflm_range_t range = {params->output_zero_point, INT16_MIN, INT16_MAX};
    const tflm_factor_t identity = {params->identity_multiplier, params->identity_shift};
    const tflm_factor_t alpha = {params->alpha_multiplier, params->alpha_shift};
    for (int32_t i = 0; i < params->size; i++) {
        const int32_t value =
            tflm_wrapping_sub(tflm_load16(input + 2 * i), params->input_zero_point);
        output[i] = tflm_requantize_s16((uint32_t)value, value >= 0 ? identity : alpha, range);
    }
}
