// RELU, RELU6, LEAKY_RELU, and any function of one int8 as a table.
// Source: tensorflow/lite/micro/kernels/activations_common.cc,
// tensorflow/lite/kernels/internal/reference/leaky_relu.h.
#include "generated/layout.h"
#include "../common/float32.h"
#include "../common/requantize.h"
#include "../common/table.h"

static void relu(const void *record, const int8_t *input, int8_t *output, int32_t count) {
    const tflm_relu_t *params = record;
    const tflm_range_t range = {
        params->output_zero_point, params->activation_min, params->activation_max};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    for (int32_t i = 0; i < count; i++) {
        const uint32_t value = (uint32_t)input[i] - (uint32_t)params->input_zero_point;
        output[i] = tflm_requantize(value, factor, range);
    }
}

// input   int8 [size]
// output  int8 [size], another scale and zero point
// What prepare sees to: both zero points are int8, and activation_min is the output's.
void tflm_relu_s8(const tflm_relu_t *params, const int8_t *input, int8_t *output) {
    tflm_by_table(relu, params, input, output, params->size);
}

// input   int8 [size]
// output  int8 [size], same scale and zero point
// minimum is the zero point; maximum at most 127, and not below minimum.
void tflm_relu6_s8(const tflm_clamp_t *params, const int8_t *input, int8_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        output[i] = (int8_t)tflm_clamp(input[i], params->minimum, params->maximum);
    }
}

static void leaky_relu(const void *record, const int8_t *input, int8_t *output, int32_t count) {
    const tflm_leaky_relu_t *params = record;
    const tflm_range_t range = {params->output_zero_point, INT8_MIN, INT8_MAX};
    const tflm_factor_t identity = {params->identity_multiplier, params->identity_shift};
    const tflm_factor_t alpha = {params->alpha_multiplier, params->alpha_shift};
    for (int32_t i = 0; i < count; i++) {
        const int32_t value = tflm_wrapping_sub(input[i], params->input_zero_point);
        output[i] = tflm_requantize((uint32_t)value, value >= 0 ? identity : alpha, range);
    }
}

// input   int8 [size]
// output  int8 [size], another scale and zero point
// The multiplier of the negative side has alpha's sign: 2^30..2^31 - 1, 0, or the same negative.
void tflm_leaky_relu_s8(const tflm_leaky_relu_t *params, const int8_t *input, int8_t *output) {
    tflm_by_table(leaky_relu, params, input, output, params->size);
}

// input   float32 [size]
// output  float32 [size]: 0 where the input is below 0; -0 and NaN pass, as in TFLM
// Bit patterns are compared, for an RP2040's float routines take subnormals for 0.
void tflm_relu_f32(const tflm_size_f32_t *params, const uint8_t *input, uint8_t *output) {
    for (int32_t i = 0; i < 4 * params->size; i += 4) {
        const uint32_t bits = (uint32_t)tflm_load32(input + i);
        const uint32_t negative_zero = 0x80000000u, negative_infinity = 0xFF800000u;
        const int is_negative = bits > negative_zero && bits <= negative_infinity;
        tflm_store32(output + i, is_negative ? 0 : (int32_t)bits);
    }
}

// What prepared models have in place of activations.
// input   int8 [elements]
// table   256 bytes: the output for the input with that byte
// output  int8 [elements]
void tflm_lookup_s8(const tflm_lookup_t *params, const int8_t *input, const uint8_t *table,
    int8_t *output) {
    tflm_look_up(table, input, output, params->elements);
}
