// CONV_2D for cores with vectors; the plain twin is ../portable/conv.c.
//
// Windows are made contiguous, in scratch, with the input's zero point where they leave the
// image; those of a 1x1 filter are so already. Then a vector of a window serves four channels.
// The input offset is folded into the channels' start: offset times the sum of the filter. A
// zero point adds w * (zero point + offset) = 0, so borders are exact.
#include "../../layout.h"
#include "requantize_lanes.h"

enum { LANES = 4, POSITIONS = 4 };

typedef struct {
    const tflm_conv_2d_t *params;
    const int8_t *filter;
    tflm_lanes_t lanes;
    int32_t in_fours;  // groups have four channels or more, and none shifts to the left
    tflm_range_t range;
    int32_t taps;
    int32_t group_size;  // output channels of one group
    int8_t *windows;     // room for POSITIONS of them
    int32_t window;      // bytes from one to the next
} layer_t;

// Windows of one group of channels at positions side by side, `step` bytes from one to the next.
typedef struct {
    const int8_t *at;
    int32_t step, count;
} windows_t;

static void run_channels(const layer_t *layer, windows_t windows, int32_t c, int8_t *output) {
    const int32_t taps = layer->taps, depth = layer->params->output_depth;
    const int8_t *filter = layer->filter + c * taps;
    const tflm_lanes_t lanes = tflm_lanes_from(layer->lanes, c);
    const int32x4_t start = vldrwq_s32(lanes.start);
    const tflm_four_t four = tflm_load_four(lanes, layer->range);
    const int8_t *x = windows.at;
    output += c;
    for (int32_t p = windows.count; p > 0; p--, x += windows.step, output += depth) {
        tflm_finish_four(output, tflm_dot_four(x, filter, taps, start), &four);
    }
}

static void run_channel(const layer_t *layer, windows_t windows, int32_t c, int8_t *output) {
    const tflm_factor_t factor = tflm_lane_factor(layer->lanes, c);
    const int8_t *filter = layer->filter + c * layer->taps;
    for (int32_t p = 0; p < windows.count; p++) {
        const uint32_t sum = tflm_dot_one(windows.at + p * windows.step, filter, layer->taps);
        output[p * layer->params->output_depth + c] =
            tflm_requantize((uint32_t)layer->lanes.start[c] + sum, factor, layer->range);
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
    for (int32_t c = first; c < end; c += LANES) {
        // The last four start early where channels are no multiple of four: some run twice.
        run_channels(layer, windows, c + LANES <= end ? c : end - LANES, output);
    }
}

// Copies the taps of one filter row at `row` of the input, or zero points where it has none.
static int8_t *gather_row(
    const tflm_conv_2d_t *params, const int8_t *row, int32_t is_inside, int32_t left, int8_t *to) {
    const int32_t depth = params->filter_depth;
    const int8_t zero = tflm_zero_point(params->input_offset);
    const int32_t right = left + params->filter_width;
    if (is_inside && params->dilation_width == 1 && depth == params->input_depth) {
        const int32_t first = left < 0 ? 0 : left;
        const int32_t end = right < params->input_width ? right : params->input_width;
        if (left < 0) {
            to = tflm_fill_bytes(to, zero, -left * depth);
        }
        to = tflm_copy_bytes(to, row + first * depth, (end - first) * depth);
        return end < right ? tflm_fill_bytes(to, zero, (right - end) * depth) : to;
    }
    for (int32_t j = 0; j < params->filter_width; j++) {
        const uint32_t x = (uint32_t)left + (uint32_t)j * (uint32_t)params->dilation_width;
        if (is_inside && x < (uint32_t)params->input_width) {
            to = tflm_copy_bytes(to, row + x * (uint32_t)params->input_depth, depth);
        } else {
            to = tflm_fill_bytes(to, zero, depth);
        }
    }
    return to;
}

// Copies one window; input points at the group's first channel.
static void gather(
    const tflm_conv_2d_t *params, const int8_t *input, int32_t top, int32_t left, int8_t *to) {
    for (int32_t i = 0; i < params->filter_height; i++) {
        const uint32_t y = (uint32_t)top + (uint32_t)i * (uint32_t)params->dilation_height;
        const int32_t is_inside = y < (uint32_t)params->input_height;
        const int8_t *row = input
            + (is_inside ? y : 0) * (uint32_t)(params->input_width * params->input_depth);
        to = gather_row(params, row, is_inside, left, to);
    }
}

// One output row of windows that have to be gathered.
static void run_row(const layer_t *layer, const int8_t *input, int32_t top, int8_t *output) {
    const tflm_conv_2d_t *params = layer->params;
    for (int32_t x = 0; x < params->output_width; x += POSITIONS) {
        const int32_t left = params->output_width - x;
        const int32_t count = left < POSITIONS ? left : POSITIONS;
        const windows_t windows = {layer->windows, layer->window, count};
        const int8_t *group = input;
        for (int32_t c = 0; c < params->output_depth; c += layer->group_size) {
            for (int32_t p = 0; p < count; p++) {
                gather(params, group, top, (x + p) * params->stride_width - params->pad_left,
                    layer->windows + p * layer->window);
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

static void run_rows(const layer_t *layer, const int8_t *input, int8_t *output) {
    const tflm_conv_2d_t *params = layer->params;
    const int32_t in_row = params->input_width * params->input_depth;
    const windows_t pixels = {
        input, params->stride_width * params->input_depth, params->output_width};
    const int32_t of_pixels = is_pixel(params);
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

static void load_channels(const tflm_conv_2d_t *params, const int8_t *filter, const uint8_t *bias,
    const uint8_t *scales, int32_t taps, int32_t *words) {
    const tflm_scales_t both = tflm_scales(params->input_scale, params->output_scale);
    for (int32_t c = 0; c < params->output_depth; c++, filter += taps) {
        const tflm_factor_t factor =
            tflm_factor(&both, tflm_load32(scales + c * params->scale_step));
        const uint32_t folded = (uint32_t)params->input_offset * tflm_sum(filter, taps);
        tflm_store_lane(
            words, params->output_depth, c, (uint32_t)tflm_bias(bias, c) + folded, factor);
    }
}

// Arguments as in ../portable/conv.c. Scratch: four windows, then the channels' constants.
void tflm_conv_2d_s8(const tflm_conv_2d_t *params, const int8_t *input, const int8_t *filter,
    const uint8_t *bias, const uint8_t *scales, const int32_t *constants, int8_t *output,
    int32_t *scratch) {
    const int32_t taps = params->filter_height * params->filter_width * params->filter_depth;
    const int32_t window = (taps + 3) & ~3;
    if (constants == NULL) {
        load_channels(params, filter, bias, scales, taps, scratch + window);
        constants = scratch + window;
    }
    const int32_t depth = params->output_depth;
    layer_t layer = {
        .params = params,
        .filter = filter,
        .lanes = tflm_lanes(constants, depth),
        .range = {params->output_offset, params->activation_min, params->activation_max},
        .taps = taps,
        .group_size = depth / (params->input_depth / params->filter_depth),
        .windows = (int8_t *)scratch,
        .window = window,
    };
    layer.in_fours = layer.group_size >= LANES && tflm_lanes_shift_right(layer.lanes, depth);
    for (int32_t b = 0; b < params->batches; b++) {
        run_rows(&layer, input, output);
        input += params->input_height * params->input_width * params->input_depth;
        output += params->output_height * params->output_width * params->output_depth;
    }
}
