// CONV_2D. Source: tensorflow/lite/kernels/internal/reference/integer_ops/conv.h:ConvPerChannel.
#include "../conv_window.h"
#include "../requantize.h"

// input   [batches, input_height, input_width, input_depth]
// filter  [output_depth, filter_height, filter_width, filter_depth], zero point 0;
//         filter_depth divides input_depth: the groups, which divide output_depth
// bias    int32 [output_depth] or NULL
// scales  float32 of the filter, scale_step bytes from one channel's to the next
// output  [batches, output_height, output_width, output_depth]
void tflm_conv_2d_s8(const tflm_conv_2d_t *params, const int8_t *input, const int8_t *filter,
    const uint8_t *bias, const uint8_t *scales, int8_t *output) {
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const int32_t groups = params->input_depth / params->filter_depth;
    const int32_t group_size = params->output_depth / groups;
    const int32_t taps = params->filter_height * params->filter_width * params->filter_depth;
    const int32_t image = params->input_height * params->input_width * params->input_depth;
    for (int32_t c = 0; c < params->output_depth; c++, filter += taps) {
        const int32_t scale = tflm_load32(scales + c * params->scale_step);
        const tflm_factor_t factor =
            tflm_channel_factor(params->input_scale, scale, params->output_scale);
        const uint32_t start = (uint32_t)tflm_bias(bias, c);
        const int8_t *source = input + c / group_size * params->filter_depth;
        int8_t *target = output + c;
        for (int32_t b = 0; b < params->batches; b++, source += image) {
            for (int32_t y = 0; y < params->output_height; y++) {
                const int32_t top = y * params->stride_height - params->pad_top;
                for (int32_t x = 0; x < params->output_width; x++) {
                    const int32_t left = x * params->stride_width - params->pad_left;
                    const uint32_t sum =
                        tflm_conv_window(params, source, filter, (uint32_t)top, (uint32_t)left);
                    *target = tflm_requantize(start + sum, factor, range);
                    target += params->output_depth;
                }
            }
        }
    }
}
