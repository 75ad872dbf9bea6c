// AVERAGE_POOL_2D and MAX_POOL_2D. Source: tensorflow/lite/kernels/internal/reference/
// integer_ops/pooling.h.
#include "generated/layout.h"
#include "../common/fixed_point.h"
#include "../common/pool_area.h"
#include "../common/pool_window.h"
#include "../common/requantize.h"
#include "../common/split.h"

#include <string.h>

// Writes all channels of the output at one position.
typedef void (*reduce_t)(
    const tflm_pool_2d_t *params, const tflm_pool_area_t *area, int8_t *output);

// What 1 / count is for sums of count values: multiplied by it and shifted right by 24, a sum of
// magnitude 128 * count and half of count is divided exactly while count <= MOST_COUNTED. The
// product fits 32 bits; the reciprocal is too large by less than 1, so it is off by less than 2^15
// of 2^24 / count.
enum { MOST_COUNTED = 256 };

static uint32_t reciprocal_of(int32_t count) {
    return ((1u << 24) + (uint32_t)count - 1) / (uint32_t)count;
}

static int32_t divide(int32_t sum, int32_t count, uint32_t reciprocal) {
    const uint32_t size = (uint32_t)(sum < 0 ? -sum : sum) + (uint32_t)count / 2;
    const int32_t mean = (int32_t)(size * reciprocal >> 24);
    return sum < 0 ? -mean : mean;
}

static int8_t clamped(const tflm_pool_2d_t *params, int32_t value) {
    return (int8_t)tflm_clamp(value, params->activation_min, params->activation_max);
}

// The mean of the values inside the image, ties away from zero.
static void average(const tflm_pool_2d_t *params, const tflm_pool_area_t *area, int8_t *output) {
    const int32_t count = area->rows * area->columns, is_small = count <= MOST_COUNTED;
    const uint32_t reciprocal = is_small ? reciprocal_of(count) : 0;
    int32_t sums[TFLM_POOL_SUMS];
    for (int32_t first = 0; first < params->depth; first += TFLM_POOL_SUMS) {
        const int32_t channels = tflm_pool_sums(area, first, params->depth, sums);
        for (int32_t c = 0; c < channels; c++) {
            // |sum| <= 128 * count, and count is at most the size of the input
            const int32_t sum = sums[c];
            const int32_t mean = is_small ? divide(sum, count, reciprocal)
                                          : (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
            output[first + c] = clamped(params, mean);
        }
    }
}

// What prepare knows of the mean of `count` values: how to divide, and the range.
static int8_t mean_of(const tflm_rows_mean_t *params, int32_t sum) {
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const int32_t count = params->divisor;
    if (count != 0) {
        sum = (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
        return (int8_t)tflm_clamp(sum, range.minimum, range.maximum);
    }
    const tflm_factor_t factor = {params->multiplier, params->shift};
    return tflm_requantize((uint32_t)sum + (uint32_t)params->bias, factor, range);
}

// input   [rows, width, depth], the rows of an image from `first` on
// output  [depth], written with the image's last row, once all of that was read
// sums    [depth], of the rows before
// What prepare sees to: the image has fewer than 2^23 positions, so sums are exact.
void tflm_rows_mean_s8(
    const tflm_rows_mean_t *params, const int8_t *input, int8_t *output, int32_t *sums) {
    const int32_t depth = params->depth;
    const tflm_pool_area_t area = {
        .first = input, .rows = 1, .columns = params->rows * params->width, .pixel = depth};
    if (params->first == 0) {
        memset(sums, 0, (size_t)depth * sizeof(*sums));
    }
    for (int32_t first = 0; first < depth; first += TFLM_POOL_SUMS) {
        int32_t more[TFLM_POOL_SUMS];
        const int32_t channels = tflm_pool_sums(&area, first, depth, more);
        for (int32_t c = 0; c < channels; c++) {
            sums[first + c] += more[c];
        }
    }
    if (params->first + params->rows == params->height) {
        for (int32_t c = 0; c < depth; c++) {
            output[c] = mean_of(params, sums[c]);
        }
    }
}

static void maximum(const tflm_pool_2d_t *params, const tflm_pool_area_t *area, int8_t *output) {
    tflm_pool_maximum(area, params->depth, output);
    if (params->activation_min > INT8_MIN || params->activation_max < INT8_MAX) {
        for (int32_t c = 0; c < params->depth; c++) {
            output[c] = clamped(params, output[c]);
        }
    }
}

// A row of outputs.
typedef struct {
    const tflm_pool_2d_t *params;
    tflm_pool_area_t area;  // rows, steps, and of `first` the row
    int8_t *output;
} pool_row_t;

// Columns first..last-1 of a row.
static inline void pool_row(
    const pool_row_t *row, reduce_t reduce, int32_t first, int32_t last) {
    const tflm_pool_2d_t *params = row->params;
    tflm_pool_area_t area = row->area;
    int8_t *output = row->output + first * params->depth;
    for (int32_t x = first; x < last; x++, output += params->depth) {
        const tflm_span_t columns = tflm_clip(x * params->stride_width - params->pad_left,
            params->filter_width, params->input_width);
        area.columns = columns.last - columns.first;
        area.first = row->area.first + columns.first * area.pixel;
        reduce(params, &area, output);
    }
}

static void average_row(const void *context, int32_t first, int32_t last) {
    pool_row(context, average, first, last);
}

static void maximum_row(const void *context, int32_t first, int32_t last) {
    pool_row(context, maximum, first, last);
}

// Cores share the columns of a row: its outputs overlap no inputs of it or of later rows.
// input   [batches, input_height, input_width, depth]
// output  [batches, output_height, output_width, depth], same scale and zero point
// What prepare sees to: every window holds at least one position of the image; filter sizes and
// strides are 1..2^15 - 1, paddings 0 or more. Sums are exact for windows of fewer than 2^24
// positions, which nothing checks: the image of a larger one takes 16 MB.
static inline void pool(
    const tflm_pool_2d_t *params, const int8_t *input, int8_t *output, tflm_work_t work) {
    const int32_t step = params->input_width * params->depth;
    pool_row_t row = {params, {.pixel = params->depth, .row = step}, output};
    for (int32_t b = 0; b < params->batches; b++, input += params->input_height * step) {
        for (int32_t y = 0; y < params->output_height; y++) {
            const tflm_span_t rows = tflm_clip(y * params->stride_height - params->pad_top,
                params->filter_height, params->input_height);
            row.area.rows = rows.last - rows.first;
            row.area.first = input + rows.first * step;
            tflm_split(work, &row, params->output_width);
            row.output += params->output_width * params->depth;
        }
    }
}

void tflm_average_pool_2d_s8(const tflm_pool_2d_t *params, const int8_t *input, int8_t *output) {
    pool(params, input, output, average_row);
}

void tflm_max_pool_2d_s8(const tflm_pool_2d_t *params, const int8_t *input, int8_t *output) {
    pool(params, input, output, maximum_row);
}
