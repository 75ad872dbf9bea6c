// AVERAGE_POOL_2D and MAX_POOL_2D. Source: tensorflow/lite/kernels/internal/reference/
// integer_ops/pooling.h.
#include "../../layout.h"
#include "../fixed_point.h"
#include "../window.h"

// Reduces one channel of one window; input points at the channel of the image's first pixel.
typedef int32_t (*reduce_t)(
    const tflm_pool_2d_t *params, const int8_t *input, tflm_span_t rows, tflm_span_t columns);

// The mean of the positions inside the image, ties away from zero.
static int32_t average(
    const tflm_pool_2d_t *params, const int8_t *input, tflm_span_t rows, tflm_span_t columns) {
    const int32_t count = (rows.last - rows.first) * (columns.last - columns.first);
    uint32_t sum = 0;
    for (int32_t y = rows.first; y < rows.last; y++) {
        for (int32_t x = columns.first; x < columns.last; x++) {
            sum += (uint32_t)input[(y * params->input_width + x) * params->depth];
        }
    }
    // |sum| <= 128 * count, and count is at most the size of the input
    const int32_t total = (int32_t)sum;
    return (total > 0 ? total + count / 2 : total - count / 2) / count;
}

static int32_t maximum(
    const tflm_pool_2d_t *params, const int8_t *input, tflm_span_t rows, tflm_span_t columns) {
    int32_t largest = INT8_MIN;
    for (int32_t y = rows.first; y < rows.last; y++) {
        for (int32_t x = columns.first; x < columns.last; x++) {
            const int32_t value = input[(y * params->input_width + x) * params->depth];
            largest = value > largest ? value : largest;
        }
    }
    return largest;
}

// input   [batches, input_height, input_width, depth]
// output  [batches, output_height, output_width, depth], same scale and zero point
// Every window holds at least one position of the image.
static inline void pool(
    const tflm_pool_2d_t *params, const int8_t *input, int8_t *output, reduce_t reduce) {
    const int32_t image = params->input_height * params->input_width * params->depth;
    for (int32_t b = 0; b < params->batches; b++, input += image) {
        for (int32_t y = 0; y < params->output_height; y++) {
            const tflm_span_t rows = tflm_clip(y * params->stride_height - params->pad_top,
                params->filter_height, params->input_height);
            for (int32_t x = 0; x < params->output_width; x++) {
                const tflm_span_t columns = tflm_clip(x * params->stride_width - params->pad_left,
                    params->filter_width, params->input_width);
                for (int32_t c = 0; c < params->depth; c++) {
                    const int32_t value = reduce(params, input + c, rows, columns);
                    *output++ = (int8_t)tflm_clamp(
                        value, params->activation_min, params->activation_max);
                }
            }
        }
    }
}

void tflm_average_pool_2d_s8(const tflm_pool_2d_t *params, const int8_t *input, int8_t *output) {
    pool(params, input, output, average);
}

void tflm_max_pool_2d_s8(const tflm_pool_2d_t *params, const int8_t *input, int8_t *output) {
    pool(params, input, output, maximum);
}
