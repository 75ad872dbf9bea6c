// Four channels at a time, a window at a time.
#include "../common/taps.h"
#include "conv_depthwise_layer.h"

// The part of a window that lies in the image. Steps are in bytes: to the next tap, and from the
// last of a row to the next row's first.
typedef struct {
    int32_t rows, columns;
    int32_t next_input, next_filter, row_input, row_filter;
} area_t;

// Sums of one window of four channels, of products only.
typedef struct {
    uint32_t of[TFLM_LANES];
} sums_t;

static sums_t window_of_four(
    const area_t *area, const int8_t *x, const int8_t *w, uint32_t offsets) {
    const int32_t next_input = area->next_input, next_filter = area->next_filter;
    uint32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int32_t i = area->rows; i > 0; i--) {
        for (int32_t j = area->columns; j > 0; j--) {
            const uint32_t word = tflm_load4(x), taps = tflm_load4(w);
            const uint32_t even = tflm_add_even(offsets, word);
            const uint32_t odd = tflm_add_odd(offsets, word);
            s0 = tflm_smlabb(tflm_even(taps), even, s0);
            s2 = tflm_smlatt(tflm_even(taps), even, s2);
            s1 = tflm_smlabb(tflm_odd(taps), odd, s1);
            s3 = tflm_smlatt(tflm_odd(taps), odd, s3);
            x += next_input;
            w += next_filter;
        }
        x += area->row_input;
        w += area->row_filter;
    }
    return (sums_t) {{s0, s1, s2, s3}};
}

// What windows share in a row of outputs.
typedef struct {
    tflm_taps_t rows;
    const int8_t *image, *filter;  // the first row of each that counts
} line_t;

static line_t line_at(const tflm_dsp_depthwise_t *layer, const int8_t *image, int32_t y) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t top = y * params->stride_height - params->pad_top;
    const tflm_taps_t rows = tflm_clip_taps(
        top, params->filter_height, params->dilation_height, params->input_height);
    const int32_t first = top + rows.first * params->dilation_height;
    return (line_t) {
        .rows = rows,
        .image = image + first * params->input_width * params->input_depth,
        .filter = layer->filter + rows.first * params->filter_width * params->output_depth,
    };
}

static void run_position(
    const tflm_dsp_depthwise_t *layer, const line_t *line, int32_t x, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth, left = x * params->stride_width - params->pad_left;
    const uint32_t offsets = tflm_both(params->input_offset);
    const tflm_taps_t columns = tflm_clip_taps(
        left, params->filter_width, params->dilation_width, params->input_width);
    const int8_t *from = line->image + (left + columns.first * params->dilation_width) * depth;
    const int8_t *filter = line->filter + columns.first * depth;
    const int32_t width = columns.last > columns.first ? columns.last - columns.first : 0;
    area_t area = {line->rows.last - line->rows.first, width,
        params->dilation_width * depth, depth,
        params->dilation_height * params->input_width * depth, params->filter_width * depth};
    if (area.columns == 1) {  // a column is taken for a row
        area = (area_t) {1, area.rows, area.row_input, area.row_filter, 0, 0};
    } else {
        area.row_input -= area.columns * area.next_input;
        area.row_filter -= area.columns * area.next_filter;
    }
    for (int32_t group = 0; group < depth; group += TFLM_LANES) {
        const int32_t c = group + TFLM_LANES <= depth ? group : depth - TFLM_LANES;
        const sums_t sums = window_of_four(&area, from + c, filter + c, offsets);
        for (int32_t i = 0; i < TFLM_LANES; i++) {
            const tflm_dsp_channel_t *channel = &layer->channels[c + i];
            output[c + i] = tflm_dsp_finish(
                (uint32_t)channel->start + 2 * sums.of[i], channel, layer->form);
        }
    }
    tflm_dsp_clamp(output, depth, layer->range);
}

void tflm_dsp_depthwise_any(const tflm_dsp_depthwise_t *layer) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth;
    const int8_t *image = layer->input;
    int8_t *output = layer->output;
    for (int32_t b = 0; b < params->batches; b++) {
        for (int32_t y = 0; y < params->output_height; y++) {
            const line_t line = line_at(layer, image, y);
            for (int32_t x = 0; x < params->output_width; x++, output += depth) {
                run_position(layer, &line, x, output);
            }
        }
        image += params->input_height * params->input_width * depth;
    }
}
