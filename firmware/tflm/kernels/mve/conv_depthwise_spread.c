// One input channel: each of its values times a vector of weights, eight channels at a time.
#include "conv_depthwise_layer.h"

// Eight sums, and where their weights of the next tap lie.
typedef struct {
    int32x4_t low, high;
    const int8_t *w;
} spread_t;

// Adds `count` taps of one input channel, `step` from one to the next, times their weights.
static inline void add_taps(
    spread_t *sums, const int8_t *x, int32_t step, int32_t count, int32_t depth) {
    int32x4_t low = sums->low, high = sums->high;
    const int8_t *w = sums->w;
    for (; count > 0; count--, x += step, w += depth) {
        low = vmlaq_n_s32(low, vldrbq_s32(w), *x);
        high = vmlaq_n_s32(high, vldrbq_s32(w + 4), *x);
    }
    *sums = (spread_t) {low, high, w};
}

// Adds a window that is inside the image; x: its first tap.
static inline void add_inside(
    const tflm_depthwise_conv_2d_t *params, spread_t *sums, const int8_t *x) {
    const int32_t depth = params->output_depth, step = params->dilation_width;
    const int32_t width = params->filter_width;
    const int32_t row = params->dilation_height * params->input_width;
    int32x4_t low = sums->low, high = sums->high;
    const int8_t *w = sums->w;
    for (int32_t i = params->filter_height; i > 0; i--, x += row) {
        const int8_t *at = x;
        for (int32_t j = width; j > 0; j--, at += step, w += depth) {
            low = vmlaq_n_s32(low, vldrbq_s32(w), *at);
            high = vmlaq_n_s32(high, vldrbq_s32(w + 4), *at);
        }
    }
    *sums = (spread_t) {low, high, w};
}

// Adds any window of an image of one channel.
static void add_clipped(const tflm_mve_depthwise_t *layer, spread_t *sums, const int8_t *input,
    int32_t top, int32_t left) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t width = params->filter_width, depth = params->output_depth;
    // The taps first..end-1 of a row are inside the image.
    int32_t first = 0;
    while (first < width && tflm_tap_column(params, left, first) >= (uint32_t)params->input_width) {
        first++;
    }
    int32_t end = width;
    while (end > first && tflm_tap_column(params, left, end - 1) >= (uint32_t)params->input_width) {
        end--;
    }
    for (int32_t i = 0; i < params->filter_height; i++) {
        const int8_t *row = tflm_tap_at(params, input, tflm_tap_row(params, top, i),
            tflm_tap_column(params, left, first), NULL);
        if (row == NULL) {
            add_taps(sums, layer->zeros, 0, width, depth);
            continue;
        }
        add_taps(sums, layer->zeros, 0, first, depth);
        add_taps(sums, row, params->dilation_width, end - first, depth);
        add_taps(sums, layer->zeros, 0, width - end, depth);
    }
}

// One output of eight channels c..c+7; input: an image of one channel.
static void spread_window(const tflm_mve_depthwise_t *layer, int32_t c, const int8_t *input,
    int32_t top, int32_t left, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const tflm_lanes_t lanes = tflm_lanes_from(layer->lanes, c);
    spread_t sums = {vldrwq_s32(lanes.start), vldrwq_s32(lanes.start + 4), layer->filter + c};
    const uint32_t bottom = tflm_tap_row(params, top, params->filter_height - 1);
    const uint32_t right = tflm_tap_column(params, left, params->filter_width - 1);
    if (layer->is_near && top >= 0 && left >= 0 && bottom < (uint32_t)params->input_height
        && right < (uint32_t)params->input_width) {
        add_inside(params, &sums, input + top * params->input_width + left);
    } else {
        add_clipped(layer, &sums, input, top, left);
    }
    const tflm_four_t low = tflm_load_four(lanes, layer->range);
    const tflm_four_t high = tflm_load_four(tflm_lanes_from(lanes, 4), layer->range);
    tflm_finish_four(output + c, sums.low, &low);
    tflm_finish_four(output + c + 4, sums.high, &high);
}

void tflm_mve_depthwise_spread(
    const tflm_mve_depthwise_t *layer, const int8_t *input, int32_t y, int8_t *output) {
    const tflm_mve_depthwise_t of = *layer;  // a copy, as writing outputs might change the other
    const tflm_depthwise_conv_2d_t *params = of.params;
    const int32_t depth = params->output_depth;
    const int32_t top = y * params->stride_height - params->pad_top;
    for (int32_t channel = 0; channel < depth; channel += TFLM_EIGHT) {
        const int32_t c = tflm_channels_from(channel, TFLM_EIGHT, depth);
        for (int32_t x = 0; x < params->output_width; x++) {
            spread_window(&of, c, input, top, x * params->stride_width - params->pad_left,
                output + x * depth);
        }
    }
}
