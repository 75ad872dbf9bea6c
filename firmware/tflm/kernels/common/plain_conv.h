// CONV_2D. Source: tensorflow/lite/kernels/internal/reference/integer_ops/conv.h:ConvPerChannel.
//
// The kernels of portable/conv.c. A file of an ISA that replaces it includes this one, too, and
// gives its functions other names.
#ifndef TFLM_PLAIN_CONV_H
#define TFLM_PLAIN_CONV_H

#include "channels.h"
#include "conv_window.h"
#if TFLM_VECTORS
#include "vectors_pc.h"
#endif

// input      [batches, input_height, input_width, input_depth]
// filter     [output_depth, filter_height, filter_width, filter_depth], zero point 0;
//            filter_depth divides input_depth: the groups, which divide output_depth
// bias       int32 [output_depth] or NULL
// scales     float32 of the filter, scale_step bytes from one channel's to the next
// constants  the channels' constants, or NULL: made in scratch
// output     [batches, output_height, output_width, output_depth]; rows in order, so that they may
//            lie on input rows that no later row of the output needs
// scratch    one window of two positions in 16 bits, then 16 bytes for each output channel
// What prepare sees to: input_offset is -127..128, as zero points are int8; filter sizes, strides
// and dilations are 1..2^15 - 1, paddings 0 or more; tensors have fewer than 2^28 elements; the
// scales of input and output are positive normal numbers, those of the filter at least 0 and
// finite, and no channel's factor is 2^30 or more. Sums wrap.
#if TFLM_VECTORS
// The outputs of one position.
static void conv_position(const tflm_conv_2d_t *params, const int8_t *input, const int8_t *filter,
    const tflm_channel_constants_t *channels, int32_t taps, uint32_t top, uint32_t left,
    tflm_range_t range, int8_t *output) {
    int16_t window[TFLM_WINDOW_MAX];
    const int32_t groups = params->input_depth / params->filter_depth;
    const int32_t group_size = params->output_depth / groups;
    for (int32_t g = 0; g < groups; g++, input += params->filter_depth) {
        tflm_gather_window(params, input, top, left, window);
        for (int32_t c = 0; c < group_size; c++, filter += taps, channels++) {
            const uint32_t sum = tflm_dot_window(window, filter, taps);
            *output++ =
                tflm_requantize((uint32_t)channels->bias + sum, channels->factor, range);
        }
    }
}
#endif

void tflm_conv_2d_s8(const tflm_conv_2d_t *params, const int8_t *input, const int8_t *filter,
    const uint8_t *bias, const uint8_t *scales, const int32_t *constants, int8_t *output,
    int32_t *scratch) {
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const int32_t depth = params->filter_depth;
    const int32_t group_size = params->output_depth / (params->input_depth / depth);
    const int32_t taps = params->filter_height * params->filter_width * depth;
    const tflm_channel_constants_t *channels = (const void *)constants;
    if (channels == NULL) {
        channels = (const void *)(scratch + tflm_window_words(taps));
        tflm_load_channels((void *)(scratch + tflm_window_words(taps)), params->output_depth, bias,
            scales, params->scale_step, params->input_scale, params->output_scale);
    }
    for (int32_t b = 0; b < params->batches; b++) {
        for (int32_t y = 0; y < params->output_height; y++) {
            const int32_t top = y * params->stride_height - params->pad_top;
            for (int32_t x = 0; x < params->output_width; x++) {
                const int32_t left = x * params->stride_width - params->pad_left;
#if TFLM_VECTORS
                if (taps <= TFLM_WINDOW_MAX) {
                    conv_position(params, input, filter, channels, taps, (uint32_t)top,
                        (uint32_t)left, range, output);
                    output += params->output_depth;
                    continue;
                }
#endif
                for (int32_t c = 0; c < params->output_depth; c++) {
                    const uint32_t sum = tflm_conv_window(params, input + c / group_size * depth,
                        filter + c * taps, (uint32_t)top, (uint32_t)left);
                    *output++ = tflm_requantize(
                        (uint32_t)channels[c].bias + sum, channels[c].factor, range);
                }
            }
        }
        input += params->input_height * params->input_width * params->input_depth;
    }
}

#endif
