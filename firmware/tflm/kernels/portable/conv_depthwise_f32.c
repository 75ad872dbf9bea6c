// DEPTHWISE_CONV_2D in float32. Source: tensorflow/lite/kernels/internal/reference/
// depthwiseconv_float.h.
#include "generated/layout.h"
#include "../common/conv_f32.h"
#include "../common/dot_f32.h"
#include "../common/taps.h"

enum { LANES = 4 };  // channels at once

// The part of a window that lies in the image; steps in bytes.
typedef struct {
    int32_t rows, columns;
    int32_t next_input, next_filter, row_input, row_filter;  // from a tap, from a row, to the next
} area_t;

// Returns the sum of one channel.
static float sum_of(const area_t *area, const uint8_t *input, const uint8_t *filter) {
    float sum = 0.0f;
    for (int32_t y = 0; y < area->rows; y++, input += area->row_input, filter += area->row_filter) {
        sum = tflm_dot_apart_f32(
            sum, input, area->next_input, filter, area->next_filter, area->columns);
    }
    return sum;
}

// Makes the sums of LANES channels, all of whose words lie at multiples of 4 bytes.
static void sums_of(
    float sums[LANES], const area_t *area, const uint8_t *input, const uint8_t *filter) {
    tflm_lanes_t lanes = {0};
    for (int32_t y = 0; y < area->rows; y++, input += area->row_input, filter += area->row_filter) {
        const uint8_t *x = input, *w = filter;
        for (int32_t i = area->columns; i > 0; i--) {
            tflm_add_lanes(&lanes, x, w);
            x += area->next_input;
            w += area->next_filter;
        }
    }
    memcpy(sums, &lanes, sizeof(lanes));
}

// Fills channels first..last-1 of the output; the filter has only these channels.
void tflm_depthwise_conv_2d_f32_channels(const tflm_conv_2d_f32_t *params, const uint8_t *input,
    const uint8_t *filter, const uint8_t *bias, uint8_t *output, int32_t first, int32_t last) {
    const float minimum = tflm_float(params->activation_min);
    const float maximum = tflm_float(params->activation_max);
    const int32_t channels = last - first, multiplier = params->filter_depth;
    const int32_t pixel = 4 * params->input_depth, line = params->input_width * pixel;
    const int32_t first_input = first / multiplier;
    const int is_wide =
        !TFLM_SOFT_FLOAT && multiplier == 1 && tflm_are_aligned(input, filter);
    const int32_t skipped = 4 * (params->output_depth - channels);
    area_t area = {0, 0, params->dilation_width * pixel, 4 * channels,
        params->dilation_height * line, 4 * channels * params->filter_width};
    output += 4 * first;
    input += 4 * first_input;
    for (int32_t b = 0; b < params->batches; b++, input += params->input_height * line) {
        for (int32_t y = 0; y < params->output_height; y++) {
            const int32_t top = y * params->stride_height - params->pad_top;
            const tflm_taps_t rows = tflm_clip_taps(
                top, params->filter_height, params->dilation_height, params->input_height);
            area.rows = rows.last - rows.first;
            for (int32_t x = 0; x < params->output_width; x++, output += skipped) {
                const int32_t left = x * params->stride_width - params->pad_left;
                const tflm_taps_t columns = tflm_clip_taps(
                    left, params->filter_width, params->dilation_width, params->input_width);
                area.columns = columns.last - columns.first;
                const uint8_t *window = input
                    + (top + rows.first * params->dilation_height) * line
                    + (left + columns.first * params->dilation_width) * pixel;
                const uint8_t *weights =
                    filter + rows.first * area.row_filter + columns.first * area.next_filter;
                // Of those that share an input channel:
                int32_t count, left_over = multiplier - (first - first_input * multiplier);
                for (int32_t c = 0; c < channels; c += count) {
                    float sums[LANES];
                    count = is_wide && channels - c >= LANES ? LANES : 1;
                    if (count == LANES) {
                        sums_of(sums, &area, window, weights + 4 * c);
                        window += 4 * LANES;
                    } else {
                        sums[0] = sum_of(&area, window, weights + 4 * c);
                        if (--left_over == 0) {
                            left_over = multiplier;
                            window += 4;
                        }
                    }
                    for (int32_t k = 0; k < count; k++, output += 4) {
                        tflm_finish_f32(
                            output, sums[k], tflm_bias(bias, first + c + k), minimum, maximum);
                    }
                }
            }
        }
    }
}

// input   float32 [batches, input_height, input_width, input_depth]
// filter  float32 [1, filter_height, filter_width, output_depth]; output channel c reads input
//         channel c / filter_depth, the depth multiplier
// bias, output  as in conv_f32.c
// Each sum goes over rows and columns in order, the bias last.
void tflm_depthwise_conv_2d_f32(const tflm_conv_2d_f32_t *params, const uint8_t *input,
    const uint8_t *filter, const uint8_t *bias, uint8_t *output) {
    tflm_depthwise_conv_2d_f32_channels(
        params, input, filter, bias, output, 0, params->output_depth);
}
