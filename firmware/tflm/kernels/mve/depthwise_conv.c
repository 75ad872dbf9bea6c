// DEPTHWISE_CONV_2D for cores with vectors; the plain twin is ../portable/depthwise_conv.c.
//
// As many outputs as inputs: sixteen channels at a time. One input channel: each of its values
// times a vector of weights, eight channels at a time. Anything else: a channel at a time.
// The input offset is folded into the channels' start, as in conv.c: taps outside the image are
// taken as the input's zero point.
#include "../../layout.h"
#include "../depthwise_window.h"
#include "requantize_lanes.h"

#define SPECIALISED static inline __attribute__((always_inline))

enum { SIXTEEN = 16, EIGHT = 8 };

typedef enum { IN_SIXTEENS, SPREAD, APART } way_t;

typedef struct {
    const tflm_depthwise_conv_2d_t *params;
    const int8_t *filter;
    const uint8_t *bias;
    tflm_lanes_t lanes;
    tflm_range_t range;
    way_t way;
    int32_t is_3x3;  // and tflm_window_3x3 will do
} layer_t;

// Sixteen channels of a layer, or as many as it has.
typedef struct {
    const layer_t *layer;
    const int8_t *filter;
    int32_t count;
    tflm_sixteen_constants_t constants;
} group_t;

SPECIALISED void finish(const group_t *group, tflm_sixteen_t sums, int is_full, int8_t *output) {
    const int8x16_t y = tflm_finish_sixteen(sums, &group->constants, group->layer->range);
    if (is_full) {
        vstrbq_s8(output, y);
    } else {
        vstrbq_p_s8(output, y, vctp8q((uint32_t)group->count));
    }
}

// Returns where the tap at (y, x) lies, or `zeros` where that is outside the image.
static const int8_t *tap_at(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    uint32_t y, uint32_t x, const int8_t *zeros) {
    if (y < (uint32_t)params->input_height && x < (uint32_t)params->input_width) {
        return input + (y * (uint32_t)params->input_width + x) * (uint32_t)params->input_depth;
    }
    return zeros;
}

static uint32_t tap_row(const tflm_depthwise_conv_2d_t *params, int32_t top, int32_t i) {
    return (uint32_t)top + (uint32_t)i * (uint32_t)params->dilation_height;
}

static uint32_t tap_column(const tflm_depthwise_conv_2d_t *params, int32_t left, int32_t j) {
    return (uint32_t)left + (uint32_t)j * (uint32_t)params->dilation_width;
}

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
            const int8x16_t x = vldrbq_z_s8(tap_at(params, input, tap_row(params, top, i),
                tap_column(params, left, j), zeros), used);
            const int8x16_t weights = vldrbq_z_s8(w, used);
            const int16x8_t even = vmullbq_int_s8(x, weights);
            const int16x8_t odd = vmulltq_int_s8(x, weights);
            sums.of[0] = vaddq_s32(sums.of[0], vmovlbq_s16(even));
            sums.of[1] = vaddq_s32(sums.of[1], vmovlbq_s16(odd));
            sums.of[2] = vaddq_s32(sums.of[2], vmovltq_s16(even));
            sums.of[3] = vaddq_s32(sums.of[3], vmovltq_s16(odd));
        }
    }
    finish(group, sums, 0, output);
}

// Copies the taps of a 3x3 window that leaves the image side by side.
static void gather_3x3(const group_t *group, const int8_t *input, int32_t top, int32_t left,
    const int8_t *zeros, int8_t *to) {
    const tflm_depthwise_conv_2d_t *params = group->layer->params;
    for (int32_t i = 0; i < 3; i++) {
        for (int32_t j = 0; j < 3; j++, to += SIXTEEN) {
            const int8_t *tap = tap_at(
                params, input, tap_row(params, top, i), tap_column(params, left, j), zeros);
            tflm_copy_bytes(to, tap, group->count);
        }
    }
}

// The window at `left`, whose rows are inside the image; row: where the first of them begins.
SPECIALISED void columns_3x3(const tflm_depthwise_conv_2d_t *params, const int8_t *row,
    int32_t left, const int8_t *zeros, tflm_3x3_t *window) {
    const int32_t depth = params->input_depth, width = params->input_width;
    const int32_t step = params->dilation_width, down = params->dilation_height * width * depth;
    const int8_t *at = row + left * depth;
    window->column[0] = at;
    window->column[1] = at + step * depth;
    window->column[2] = at + 2 * step * depth;
    window->down[0] = window->down[1] = window->down[2] = down;
    if (left < 0 || left + 2 * step >= width) {
        for (int j = 0; j < 3; j++) {
            if (tap_column(params, left, j) >= (uint32_t)width) {
                window->column[j] = zeros;
                window->down[j] = 0;
            }
        }
    }
}

// One output row of sixteen channels; input: of the image, output: of the row.
SPECIALISED void row_3x3(const group_t *group, const int8_t *input, int32_t top,
    const int8_t *zeros, int is_full, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = group->layer->params;
    const int32_t is_inside =
        top >= 0 && top + 2 * params->dilation_height < params->input_height;
    const int8_t *row = input + top * params->input_width * params->input_depth;
    int8_t taps[9 * SIXTEEN];
    tflm_3x3_t window = {.filter = group->filter, .depth = params->output_depth};
    int32_t left = -params->pad_left;
    for (int32_t n = params->output_width; n > 0; n--, left += params->stride_width) {
        if (is_inside) {
            columns_3x3(params, row, left, zeros, &window);
        } else {
            gather_3x3(group, input, top, left, zeros, taps);
            for (int j = 0; j < 3; j++) {
                window.column[j] = taps + j * SIXTEEN;
                window.down[j] = 3 * SIXTEEN;
            }
        }
        const tflm_sixteen_t sums = tflm_window_3x3(
            &window, group->constants.start, is_full ? SIXTEEN : group->count);
        finish(group, sums, is_full, output);
        output += params->output_depth;
    }
}

// Not inlined, so that the group's constants are within reach of its address.
static __attribute__((noinline)) void full_row_3x3(const group_t *group, const int8_t *input,
    int32_t top, const int8_t *zeros, int8_t *output) {
    row_3x3(group, input, top, zeros, 1, output);
}

static __attribute__((noinline)) void narrow_row_3x3(const group_t *group, const int8_t *input,
    int32_t top, const int8_t *zeros, int8_t *output) {
    row_3x3(group, input, top, zeros, 0, output);
}

// Brings count words, at most sixteen, into the order of tflm_sixteen_constants_t.
static void load_sixteen(int32_t *to, const int32_t *from, int32_t count) {
    if (count == SIXTEEN) {
        const int32x4x4_t four = vld4q_s32(from);
        vstrwq_s32(to, four.val[0]);
        vstrwq_s32(to + 4, four.val[1]);
        vstrwq_s32(to + 8, four.val[2]);
        vstrwq_s32(to + 12, four.val[3]);
        return;
    }
    for (int32_t i = 0; i < SIXTEEN; i++) {
        to[4 * (i % 4) + i / 4] = i < count ? from[i] : 0;
    }
}

// One output row of the channels from c on, sixteen or all.
static void run_group(
    const layer_t *layer, int32_t c, const int8_t *input, int32_t top, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth;
    group_t group;
    group.layer = layer;
    group.filter = layer->filter + c;
    group.count = depth < SIXTEEN ? depth : SIXTEEN;
    const tflm_lanes_t lanes = tflm_lanes_from(layer->lanes, c);
    load_sixteen(group.constants.start, lanes.start, group.count);
    load_sixteen(group.constants.multiplier, lanes.multiplier, group.count);
    load_sixteen(group.constants.shift, lanes.shift, group.count);
    int8_t zeros[SIXTEEN];
    tflm_fill_bytes(zeros, tflm_zero_point(params->input_offset), SIXTEEN);
    if (layer->is_3x3) {
        if (group.count == SIXTEEN) {
            full_row_3x3(&group, input + c, top, zeros, output + c);
        } else {
            narrow_row_3x3(&group, input + c, top, zeros, output + c);
        }
        return;
    }
    for (int32_t x = 0; x < params->output_width; x++) {
        any_window(&group, input + c, top, x * params->stride_width - params->pad_left, zeros,
            output + c + x * depth);
    }
}

// One row of a filter over one input channel, times eight channels of weights.
SPECIALISED const int8_t *add_spread_row(const layer_t *layer, const int8_t *row, int32_t left,
    const int8_t *w, int is_inside, int32x4_t sums[2]) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth;
    int32x4_t low = sums[0], high = sums[1];
    uint32_t x = (uint32_t)left;
    for (int32_t j = params->filter_width; j > 0; j--, w += depth) {
        int32_t value = tflm_zero_point(params->input_offset);
        if (is_inside || (row != NULL && x < (uint32_t)params->input_width)) {
            value = row[x];
        }
        low = vmlaq_n_s32(low, vldrbq_s32(w), value);
        high = vmlaq_n_s32(high, vldrbq_s32(w + 4), value);
        x += (uint32_t)params->dilation_width;
    }
    sums[0] = low;
    sums[1] = high;
    return w;
}

// One output of eight channels c..c+7; input: an image of one channel.
static void spread_window(const layer_t *layer, int32_t c, const int8_t *input, int32_t top,
    int32_t left, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const tflm_lanes_t lanes = tflm_lanes_from(layer->lanes, c);
    const int32_t end = left + (params->filter_width - 1) * params->dilation_width;
    const int32_t is_inside = left >= 0 && end < params->input_width;
    const tflm_four_t low = tflm_load_four(lanes, layer->range);
    const tflm_four_t high = tflm_load_four(tflm_lanes_from(lanes, 4), layer->range);
    int32x4_t sums[2] = {vldrwq_s32(lanes.start), vldrwq_s32(lanes.start + 4)};
    const int8_t *w = layer->filter + c;
    for (int32_t i = 0; i < params->filter_height; i++) {
        const uint32_t y = (uint32_t)top + (uint32_t)i * (uint32_t)params->dilation_height;
        const int has_row = y < (uint32_t)params->input_height;
        const int8_t *row = has_row ? input + (int32_t)y * params->input_width : NULL;
        if (has_row && is_inside) {
            w = add_spread_row(layer, row, left, w, 1, sums);
        } else {
            w = add_spread_row(layer, row, left, w, 0, sums);
        }
    }
    tflm_finish_four(output + c, sums[0], &low);
    tflm_finish_four(output + c + 4, sums[1], &high);
}

// One output row of a layer, sixteen or eight channels at a time. The last ones start early where
// channels are no multiple of that: some run twice.
static void run_row(const layer_t *layer, const int8_t *input, int32_t y, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth;
    const int32_t top = y * params->stride_height - params->pad_top;
    const int32_t step = layer->way == SPREAD ? EIGHT : SIXTEEN;
    for (int32_t channel = 0; channel < depth; channel += step) {
        const int32_t c = channel + step <= depth || depth < step ? channel : depth - step;
        if (layer->way == IN_SIXTEENS) {
            run_group(layer, c, input, top, output);
            continue;
        }
        for (int32_t x = 0; x < params->output_width; x++) {
            spread_window(layer, c, input, top, x * params->stride_width - params->pad_left,
                output + x * depth);
        }
    }
}

// One output row, a channel at a time.
static void run_row_apart(const layer_t *layer, const int8_t *input, int32_t y, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const uint32_t top = (uint32_t)(y * params->stride_height - params->pad_top);
    for (int32_t x = 0; x < params->output_width; x++) {
        const uint32_t left = (uint32_t)(x * params->stride_width - params->pad_left);
        for (int32_t c = 0; c < params->output_depth; c++) {
            const uint32_t sum = tflm_depthwise_window(params,
                input + c / params->depth_multiplier, layer->filter + c, top, left);
            *output++ = tflm_requantize((uint32_t)tflm_bias(layer->bias, c) + sum,
                tflm_lane_factor(layer->lanes, c), layer->range);
        }
    }
}

static void load_channels(const tflm_depthwise_conv_2d_t *params, const int8_t *filter,
    const uint8_t *bias, const uint8_t *scales, int32_t *words) {
    const int32_t taps = params->filter_height * params->filter_width;
    const int32_t depth = params->output_depth;
    for (int32_t c = 0; c < depth; c += 4) {
        const mve_pred16_t used = vctp32q((uint32_t)(depth - c));
        int32x4_t sums = vdupq_n_s32(0);
        for (int32_t i = 0; i < taps; i++) {
            sums = vaddq_s32(sums, vldrbq_z_s32(filter + i * depth + c, used));
        }
        vstrwq_p_s32(words + c, vmulq_n_s32(sums, params->input_offset), used);
    }
    const tflm_scales_t both = tflm_scales(params->input_scale, params->output_scale);
    for (int32_t c = 0; c < depth; c++) {
        const tflm_factor_t factor =
            tflm_factor(&both, tflm_load32(scales + c * params->scale_step));
        tflm_store_lane(
            words, depth, c, (uint32_t)tflm_bias(bias, c) + (uint32_t)words[c], factor);
    }
}

// Whether tflm_window_3x3 will do: no weight is -128, no tap is more than an image away.
static int32_t is_3x3(const tflm_depthwise_conv_2d_t *params, const int8_t *filter) {
    return params->filter_height == 3 && params->filter_width == 3
        && params->dilation_height <= params->input_height
        && params->dilation_width <= params->input_width
        && params->dilation_height > 0 && params->dilation_width > 0
        && tflm_least(filter, 9 * params->output_depth) > INT8_MIN;
}

static way_t way_of(const tflm_depthwise_conv_2d_t *params, tflm_lanes_t lanes) {
    if (!tflm_lanes_shift_right(lanes, params->output_depth)) {
        return APART;
    }
    if (params->depth_multiplier == 1) {
        return IN_SIXTEENS;
    }
    return params->input_depth == 1 && params->output_depth >= EIGHT ? SPREAD : APART;
}

// Arguments as in ../portable/depthwise_conv.c. Scratch: the channels' constants.
void tflm_depthwise_conv_2d_s8(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, const int32_t *constants,
    int8_t *output, int32_t *scratch) {
    const int32_t depth = params->output_depth;
    if (constants == NULL) {
        load_channels(params, filter, bias, scales, scratch);
        constants = scratch;
    }
    const tflm_lanes_t lanes = tflm_lanes(constants, depth);
    const layer_t layer = {
        .params = params,
        .filter = filter,
        .bias = bias,
        .lanes = lanes,
        .range = {params->output_offset, params->activation_min, params->activation_max},
        .way = way_of(params, lanes),
        .is_3x3 = is_3x3(params, filter),
    };
    for (int32_t b = 0; b < params->batches; b++) {
        for (int32_t y = 0; y < params->output_height; y++) {
            if (layer.way == APART) {
                run_row_apart(&layer, input, y, output);
            } else {
                run_row(&layer, input, y, output);
            }
            output += params->output_width * depth;
        }
        input += params->input_height * params->input_width * params->input_depth;
    }
}
