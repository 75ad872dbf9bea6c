// DEPTHWISE_CONV_2D for cores with vectors; the plain twin is ../portable/conv_depthwise.c.
//
// As many outputs as inputs: sixteen channels at a time. One input channel: each of its values
// times a vector of weights, eight channels at a time. Anything else: a channel at a time.
// The input offset is folded into the channels' start, as in conv.c: taps outside the image are
// taken as the input's zero point.
#include "../../layout.h"
#include "../conv_depthwise_window.h"
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
    int32_t is_in_order;  // the constants have the order of tflm_sixteen_constants_t
    int32_t is_near;  // no tap is an image or more from the next
    int32_t is_3x3;  // and tflm_window_3x3 will do
    int8_t zeros[SIXTEEN];  // zero points of the input
} layer_t;

// Sixteen channels of a layer, or as many as it has.
typedef struct {
    const layer_t *layer;
    const int8_t *filter;
    int32_t count;
    tflm_sixteen_constants_t constants;
} group_t;

// One output row of a layer, from channel c on: input of the image, output of the row.
typedef struct {
    const int8_t *input;
    int32_t top;
    int8_t *output;
} row_t;

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

// Sets the columns of the window at `left`, whose rows are inside the image; row: where the first
// of them begins. A column outside the image is one zero point, thrice.
SPECIALISED void set_columns(const group_t *group, const int8_t *row, int32_t left,
    tflm_3x3_t *window) {
    const tflm_depthwise_conv_2d_t *params = group->layer->params;
    const int32_t depth = params->input_depth, width = params->input_width;
    const int32_t down = params->dilation_height * width * depth;
    const int8_t *column = row + left * depth;
    for (int j = 0; j < 3; j++, left += params->dilation_width) {
        const int has_column = (uint32_t)left < (uint32_t)width;
        window->column[j] = has_column ? column : group->layer->zeros;
        window->down[j] = has_column ? down : 0;
        column += params->dilation_width * depth;
    }
}

// Windows side by side that have the same columns inside the image. has_rows: all their rows are;
// else there is one window, with columns set for rows that begin where the image does.
typedef struct {
    tflm_3x3_t first;  // for the first sixteen channels
    int32_t count, has_rows;
} run_t;

// Copies the nine taps of sixteen channels, `skip` from the first, of a window without all rows.
static void gather(
    const group_t *group, int32_t top, const run_t *run, int32_t skip, int8_t *taps) {
    const tflm_depthwise_conv_2d_t *params = group->layer->params;
    const mve_pred16_t used = vctp8q((uint32_t)group->count);
    const int32_t row_size = params->input_width * params->input_depth;
    const int8x16_t zeros = vldrbq_s8(group->layer->zeros);
    for (int32_t i = 0; i < 3; i++) {
        const uint32_t y = tap_row(params, top, i);
        const int has_row = y < (uint32_t)params->input_height;
        const int32_t at = has_row ? (int32_t)y * row_size + skip : 0;
        for (int32_t j = 0; j < 3; j++, taps += SIXTEEN) {
            int8x16_t tap = zeros;
            if (has_row && run->first.down[j] != 0) {
                tap = vldrbq_z_s8(run->first.column[j] + at, used);
            }
            vstrbq_s8(taps, tap);
        }
    }
}

// A run of windows, for `groups` groups of sixteen channels side by side, or one of fewer.
SPECIALISED void run_groups(const group_t *first, int32_t top, const run_t *run, int32_t groups,
    int is_full, int8_t *output) {
    const int32_t depth = first->layer->params->output_depth;
    const int8_t *const *column = run->first.column;
    int8_t taps[9 * SIXTEEN];
    tflm_3x3_t window = run->first;
    group_t group = *first;
    for (int32_t skip = 0; skip < groups * SIXTEEN; skip += SIXTEEN) {
        if (run->has_rows) {
            window.column[0] = column[0] + (run->first.down[0] != 0 ? skip : 0);
            window.column[1] = column[1] + (run->first.down[1] != 0 ? skip : 0);
            window.column[2] = column[2] + (run->first.down[2] != 0 ? skip : 0);
        } else {
            gather(first, top, run, skip, taps);
            for (int j = 0; j < 3; j++) {
                window.column[j] = taps + j * SIXTEEN;
                window.down[j] = 3 * SIXTEEN;
            }
        }
        int8_t *to = output + skip;
        for (int32_t n = run->count; n > 0; n--, to += depth) {
            const tflm_sixteen_t sums = tflm_window_3x3(
                &window, group.constants.start, is_full ? SIXTEEN : group.count);
            finish(&group, sums, is_full, to);
        }
        window.filter += SIXTEEN;
        group.constants.start += SIXTEEN;
        group.constants.multiplier += SIXTEEN;
        group.constants.shift += SIXTEEN;
    }
}

// Not inlined: the windows need all registers.
static __attribute__((noinline)) void run_full(
    const group_t *first, int32_t top, const run_t *run, int32_t groups, int8_t *output) {
    run_groups(first, top, run, groups, 1, output);
}

static __attribute__((noinline)) void run_narrow(
    const group_t *first, int32_t top, const run_t *run, int8_t *output) {
    run_groups(first, top, run, 1, 0, output);
}

// One output row of 3x3 windows, for one group or several that lie side by side.
static void row_3x3(const group_t *group, const row_t *row, int32_t groups) {
    const tflm_depthwise_conv_2d_t *params = group->layer->params;
    const int32_t stride = params->stride_width, depth = params->output_depth;
    const int32_t end = params->input_width - 2 * params->dilation_width;
    const int32_t has_rows =
        row->top >= 0 && row->top + 2 * params->dilation_height < params->input_height;
    const int8_t *from =
        row->input + (has_rows ? row->top * params->input_width * params->input_depth : 0);
    run_t run = {.has_rows = has_rows};
    run.first.filter = group->filter;
    run.first.below = 3 * depth;
    run.first.right = -5 * depth;
    run.first.across[0] = run.first.across[1] = run.first.across[2] = stride * depth;
    int8_t *output = row->output;
    int32_t left = -params->pad_left;
    for (int32_t n = params->output_width; n > 0; n -= run.count) {
        set_columns(group, from, left, &run.first);
        run.count = 1;
        if (has_rows && left >= 0 && left + stride < end) {
            run.count += (end - 1 - left) / stride;
            run.count = run.count < n ? run.count : n;
        }
        if (group->count == SIXTEEN) {
            run_full(group, row->top, &run, groups, output);
        } else {
            run_narrow(group, row->top, &run, output);
        }
        left += run.count * stride;
        output += run.count * depth;
    }
}

// Brings count words, at most sixteen, into the order of tflm_sixteen_constants_t.
static const int32_t *load_sixteen(int32_t *to, const int32_t *from, int32_t count) {
    for (int32_t i = 0; i < SIXTEEN; i++) {
        to[4 * (i % 4) + i / 4] = i < count ? from[i] : 0;
    }
    return to;
}

// One output row of the channels from c on: of so many groups of sixteen, or of all channels.
static void run_channels(const layer_t *layer, int32_t c, int32_t groups, row_t row) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth;
    const tflm_lanes_t lanes = tflm_lanes_from(layer->lanes, c);
    int32_t words[3 * SIXTEEN];
    group_t group = {layer, layer->filter + c, depth < SIXTEEN ? depth : SIXTEEN,
        {lanes.start, lanes.multiplier, lanes.shift}};
    if (!layer->is_in_order) {
        group.constants.start = load_sixteen(words, lanes.start, group.count);
        group.constants.multiplier =
            load_sixteen(words + SIXTEEN, lanes.multiplier, group.count);
        group.constants.shift = load_sixteen(words + 2 * SIXTEEN, lanes.shift, group.count);
    }
    if (!layer->is_3x3) {
        for (int32_t x = 0; x < params->output_width; x++) {
            any_window(&group, row.input, row.top, x * params->stride_width - params->pad_left,
                layer->zeros, row.output + x * depth);
        }
    } else {
        row_3x3(&group, &row, groups);
    }
}

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
static void add_clipped(const layer_t *layer, spread_t *sums, const int8_t *input, int32_t top,
    int32_t left) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t width = params->filter_width, depth = params->output_depth;
    // The taps first..end-1 of a row are inside the image.
    int32_t first = 0;
    while (first < width && tap_column(params, left, first) >= (uint32_t)params->input_width) {
        first++;
    }
    int32_t end = width;
    while (end > first && tap_column(params, left, end - 1) >= (uint32_t)params->input_width) {
        end--;
    }
    for (int32_t i = 0; i < params->filter_height; i++) {
        const int8_t *row = tap_at(params, input, tap_row(params, top, i),
            tap_column(params, left, first), NULL);
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
static void spread_window(const layer_t *layer, int32_t c, const int8_t *input, int32_t top,
    int32_t left, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const tflm_lanes_t lanes = tflm_lanes_from(layer->lanes, c);
    spread_t sums = {vldrwq_s32(lanes.start), vldrwq_s32(lanes.start + 4), layer->filter + c};
    const uint32_t bottom = tap_row(params, top, params->filter_height - 1);
    const uint32_t right = tap_column(params, left, params->filter_width - 1);
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

// One output row of a layer, sixteen or eight channels at a time. The last ones start early where
// channels are no multiple of that: some run twice.
static void run_row(const layer_t *layer, const int8_t *input, int32_t y, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth;
    const int32_t top = y * params->stride_height - params->pad_top;
    const int32_t step = layer->way == SPREAD ? EIGHT : SIXTEEN;
    if (layer->is_in_order && layer->is_3x3) {
        run_channels(layer, 0, depth / SIXTEEN, (row_t) {input, top, output});
        return;
    }
    for (int32_t channel = 0; channel < depth; channel += step) {
        const int32_t c = channel + step <= depth || depth < step ? channel : depth - step;
        if (layer->way == IN_SIXTEENS) {
            run_channels(layer, c, 1, (row_t) {input + c, top, output + c});
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

static int32_t is_near(const tflm_depthwise_conv_2d_t *params) {
    return params->dilation_height > 0 && params->dilation_height <= params->input_height
        && params->dilation_width > 0 && params->dilation_width <= params->input_width;
}

// Whether tflm_window_3x3 will do: no weight is -128.
static int32_t is_3x3(const tflm_depthwise_conv_2d_t *params, const int8_t *filter) {
    return params->filter_height == 3 && params->filter_width == 3 && is_near(params)
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

// Channels in sixteens, none of which runs twice, have their constants in the order of vectors.
static int32_t has_vector_order(const tflm_depthwise_conv_2d_t *params, way_t way) {
    return way == IN_SIXTEENS && params->output_depth % SIXTEEN == 0;
}

static void bring_into_order(int32_t *words, int32_t count) {
    for (int32_t *group = words; group != words + count; group += SIXTEEN) {
        const int32x4x4_t four = vld4q_s32(group);
        vstrwq_s32(group, four.val[0]);
        vstrwq_s32(group + 4, four.val[1]);
        vstrwq_s32(group + 8, four.val[2]);
        vstrwq_s32(group + 12, four.val[3]);
    }
}

// Arguments as in ../portable/conv_depthwise.c. Scratch: the channels' constants.
void tflm_depthwise_conv_2d_s8(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, const int32_t *constants,
    int8_t *output, int32_t *scratch) {
    const int32_t depth = params->output_depth;
    if (constants == NULL) {
        load_channels(params, filter, bias, scales, scratch);
        if (has_vector_order(params, way_of(params, tflm_lanes(scratch, depth)))) {
            bring_into_order(scratch, 3 * depth);
        }
        constants = scratch;
    }
    const tflm_lanes_t lanes = tflm_lanes(constants, depth);
    layer_t layer = {
        .params = params,
        .filter = filter,
        .bias = bias,
        .lanes = lanes,
        .range = {params->output_offset, params->activation_min, params->activation_max},
        .way = way_of(params, lanes),
        .is_near = is_near(params),
        .is_3x3 = is_3x3(params, filter),
    };
    layer.is_in_order = has_vector_order(params, layer.way);
    tflm_fill_bytes(layer.zeros, tflm_zero_point(params->input_offset), SIXTEEN);
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
