// DEPTHWISE_CONV_2D. Source: tensorflow/lite/kernels/internal/reference/integer_ops/
// depthwise_conv.h:DepthwiseConvPerChannel.
//
// The kernels of portable/conv_depthwise.c. A file of an ISA that replaces it includes this one, too, and
// gives its functions other names.
#ifndef TFLM_PLAIN_CONV_DEPTHWISE_H
#define TFLM_PLAIN_CONV_DEPTHWISE_H

#include "channels.h"
#include "conv_depthwise_window.h"
#if TFLM_VECTORS
#include "vectors_pc.h"
#endif

// input      [batches, input_height, input_width, input_depth]
// filter     [1, filter_height, filter_width, output_depth], zero point 0;
//            output channel c reads input channel c / depth_multiplier
// bias, scales, constants, output  as in conv.c
// scratch    16 bytes for each output channel
// What prepare sees to: as in conv.c; depth_multiplier is 1 or more.
#if TFLM_VECTORS
// The outputs of one position, with as many channels as the input has.
static void depthwise_position(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const tflm_channel_constants_t *channels, uint32_t top, uint32_t left,
    tflm_range_t range, int8_t *output) {
    uint32_t sums[TFLM_BLOCK];
    for (int32_t first = 0; first < params->output_depth; first += TFLM_BLOCK) {
        const int32_t rest = params->output_depth - first;
        const int32_t count = rest < TFLM_BLOCK ? rest : TFLM_BLOCK;
        tflm_depthwise_sums(params, input + first, filter + first, top, left, count, sums);
        for (int32_t k = 0; k < count; k++, channels++) {
            *output++ =
                tflm_requantize((uint32_t)channels->bias + sums[k], channels->factor, range);
        }
    }
}
#endif

void tflm_depthwise_conv_2d_s8(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, const int32_t *constants,
    int8_t *output, int32_t *scratch) {
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const tflm_channel_constants_t *channels = (const void *)constants;
    if (channels == NULL) {
        channels = (const void *)scratch;
        tflm_load_channels((void *)scratch, params->output_depth, bias, scales,
            params->scale_step, params->input_scale, params->output_scale);
    }
    for (int32_t b = 0; b < params->batches; b++) {
        for (int32_t y = 0; y < params->output_height; y++) {
            const int32_t top = y * params->stride_height - params->pad_top;
            for (int32_t x = 0; x < params->output_width; x++) {
                const int32_t left = x * params->stride_width - params->pad_left;
#if TFLM_VECTORS
                if (params->depth_multiplier == 1) {
                    depthwise_position(params, input, filter, channels, (uint32_t)top,
                        (uint32_t)left, range, output);
                    output += params->output_depth;
                    continue;
                }
#endif
                for (int32_t c = 0; c < params->output_depth; c++) {
                    const uint32_t sum = tflm_depthwise_window(params,
                        input + c / params->depth_multiplier, filter + c, (uint32_t)top,
                        (uint32_t)left);
                    *output++ = tflm_requantize(
                        (uint32_t)channels[c].bias + sum, channels[c].factor, range);
                }
            }
        }
        input += params->input_height * params->input_width * params->input_depth;
    }
}

#endif
