// As many outputs as inputs: sixteen channels at a time. 3x3 windows side by side add two products
// in 16 bits, see tflm_window_3x3(); any others add them tap by tap in 32 bits.
#include "conv_depthwise.h"

#define SPECIALISED static inline __attribute__((always_inline))

// Sixteen channels of a layer, or as many as it has.
typedef struct {
    const tflm_mve_depthwise_t *layer;
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
        const uint32_t y = tflm_tap_row(params, top, i);
        const int has_row = y < (uint32_t)params->input_height;
        const int32_t at = has_row ? (int32_t)y * row_size + skip : 0;
        for (int32_t j = 0; j < 3; j++, taps += TFLM_SIXTEEN) {
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
    int8_t taps[9 * TFLM_SIXTEEN];
    tflm_3x3_t window = run->first;
    group_t group = *first;
    for (int32_t skip = 0; skip < groups * TFLM_SIXTEEN; skip += TFLM_SIXTEEN) {
        if (run->has_rows) {
            window.column[0] = column[0] + (run->first.down[0] != 0 ? skip : 0);
            window.column[1] = column[1] + (run->first.down[1] != 0 ? skip : 0);
            window.column[2] = column[2] + (run->first.down[2] != 0 ? skip : 0);
        } else {
            gather(first, top, run, skip, taps);
            for (int j = 0; j < 3; j++) {
                window.column[j] = taps + j * TFLM_SIXTEEN;
                window.down[j] = 3 * TFLM_SIXTEEN;
            }
        }
        int8_t *to = output + skip;
        for (int32_t n = run->count; n > 0; n--, to += depth) {
            const tflm_sixteen_t sums = tflm_window_3x3(
                &window, group.constants.start, is_full ? TFLM_SIXTEEN : group.count);
            finish(&group, sums, is_full, to);
        }
        window.filter += TFLM_SIXTEEN;
        group.constants.start += TFLM_SIXTEEN;
        group.constants.multiplier += TFLM_SIXTEEN;
        group.constants.shift += TFLM_SIXTEEN;
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
        if (group->count == TFLM_SIXTEEN) {
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
    for (int32_t i = 0; i < TFLM_SIXTEEN; i++) {
        to[4 * (i % 4) + i / 4] = i < count ? from[i] : 0;
    }
    return to;
}

// One output row of the channels from c on: of so many groups of sixteen, or of all channels.
static void run_channels(const tflm_mve_depthwise_t *layer, int32_t c, int32_t groups, row_t row) {
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
    if (!layer->is_3x3) {
        for (int32_t x = 0; x < params->output_width; x++) {
            any_window(&group, row.input, row.top, x * params->stride_width - params->pad_left,
                layer->zeros, row.output + x * depth);
        }
    } else {
        row_3x3(&group, &row, groups);
    }
}

void tflm_mve_depthwise_sixteen(
    const tflm_mve_depthwise_t *layer, const int8_t *input, int32_t y, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth;
    const int32_t top = y * params->stride_height - params->pad_top;
    if (layer->is_in_order && layer->is_3x3) {
        run_channels(layer, 0, depth / TFLM_SIXTEEN, (row_t) {input, top, output});
        return;
    }
    for (int32_t channel = 0; channel < depth; channel += TFLM_SIXTEEN) {
        const int32_t c = tflm_channels_from(channel, TFLM_SIXTEEN, depth);
        run_channels(layer, c, 1, (row_t) {input + c, top, output + c});
    }
}
