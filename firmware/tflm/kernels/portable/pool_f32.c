// AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D of float32. Source: tensorflow/lite/kernels/internal/reference/
// pooling.h.
#include "generated/layout.h"
#include "../common/float32.h"
#include "../common/pool_window.h"
#include "../common/sqrt_f32.h"

// The part of a window that lies in the image; steps in bytes.
typedef struct {
    const uint8_t *first;  // channel 0 of its first pixel
    int32_t rows, columns, pixel, row;
} area_t;

// Folds the values of one channel, `offset` bytes on.
typedef float (*fold_t)(const area_t *area, int32_t offset);

static inline __attribute__((always_inline)) float mean(
    const area_t *area, int32_t offset, int32_t squared) {
    const uint8_t *row = area->first + offset;
    float sum = 0.0f;
    for (int32_t y = area->rows; y > 0; y--, row += area->row) {
        const uint8_t *at = row;
        for (int32_t x = area->columns; x > 0; x--, at += area->pixel) {
            const float value = tflm_load_f32(at);
            sum += squared ? value * value : value;
        }
    }
    return sum / (float)(area->rows * area->columns);
}

static inline float mean_of(const area_t *area, int32_t offset) {
    return mean(area, offset, 0);
}

static inline float norm_of(const area_t *area, int32_t offset) {
    return tflm_sqrt_f32(mean(area, offset, 1));
}

static inline float largest_of(const area_t *area, int32_t offset) {
    const uint8_t *row = area->first + offset;
    float most = -0x1.fffffep127f;
    for (int32_t y = area->rows; y > 0; y--, row += area->row) {
        const uint8_t *at = row;
        for (int32_t x = area->columns; x > 0; x--, at += area->pixel) {
            const float value = tflm_load_f32(at);
            most = most < value ? value : most;
        }
    }
    return most;
}

// input   float32 [batches, input_height, input_width, depth]
// output  float32 [batches, output_height, output_width, depth]; rows in order
// What prepare sees to: as in pool.c.
static inline __attribute__((always_inline)) void pool(
    const tflm_pool_2d_t *params, const uint8_t *input, uint8_t *output, fold_t fold) {
    const float minimum = tflm_float(params->activation_min);
    const float maximum = tflm_float(params->activation_max);
    const int32_t pixel = 4 * params->depth;
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
                for (int32_t c = 0; c < pixel; c += 4, output += 4) {
                    tflm_store_f32(output, tflm_clamp_f32(fold(&area, c), minimum, maximum));
                }
            }
        }
    }
}

void tflm_average_pool_2d_f32(
    const tflm_pool_2d_t *params, const uint8_t *input, uint8_t *output) {
    pool(params, input, output, mean_of);
}

void tflm_max_pool_2d_f32(const tflm_pool_2d_t *params, const uint8_t *input, uint8_t *output) {
    pool(params, input, output, largest_of);
}

void tflm_l2_pool_2d_f32(const tflm_pool_2d_t *params, const uint8_t *input, uint8_t *output) {
    pool(params, input, output, norm_of);
}
