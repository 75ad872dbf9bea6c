// CONV_2D in float32. Source: tensorflow/lite/kernels/internal/reference/conv.h.
#include "generated/layout.h"
#include "../common/conv_f32.h"
#include "../common/dot_f32.h"
#include "../common/taps.h"

// The part of a window that lies in the image, as runs of values that follow each other in the
// input and in a filter.
typedef struct {
    int32_t rows, runs, length;  // so many runs a row, of so many values each
    int32_t input, filter;       // bytes to the first
    int32_t next_input, next_filter, row_input, row_filter;  // from a run, from a row, to the next
} area_t;

static area_t area_of(const tflm_conv_2d_f32_t *params, tflm_taps_t rows, int32_t left) {
    const tflm_taps_t columns = tflm_clip_taps(
        left, params->filter_width, params->dilation_width, params->input_width);
    const int32_t depth = params->filter_depth, width = columns.last - columns.first;
    area_t area = {rows.last - rows.first, width, depth, 0, 0,
        4 * params->dilation_width * params->input_depth, 4 * depth,
        4 * params->dilation_height * params->input_width * params->input_depth,
        4 * params->filter_width * depth};
    area.input = 4 * (left + columns.first * params->dilation_width) * params->input_depth;
    area.filter = rows.first * area.row_filter + columns.first * area.next_filter;
    if (area.next_input == area.next_filter) {  // all channels of neighbours: one run
        area.length *= width;
        area.runs = width > 0 ? 1 : 0;
    }
    return area;
}

// Adds one position's products to the sums of `count` channels, 1 or TFLM_DOTS, whose filters are
// `step` bytes apart.
static void add_window(float sums[TFLM_DOTS], const area_t *area, const uint8_t *input,
    const uint8_t *filter, int32_t step, int32_t count) {
    for (int32_t y = 0; y < area->rows; y++) {
        const uint8_t *x = input, *w = filter;
        for (int32_t i = 0; i < area->runs; i++) {
            if (count == TFLM_DOTS) {
                tflm_dots_f32(sums, x, w, step, area->length);
            } else {
                sums[0] = tflm_dot_f32(sums[0], x, w, area->length);
            }
            x += area->next_input;
            w += area->next_filter;
        }
        input += area->row_input;
        filter += area->row_filter;
    }
}

// Fills channels first..last-1 of the output; the filter begins with that of the first.
void tflm_conv_2d_f32_channels(const tflm_conv_2d_f32_t *params, const uint8_t *input,
    const uint8_t *filter, const uint8_t *bias, uint8_t *output, int32_t first, int32_t last) {
    const float minimum = tflm_float(params->activation_min);
    const float maximum = tflm_float(params->activation_max);
    const int32_t depth = params->filter_depth, channels = params->output_depth;
    const int32_t group = channels / (params->input_depth / depth), group_of_first = first / group;
    const int32_t taps = 4 * params->filter_height * params->filter_width * depth;  // bytes
    const int32_t line = 4 * params->input_width * params->input_depth;
    const int32_t most = tflm_are_aligned(input, filter) && group >= TFLM_DOTS ? TFLM_DOTS : 1;
    const int32_t skipped = 4 * (channels - (last - first));
    output += 4 * first;
    input += 4 * group_of_first * depth;
    for (int32_t b = 0; b < params->batches; b++, input += params->input_height * line) {
        for (int32_t y = 0; y < params->output_height; y++) {
            const int32_t top = y * params->stride_height - params->pad_top;
            const tflm_taps_t rows = tflm_clip_taps(
                top, params->filter_height, params->dilation_height, params->input_height);
            const int32_t start = (top + rows.first * params->dilation_height) * line;
            for (int32_t x = 0; x < params->output_width; x++, output += skipped) {
                const area_t area =
                    area_of(params, rows, x * params->stride_width - params->pad_left);
                int32_t count, end = (group_of_first + 1) * group;  // of a group of channels
                const uint8_t *window = input + start + area.input;
                const uint8_t *weights = filter + area.filter;
                for (int32_t c = first; c < last; c += count) {
                    if (c == end) {
                        end += group;
                        window += 4 * depth;
                    }
                    float sums[TFLM_DOTS] = {0};
                    count = (end < last ? end : last) - c >= most ? most : 1;
                    add_window(sums, &area, window, weights, taps, count);
                    weights += count * taps;
                    for (int32_t k = 0; k < count; k++, output += 4) {
                        tflm_finish_f32(output, sums[k], tflm_bias(bias, c + k), minimum, maximum);
                    }
                }
            }
        }
    }
}

// input   float32 [batches, input_height, input_width, input_depth]
// filter  float32 [output_depth, filter_height, filter_width, filter_depth]; filter_depth divides
//         input_depth: the groups, which divide output_depth
// bias    float32 [output_depth] or NULL
// output  float32 [batches, output_height, output_width, output_depth]; rows in order, as in conv.c
// Each sum goes over rows, columns and channels in order, the bias last. What prepare sees to: as
// in conv.c.
void tflm_conv_2d_f32(const tflm_conv_2d_f32_t *params, const uint8_t *input,
    const uint8_t *filter, const uint8_t *bias, uint8_t *output) {
    tflm_conv_2d_f32_channels(params, input, filter, bias, output, 0, params->output_depth);
}
