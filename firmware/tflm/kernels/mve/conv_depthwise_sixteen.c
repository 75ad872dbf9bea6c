// As many outputs as inputs, windows of any size: sixteen channels at a time, tap by tap.
#include "conv_depthwise_layer.h"

// Sixteen channels of a layer, or as many as it has.
typedef struct {
    const tflm_mve_depthwise_t *layer;
    const int8_t *filter;
    int32_t count;
    tflm_sixteen_constants_t constants;
} group_t;

// Sixteen outputs of a window of any size.
static void any_window(const group_t *group, const int8_t *input, int32_t top, int32_t left,
    const int8_t *zeros, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = group->layer->params;
    const mve_pred16_t used = vctp8q((uint32_t)group->count);
    const int8_t *w = group->filter;
    const int32_t *start = group->constants.start;
    tflm_sixteen_t sums = {{vldrwq_s32(start), vldrwq_s32(start + 4), vldrwq_s32(start + 8),
        vldrwq_s32(start + 12)}};
    for (int32_t i = 0; i < params->filter_height; i++) {
        for (int32_t j = 0; j < params->filter_width; j++, w += params->output_depth) {
            const int8x16_t x = vldrbq_z_s8(tflm_tap_at(params, input, tflm_tap_row(params, top, i),
                tflm_tap_column(params, left, j), zeros), used);
            const int8x16_t weights = vldrbq_z_s8(w, used);
            const int16x8_t even = vmullbq_int_s8(x, weights);
            const int16x8_t odd = vmulltq_int_s8(x, weights);
            sums.of[0] = vaddq_s32(sums.of[0], vmovlbq_s16(even));
            sums.of[1] = vaddq_s32(sums.of[1], vmovlbq_s16(odd));
            sums.of[2] = vaddq_s32(sums.of[2], vmovltq_s16(even));
            sums.of[3] = vaddq_s32(sums.of[3], vmovltq_s16(odd));
        }
    }
    const int8x16_t y = tflm_finish_sixteen(sums, &group->constants, group->layer->range);
    vstrbq_p_s8(output, y, used);
}

// Brings count words, at most sixteen, into the order of tflm_sixteen_constants_t.
static const int32_t *load_sixteen(int32_t *to, const int32_t *from, int32_t count) {
    for (int32_t i = 0; i < TFLM_SIXTEEN; i++) {
        to[4 * (i % 4) + i / 4] = i < count ? from[i] : 0;
    }
    return to;
}

// One output row of sixteen channels from c on, or of all.
static void run_channels(const tflm_mve_depthwise_t *layer, int32_t c, const int8_t *input,
    int32_t top, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth;
    const tflm_lanes_t lanes = tflm_lanes_from(layer->lanes, c);
    int32_t words[3 * TFLM_SIXTEEN];
    group_t group = {layer, layer->filter + c, depth < TFLM_SIXTEEN ? depth : TFLM_SIXTEEN,
        {lanes.start, lanes.multiplier, lanes.shift}};
    if (!layer->is_in_order) {
        group.constants.start = load_sixteen(words, lanes.start, group.count);
        group.constants.multiplier =
            load_sixteen(words + TFLM_SIXTEEN, lanes.multiplier, group.count);
        group.constants.shift = load_sixteen(words + 2 * TFLM_SIXTEEN, lanes.shift, group.count);
    }
    for (int32_t x = 0; x < params->output_width; x++) {
        any_window(&group, input, top, x * params->stride_width - params->pad_left, layer->zeros,
            output + x * depth);
    }
}

void tflm_mve_depthwise_sixteen(
    const tflm_mve_depthwise_t *layer, const int8_t *input, int32_t y, int8_t *output) {
    const int32_t top = y * layer->params->stride_height - layer->params->pad_top;
    for (int32_t channel = 0; channel < layer->params->output_depth; channel += TFLM_SIXTEEN) {
        const int32_t c = tflm_channels_from(channel, TFLM_SIXTEEN, layer->params->output_depth);
        run_channels(layer, c, input + c, top, output + c);
    }
}
