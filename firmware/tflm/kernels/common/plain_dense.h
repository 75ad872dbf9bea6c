// FULLY_CONNECTED. Source: tensorflow/lite/kernels/internal/reference/integer_ops/
// fully_connected.h.
//
// The kernels of portable/dense.c. A file of an ISA that replaces it includes this one, too, and
// gives its functions other names.
#ifndef TFLM_PLAIN_DENSE_H
#define TFLM_PLAIN_DENSE_H

#include "dot.h"
#include "filter_offset.h"
#include "requantize.h"

// input   [batches, input_depth]
// filter  [output_depth, input_depth], one scale
// bias    int32 [output_depth] or NULL
// output  [batches, output_depth]
// What prepare sees to: input_offset and filter_offset are -127..128, as zero points are int8.
// Sums wrap.
void tflm_fully_connected_s8(const tflm_fully_connected_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const int32_t *constants, int8_t *output) {
    (void)constants;
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    const int32_t input_depth = params->input_depth;
    const int32_t output_depth = params->output_depth;
    for (int32_t b = 0; b < params->batches; b++, input += input_depth) {
        const uint32_t start = tflm_filter_offset_term(params, input);
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

// As above, with filter zero point 0. Scales are at least 0 and finite, and no factor is 2^30 or
// more.
// scales  float32 [output_depth] of the filter
void tflm_fully_connected_per_channel_s8(const tflm_fully_connected_per_channel_t *params,
    const int8_t *input, const int8_t *filter, const uint8_t *bias, const uint8_t *scales,
    const int32_t *constants, int8_t *output) {
    (void)constants;
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

#endif
