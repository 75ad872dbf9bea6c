// TRANSPOSE_CONV in float32. Source: tensorflow/lite/kernels/internal/reference/transpose_conv.h.
//
// There each input adds its products to the outputs under its window, in the order of memory. Here
// each output collects them in that order.
#include "generated/layout.h"
#include "../common/deconv_reach.h"
#include "../common/dot_f32.h"

// Adds the products of one output position to the sums of `count` channels, 1 or TFLM_DOTS, whose
// filters are `step` bytes apart. filter: of the first
static void add_position(const tflm_transpose_conv_t *params, const uint8_t *input,
    const uint8_t *filter, tflm_reach_t down, tflm_reach_t across, int32_t step, int32_t count,
    float sums[TFLM_DOTS]) {
    const int32_t depth = params->input_depth;
    for (int32_t i = down.count - 1; i >= 0; i--) {
        const int32_t y = (down.input - i) * params->input_width;
        const int32_t ky = (down.tap + i * params->stride_height) * params->filter_width;
        for (int32_t j = across.count - 1; j >= 0; j--) {
            const uint8_t *x = input + 4 * depth * (y + across.input - j);
            const uint8_t *w =
                filter + 4 * depth * (ky + across.tap + j * params->stride_width);
            if (count == TFLM_DOTS) {
                tflm_dots_f32(sums, x, w, step, depth);
            } else {
                sums[0] = tflm_dot_f32(sums[0], x, w, depth);
            }
        }
    }
}

// input   float32 [batches, input_height, input_width, input_depth]
// filter  float32 [output_depth, filter_height, filter_width, input_depth]
// bias    float32 [output_depth] or NULL
// output  float32 [batches, output_height, output_width, output_depth], as in deconv.c
void tflm_transpose_conv_f32(const tflm_transpose_conv_t *params, const uint8_t *input,
    const uint8_t *filter, const uint8_t *bias, uint8_t *output) {
    const float minimum = tflm_float(params->activation_min);
    const float maximum = tflm_float(params->activation_max);
    const int32_t depth = params->input_depth, channels = params->output_depth;
    const int32_t step = 4 * params->filter_height * params->filter_width * depth;
    const int32_t most = tflm_are_aligned(input, filter) ? TFLM_DOTS : 1;
    for (int32_t b = 0; b < params->batches; b++) {
        for (int32_t y = 0; y < params->output_height; y++) {
            const tflm_reach_t down = tflm_reach_of(y + params->pad_top, params->stride_height,
                params->filter_height, params->input_height);
            for (int32_t x = 0; x < params->output_width; x++) {
                const tflm_reach_t across = tflm_reach_of(x + params->pad_left,
                    params->stride_width, params->filter_width, params->input_width);
                int32_t count;
                for (int32_t c = 0; c < channels; c += count) {
                    float sums[TFLM_DOTS] = {0};
                    count = channels - c >= most ? most : 1;
                    add_position(
                        params, input, filter + c * step, down, across, step, count, sums);
                    for (int32_t k = 0; k < count; k++, output += 4) {
                        tflm_finish_f32(output, sums[k], tflm_bias(bias, c + k), minimum, maximum);
                    }
                }
            }
        }
        input += 4 * params->input_height * params->input_width * depth;
    }
}
