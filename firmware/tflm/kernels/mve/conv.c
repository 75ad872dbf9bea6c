// CONV_2D for cores with vectors; the portable form is ../portable/conv.c.
//
// Windows are made contiguous, in scratch, with the input's zero point where they leave the
// image; those of a 1x1 filter are so already. Then a vector of a window serves four channels.
// The input offset is folded into the channels' start: offset times the sum of the filter. A
// zero point adds w * (zero point + offset) = 0, so borders are exact.
#include "generated/layout.h"
#include "conv_pairs.h"
#include "windows.h"

// Taps: at most SHORT of them take one vector, PAIRED two. So many windows lie side by side.
enum { LANES = 4, SHORT = 16, PAIRED = 32, POSITIONS = 4, POSITIONS_OF_FEW_TAPS = 16 };

typedef struct {
    const tflm_conv_2d_t *params;
    const int8_t *filter;
    const int32_t *constants;
    int32_t in_fours;  // groups are of four channels or more, and none is shifted to the left
    int32_t in_blocks;  // groups are multiples of four: constants as tflm_dot_fours takes them
    int32_t in_pairs;   // both, and two windows can share the weights
    tflm_range_t range;
    int32_t is_simple;  // tflm_range_is_simple
    int32_t taps;
    int32_t short_from;  // so many windows of few taps or more go a way of their own
    int32_t has_runs;    // no dilation, one group: filter rows are runs of bytes in the input
    int32_t group_size;  // output channels of one group
    int8_t *windows;     // room for `positions` of them
    int32_t positions;
    int32_t window;      // bytes from one to the next
    tflm_mve_pairs_t *pairs;
} layer_t;

// Where a channel's constants begin, and how far apart they are: in blocks of four channels, or as
// in requantize_lanes.h.
static int32_t place_of(const layer_t *layer, int32_t c) {
    return layer->in_blocks ? 12 * (c / LANES) + c % LANES : c;
}

static int32_t step_of(const layer_t *layer) {
    return layer->in_blocks ? LANES : layer->params->output_depth;
}

static tflm_lanes_t lanes_of(const layer_t *layer, int32_t c) {
    const int32_t *at = layer->constants + place_of(layer, c);
    const int32_t step = step_of(layer);
    return (tflm_lanes_t) {at, at + step, at + 2 * step};
}

// Windows of one group of channels at positions side by side, `step` bytes from one to the next.
typedef struct {
    const int8_t *at;
    int32_t step, count;
} windows_t;

// How many windows are worth what few taps take once for each four channels, or each two.
static int32_t short_from(const layer_t *layer) {
    if (!layer->is_simple || layer->taps > PAIRED) {
        return INT32_MAX;
    }
    return layer->taps <= SHORT ? 2 : 8;
}

// Four channels from c on.
static void run_channels(const layer_t *layer, windows_t windows, int32_t c, int8_t *output) {
    const int32_t taps = layer->taps, depth = layer->params->output_depth;
    const int8_t *filter = layer->filter + c * taps;
    const tflm_lanes_t lanes = lanes_of(layer, c);
    if (taps <= SHORT && layer->is_simple) {
        tflm_run_short(windows.at, windows.step, windows.count, filter, taps, lanes, output + c,
            depth);
        return;
    }
    if (windows.count >= layer->short_from) {
        for (int32_t k = 0; k < LANES; k += 2) {
            tflm_run_pairs(windows.at, windows.step, windows.count, filter + k * taps, taps,
                tflm_lanes_from(lanes, k), output + c + k, depth);
        }
        return;
    }
    const int32x4_t start = vldrwq_s32(lanes.start);
    const tflm_four_t four = tflm_load_four(lanes, layer->range);
    const int8_t *x = windows.at;
    output += c;
    for (int32_t p = windows.count; p > 0; p--, x += windows.step, output += depth) {
        tflm_finish_four(output, tflm_dot_four(x, filter, taps, taps, start), &four);
    }
}

// Four times `fours` channels, window by window. Not inlined, as the loops need all registers.
static __attribute__((noinline)) void run_window(const int8_t *window, const int8_t *filter,
    const int32_t *words, int32_t fours, int8_t *output, const layer_t *layer) {
    tflm_dot_fours(window, filter, layer->taps, words, fours, output, layer->range);
}

static __attribute__((noinline)) void run_window_simply(const int8_t *window, const int8_t *filter,
    const int32_t *words, int32_t fours, int8_t *output, const layer_t *layer) {
    tflm_dot_fours_simply(window, filter, layer->taps, words, fours, output);
}

static void run_windows(const layer_t *layer, windows_t windows, int32_t first, int32_t fours,
    int8_t *output) {
    const int8_t *filter = layer->filter + first * layer->taps;
    const int32_t *words = layer->constants + 3 * first;
    for (int32_t p = windows.count; p > 0; p--, windows.at += windows.step) {
        (layer->is_simple ? run_window_simply : run_window)(
            windows.at, filter, words, fours, output, layer);
        output += layer->params->output_depth;
    }
}

// Two windows after two. Returns how many it did.
static int32_t run_two_windows(
    const layer_t *layer, windows_t windows, int32_t first, int8_t *output) {
    const int32_t depth = layer->params->output_depth, even = windows.count & ~1;
    tflm_mve_pairs_t *pairs = layer->pairs;
    pairs->words = layer->constants + 3 * first;
    pairs->filter = layer->filter + first * layer->taps;
    for (int32_t p = 0; p < even; p += 2, windows.at += 2 * windows.step, output += 2 * depth) {
        pairs->output[0] = output;
        pairs->output[1] = output + depth;
        pairs->output_end = output + layer->group_size;
        pairs->window[0] = windows.at;
        pairs->window[1] = windows.at + windows.step;
        tflm_mve_pairs(pairs);
    }
    return even;
}

static void run_channel(const layer_t *layer, windows_t windows, int32_t c, int8_t *output) {
    const tflm_lanes_t lanes = lanes_of(layer, c);
    const int8_t *filter = layer->filter + c * layer->taps;
    for (int32_t p = 0; p < windows.count; p++) {
        const uint32_t sum = tflm_dot_one(windows.at + p * windows.step, filter, layer->taps);
        output[p * layer->params->output_depth + c] = tflm_requantize(
            (uint32_t)lanes.start[0] + sum, tflm_lane_factor(lanes, 0), layer->range);
    }
}

// The channels first..first + group_size - 1.
static void run_group(const layer_t *layer, windows_t windows, int32_t first, int8_t *output) {
    const int32_t end = first + layer->group_size;
    if (!layer->in_fours) {
        for (int32_t c = first; c < end; c++) {
            run_channel(layer, windows, c, output);
        }
        return;
    }
    const int32_t fours = layer->group_size / LANES;
    // What is done once a call is some 50 instructions in both cases.
    const int32_t is_short = windows.count >= layer->short_from;
    if (layer->in_pairs && !is_short) {
        const int32_t done = run_two_windows(layer, windows, first, output + first);
        windows.at += done * windows.step;
        windows.count -= done;
        output += done * layer->params->output_depth;
    }
    if (layer->in_blocks && windows.count < fours && !is_short) {
        run_windows(layer, windows, first, fours, output + first);
        return;
    }
    for (int32_t c = first; c < end; c += LANES) {
        // The last four start early where channels are no multiple of four: some run twice.
        run_channels(layer, windows, c + LANES <= end ? c : end - LANES, output);
    }
}

// Copies the taps of one filter row one by one; row: NULL outside the image.
static int8_t *gather_taps(
    const tflm_conv_2d_t *params, const int8_t *row, int32_t left, int8_t *to) {
    const int32_t depth = params->filter_depth;
    const int8_t zero = tflm_zero_point(params->input_offset);
    uint32_t x = (uint32_t)left;
    for (int32_t n = params->filter_width; n > 0; n--, x += (uint32_t)params->dilation_width) {
        if (row != NULL && x < (uint32_t)params->input_width) {
            to = tflm_copy_bytes(to, row + x * (uint32_t)params->input_depth, depth);
        } else {
            to = tflm_fill_bytes(to, zero, depth);
        }
    }
    return to;
}

static void gather_apart(const tflm_conv_2d_t *params, const int8_t *input, int32_t top,
    int32_t left, int8_t *to) {
    const int32_t row_size = params->input_width * params->input_depth;
    uint32_t y = (uint32_t)top;
    for (int32_t i = params->filter_height; i > 0; i--, y += (uint32_t)params->dilation_height) {
        const int8_t *row = NULL;
        if (y < (uint32_t)params->input_height) {
            row = input + (int32_t)y * row_size;
        }
        to = gather_taps(params, row, left, to);
    }
}

// The rows of a window that are inside the image, where a filter row is one run of bytes there.
typedef struct {
    const int8_t *row;  // the first, at the window's first tap
    int32_t above, inside, below;
} rows_t;

static rows_t rows_of(const tflm_conv_2d_t *params, const int8_t *input, int32_t top) {
    const int32_t room = params->input_height - top;
    rows_t rows = {.above = top < 0 ? -top : 0};
    const int32_t rest = params->filter_height - rows.above;
    rows.inside = params->filter_height < room ? rest : room - rows.above;
    rows.below = rest - rows.inside;
    rows.row = input + (top + rows.above) * params->input_width * params->input_depth;
    return rows;
}

// Copies the window at `left` run by run.
static void gather_runs(const layer_t *layer, const rows_t *rows, int32_t left, int8_t *to) {
    const tflm_conv_2d_t *params = layer->params;
    const int32_t depth = params->input_depth, row_size = params->input_width * depth;
    const int32_t run = params->filter_width * depth;
    const int8_t zero = tflm_zero_point(params->input_offset);
    const int8_t *from = rows->row + left * depth;
    const int32_t behind = (left + params->filter_width - params->input_width) * depth;
    int32_t inside = run;
    if (rows->above + rows->below > 0 || left < 0 || behind > 0) {
        tflm_fill_bytes(to, zero, layer->taps);
        const int32_t before = left < 0 ? -left * depth : 0;
        inside = run - before - (behind > 0 ? behind : 0);
        from += before;
        to += rows->above * run + before;
    }
    for (int32_t i = rows->inside; i > 0; i--, from += row_size, to += run) {
        tflm_copy_bytes(to, from, inside);
    }
}

// One output row whose windows need im2col.
static void run_row(const layer_t *layer, const int8_t *input, int32_t top, int8_t *output) {
    const tflm_conv_2d_t *params = layer->params;
    const rows_t rows = rows_of(params, input, top);
    for (int32_t x = 0; x < params->output_width; x += layer->positions) {
        const int32_t rest = params->output_width - x;
        const int32_t count = rest < layer->positions ? rest : layer->positions;
        const windows_t windows = {layer->windows, layer->window, count};
        const int8_t *group = input;
        for (int32_t c = 0; c < params->output_depth; c += layer->group_size) {
            int32_t left = x * params->stride_width - params->pad_left;
            for (int32_t p = 0; p < count; p++, left += params->stride_width) {
                int8_t *to = layer->windows + p * layer->window;
                if (layer->has_runs) {
                    gather_runs(layer, &rows, left, to);
                } else {
                    gather_apart(params, group, top, left, to);
                }
            }
            run_group(layer, windows, c, output);
            group += params->filter_depth;
        }
        output += count * params->output_depth;
    }
}

// Whether each window is one pixel, all of it inside the image.
static int32_t is_pixel(const tflm_conv_2d_t *params) {
    return params->filter_height == 1 && params->filter_width == 1 && params->pad_top == 0
        && params->pad_left == 0 && params->filter_depth == params->input_depth;
}

// Whether windows of one pixel can go by two from one row to the next. No outputs of two may lie where
// an input of them or of later ones does: it holds for all if it does for the first and last two.
static int32_t is_one_row(const layer_t *layer, const int8_t *input, const int8_t *output) {
    const tflm_conv_2d_t *params = layer->params;
    const int32_t pixels = params->output_height * params->output_width;
    const int32_t in = params->input_depth, out = params->output_depth;
    if (params->stride_width != 1 || params->stride_height != 1 || !layer->in_pairs
        || pixels >= layer->short_from) {
        return 0;
    }
    const uintptr_t from = (uintptr_t)input, to = (uintptr_t)output;
    return to >= from + (uint32_t)(pixels * in)
        || (to + 2 * (uint32_t)out <= from
            && to + (uint32_t)(pixels * out) <= from + (uint32_t)((pixels - 2) * in));
}

static void run_rows(const layer_t *layer, const int8_t *input, int8_t *output) {
    const tflm_conv_2d_t *params = layer->params;
    const int32_t in_row = params->input_width * params->input_depth;
    const windows_t pixels = {
        input, params->stride_width * params->input_depth, params->output_width};
    const int32_t of_pixels = is_pixel(params);
    if (of_pixels && is_one_row(layer, input, output)) {
        const windows_t all = {input, pixels.step, params->output_height * params->output_width};
        run_group(layer, all, 0, output);
        return;
    }
    for (int32_t y = 0; y < params->output_height; y++) {
        if (of_pixels) {
            windows_t windows = pixels;
            windows.at += y * params->stride_height * in_row;
            run_group(layer, windows, 0, output);
        } else {
            run_row(layer, input, y * params->stride_height - params->pad_top, output);
        }
        output += params->output_width * params->output_depth;
    }
}

static void load_channels(const layer_t *layer, const uint8_t *bias, const uint8_t *scales,
    int32_t *words) {
    const tflm_conv_2d_t *params = layer->params;
    const tflm_scales_t both = tflm_scales(params->input_scale, params->output_scale);
    const int8_t *filter = layer->filter;
    const int32_t step = step_of(layer);
    for (int32_t c = 0; c < params->output_depth; c++, filter += layer->taps) {
        const tflm_factor_t factor =
            tflm_factor(&both, tflm_load32(scales + c * params->scale_step));
        const uint32_t folded = (uint32_t)params->input_offset * tflm_sum(filter, layer->taps);
        int32_t *at = words + place_of(layer, c);
        at[0] = (int32_t)((uint32_t)tflm_bias(bias, c) + folded);
        at[step] = factor.multiplier;
        at[2 * step] = factor.shift;
    }
}

static int32_t has_left_shift(const layer_t *layer) {
    const int32_t depth = layer->params->output_depth;
    const int32_t *shifts = layer->constants + 2 * step_of(layer);
    if (!layer->in_blocks) {
        return tflm_largest(shifts, depth) > 0;
    }
    int32x4_t largest = vdupq_n_s32(0);
    for (int32_t c = 0; c < depth; c += LANES, shifts += 3 * LANES) {
        largest = vmaxq_s32(largest, vldrwq_s32(shifts));
    }
    return !tflm_all_below(largest, 1);
}

// Arguments as in ../common/plain_conv.h. Scratch: four windows, which few taps do
// without, then the channels' constants.
void tflm_conv_2d_s8(const tflm_conv_2d_t *params, const int8_t *input, const int8_t *filter,
    const uint8_t *bias, const uint8_t *scales, const int32_t *constants, int8_t *output,
    int32_t *scratch) {
    const int32_t taps = params->filter_height * params->filter_width * params->filter_depth;
    const int32_t window = (taps + 3) & ~3;
    int8_t few[PAIRED * POSITIONS_OF_FEW_TAPS];
    layer_t layer = {
        .params = params,
        .filter = filter,
        .constants = constants == NULL ? scratch + window : constants,
        .range = {params->output_offset, params->activation_min, params->activation_max},
        .taps = taps,
        .has_runs = params->dilation_width == 1 && params->dilation_height == 1
            && params->filter_depth == params->input_depth,
        .group_size = params->output_depth / (params->input_depth / params->filter_depth),
        .windows = taps <= PAIRED ? few : (int8_t *)scratch,
        .positions = taps <= PAIRED ? POSITIONS_OF_FEW_TAPS : POSITIONS,
        .window = window,
    };
    layer.is_simple = tflm_range_is_simple(layer.range);
    layer.short_from = short_from(&layer);
    tflm_mve_pairs_t pairs;  // of which each two windows set the rest
    pairs.taps = taps;
    pairs.enter = pairs.leave = pairs.finish = 0;
    pairs.range = layer.range;
    pairs.is_simple = layer.is_simple;
    layer.pairs = &pairs;
    layer.in_blocks = layer.group_size % LANES == 0;
    if (constants == NULL) {
        load_channels(&layer, bias, scales, scratch + window);
    }
    layer.in_fours = layer.group_size >= LANES && !has_left_shift(&layer);
    layer.in_pairs = layer.in_fours && layer.in_blocks && taps % TFLM_PAIR_TAPS == 0;
    for (int32_t b = 0; b < params->batches; b++) {
        run_rows(&layer, input, output);
        input += params->input_height * params->input_width * params->input_depth;
        output += params->output_height * params->output_width * params->output_depth;
    }
}
