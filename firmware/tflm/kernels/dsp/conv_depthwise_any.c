// Four channels at a time, a window at a time.
#include "conv_depthwise.h"

// Sums of one window of four channels, of the products alone.
typedef struct {
    uint32_t of[TFLM_LANES];
} sums_t;

static sums_t window_of_four(const tflm_dsp_depthwise_t *layer, const int8_t *image,
    const int8_t *filter, uint32_t top, uint32_t left) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const uint32_t height = (uint32_t)params->input_height, width = (uint32_t)params->input_width;
    const uint32_t offsets = tflm_both(params->input_offset);
    uint32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int32_t i = 0; i < params->filter_height; i++) {
        const uint32_t y = top + (uint32_t)i * (uint32_t)params->dilation_height;
        const int8_t *w = filter + i * params->filter_width * params->output_depth;
        uint32_t x = left;
        for (int32_t j = y < height ? params->filter_width : 0; j > 0; j--) {
            if (x < width) {
                const uint32_t word =
                    tflm_load4(image + (y * width + x) * (uint32_t)params->input_depth);
                const uint32_t taps = tflm_load4(w);
                const uint32_t even = tflm_add_even(offsets, word);
                const uint32_t odd = tflm_add_odd(offsets, word);
                s0 = tflm_smlabb(tflm_even(taps), even, s0);
                s2 = tflm_smlatt(tflm_even(taps), even, s2);
                s1 = tflm_smlabb(tflm_odd(taps), odd, s1);
                s3 = tflm_smlatt(tflm_odd(taps), odd, s3);
            }
            w += params->output_depth;
            x += (uint32_t)params->dilation_width;
        }
    }
    return (sums_t) {{s0, s1, s2, s3}};
}

void tflm_dsp_depthwise_any(const tflm_dsp_depthwise_t *layer) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth;
    const int32_t positions = params->batches * params->output_height * params->output_width;
    int8_t *output = layer->output;
    for (int32_t position = 0; position < positions; position++, output += depth) {
        const int32_t row = position / params->output_width;
        const int32_t batch = row / params->output_height;
        const int8_t *image =
            layer->input + batch * params->input_height * params->input_width * depth;
        const int32_t y = row - batch * params->output_height;
        const int32_t x = position - row * params->output_width;
        for (int32_t group = 0; group < depth; group += TFLM_LANES) {
            const int32_t c = group + TFLM_LANES <= depth ? group : depth - TFLM_LANES;
            const sums_t sums = window_of_four(layer, image + c, layer->filter + c,
                (uint32_t)(y * params->stride_height - params->pad_top),
                (uint32_t)(x * params->stride_width - params->pad_left));
            for (int32_t i = 0; i < TFLM_LANES; i++) {
                const tflm_dsp_channel_t *channel = &layer->channels[c + i];
                output[c + i] = tflm_dsp_finish(
                    (uint32_t)channel->start + 2 * sums.of[i], channel, layer->form);
            }
        }
        tflm_dsp_clamp(output, depth, layer->range);
    }
}
