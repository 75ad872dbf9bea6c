// AVERAGE_POOL_2D and MAX_POOL_2D of int16. Source: as of int8.
#include "generated/layout.h"
#include "../common/fixed_point.h"
#include "../common/pool_window.h"

// The part of a window that lies in the image; steps in bytes.
typedef struct {
    const uint8_t *first;  // channel 0 of its first pixel
    int32_t rows, columns, pixel, row;
} area_t;

// Folds the values of one channel, `offset` bytes on.
typedef int32_t (*fold_t)(const area_t *area, int32_t offset);

static inline int32_t mean_of(const area_t *area, int32_t offset) {
    const uint8_t *row = area->first + offset;
    const int32_t count = area->rows * area->columns;
    uint32_t sum = 0;  // wraps, as TFLM's does
    for (int32_t y = area->rows; y > 0; y--, row += area->row) {
        const uint8_t *at = row;
        for (int32_t x = area->columns; x > 0; x--, at += area->pixel) {
            sum += (uint32_t)tflm_load16(at);
        }
    }
    const int32_t total = (int32_t)sum, half = count / 2;
    return tflm_wrapping_add(total, total > 0 ? half : -half) / count;
}

static inline int32_t largest_of(const area_t *area, int32_t offset) {
    const uint8_t *row = area->first + offset;
    int32_t most = INT16_MIN;
    for (int32_t y = area->rows; y > 0; y--, row += area->row) {
        const uint8_t *at = row;
        for (int32_t x = area->columns; x > 0; x--, at += area->pixel) {
            const int32_t value = tflm_load16(at);
            most = value > most ? value : most;
        }
    }
    return most;
}

// input   int16 [batches, input_height, input_width, depth]
// output  int16 [batches, output_height, output_width, depth], same scale; rows in order
// What prepare sees to: as in pool.c.
static inline __attribute__((always_inline)) void pool(
    const tflm_pool_2d_t *params, const uint8_t *input, int16_t *output, fold_t fold) {
    const int32_t pixel = 2 * params->depth;
    area_t area = {.pixel = pixel, .row = params->input_width * pixel};
    for (int32_t b = 0; b < params->batches; b++, input += params->input_height * area.row) {
        for (int32_t y = 0; y < params->output_height; y++) {
            const tflm_span_t rows = tflm_clip(y * params->stride_height - params->pad_top,
                params->filter_height, params->input_height);
            area.rows = rows.last - rows.first;
            for (int32_t x = 0; x < params->output_width; x++) {
                const tflm_span_t columns = tflm_clip(x * params->stride_width - params->pad_left,
                    params->filter_width, params->input_width);
                area.columns = columns.last - columns.first;
                area.first = input + rows.first * area.row + columns.first * pixel;
                for (int32_t c = 0; c < pixel; c += 2) {
                    *output++ = (int16_t)tflm_clamp(
                        fold(&area, c), params->activation_min, params->activation_max);
                }
            }
        }
    }
}

void tflm_average_pool_2d_s16(
    const tflm_pool_2d_t *params, const uint8_t *input, int16_t *output) {
    pool(params, input, output, mean_of);
}

void tflm_max_pool_2d_s16(const tflm_pool_2d_t *params, const uint8_t *input, int16_t *output) {
    pool(params, input, output, largest_of);
}
