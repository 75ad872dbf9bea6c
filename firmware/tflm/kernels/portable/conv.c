// CONV_2D. Source: tensorflow/lite/kernels/internal/reference/integer_ops/conv.h:ConvPerChannel.
#include "../../layout.h"
#include "../dot.h"
#include "../requantize.h"

// Returns the products of one filter and the window whose first tap lies at (top, left), summed
// modulo 2^32. Taps outside the image add nothing. A coordinate left or above the image, or
// one that overflows, is a large unsigned number: outside as well.
static uint32_t window_sum(const tflm_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, uint32_t top, uint32_t left) {
    const int32_t depth = params->filter_depth;
    const uint32_t height = (uint32_t)params->input_height;
    const uint32_t width = (uint32_t)params->input_width;
    uint32_t sum = 0;
    for (int32_t i = 0; i < params->filter_height; i++) {
        const uint32_t y = top + (uint32_t)i * (uint32_t)params->dilation_height;
        for (int32_t j = 0; j < params->filter_width; j++, filter += depth) {
            const uint32_t x = left + (uint32_t)j * (uint32_t)params->dilation_width;
            if (y < height && x < width) {
                const int8_t *pixel = input + (y * width + x) * (uint32_t)params->input_depth;
                sum += tflm_dot(pixel, filter, depth, params->input_offset);
            }
        }
    }
    return sum;
}

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
                        window_sum(params, source, filter, (uint32_t)top, (uint32_t)left);
                    *target = tflm_requantize(start + sum, factor, range);
                    target += params->output_depth;
                }
            }
        }
    }
}
