// FULLY_CONNECTED. Source: tensorflow/lite/kernels/internal/reference/integer_ops/
// fully_connected.h and reference/fully_connected.h.
#include "../../layout.h"
#include "../dot.h"
#include "../float32.h"
#include "../requantize.h"

// What a filter's zero point adds to every output of one batch: the sum of
// (w + f) * (x + i) is that of w * (x + i), plus f times the sum of (x + i).
static uint32_t filter_offset_term(const tflm_fully_connected_t *params, const int8_t *input) {
    if (params->filter_offset == 0) {
        return 0;
    }
    uint32_t sum = (uint32_t)params->input_depth * (uint32_t)params->input_offset;
    for (int32_t i = 0; i < params->input_depth; i++) {
        sum += (uint32_t)input[i];
    }
    return sum * (uint32_t)params->filter_offset;
}

// input   [batches, input_depth]
// filter  [output_depth, input_depth], one scale
// bias    int32 [output_depth] or NULL
// output  [batches, output_depth]
void tflm_fully_connected_s8(const tflm_fully_connected_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, int8_t *output) {
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    const int32_t input_depth = params->input_depth;
    const int32_t output_depth = params->output_depth;
    for (int32_t b = 0; b < params->batches; b++, input += input_depth) {
        const uint32_t start = filter_offset_term(params, input);
        const int8_t *weights = filter;
        int32_t c = 0;
        for (; c + 2 <= output_depth; c += 2, weights += 2 * input_depth) {
            uint32_t sums[] = {
                start + (uint32_t)tflm_bias(bias, c), start + (uint32_t)tflm_bias(bias, c + 1)};
            tflm_dot_pair(input, weights, input_depth, params->input_offset, sums);
            *output++ = tflm_requantize(sums[0], factor, range);
            *output++ = tflm_requantize(sums[1], factor, range);
        }
        if (c < output_depth) {
            const uint32_t sum = tflm_dot(input, weights, input_depth, params->input_offset);
            *output++ = tflm_requantize(
                start + (uint32_t)tflm_bias(bias, c) + sum, factor, range);
        }
    }
}

// As above, with filter zero point 0.
// scales  float32 [output_depth] of the filter
void tflm_fully_connected_per_channel_s8(const tflm_fully_connected_per_channel_t *params,
    const int8_t *input, const int8_t *filter, const uint8_t *bias, const uint8_t *scales,
    int8_t *output) {
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const int32_t input_depth = params->input_depth;
    const int32_t output_depth = params->output_depth;
    for (int32_t c = 0; c < output_depth; c++, filter += input_depth) {
        const tflm_factor_t factor = tflm_channel_factor(
            params->input_scale, tflm_load32(scales + 4 * c), params->output_scale);
        const uint32_t start = (uint32_t)tflm_bias(bias, c);
        for (int32_t b = 0; b < params->batches; b++) {
            const uint32_t sum =
                tflm_dot(input + b * input_depth, filter, input_depth, params->input_offset);
            output[b * output_depth + c] = tflm_requantize(start + sum, factor, range);
        }
    }
}

// input   float32 [batches, input_depth]
// filter  float32 [output_depth, input_depth]
// bias    float32 [output_depth] or NULL
// output  float32 [batches, output_depth]
// Summed in order, in single precision, the bias last.
void tflm_fully_connected_f32(const tflm_fully_connected_f32_t *params, const uint8_t *input,
    const uint8_t *filter, const uint8_t *bias, uint8_t *output) {
    const float minimum = tflm_float(params->activation_min);
    const float maximum = tflm_float(params->activation_max);
    const int32_t row = 4 * params->input_depth;  // bytes
    for (int32_t b = 0; b < params->batches; b++, input += row) {
        const uint8_t *weights = filter;
        for (int32_t c = 0; c < params->output_depth; c++, weights += row, output += 4) {
            float sum = 0.0f;
            for (int32_t i = 0; i < row; i += 4) {
                sum += tflm_load_f32(input + i) * tflm_load_f32(weights + i);
            }
            sum += tflm_float(tflm_bias(bias, c));
            tflm_store_f32(output, tflm_clamp_f32(sum, minimum, maximum));
        }
    }
}
