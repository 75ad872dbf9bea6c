// SOFTMAX, LOG_SOFTMAX and L2_NORMALIZATION of float32. Source: tensorflow/lite/kernels/internal/
// reference/{softmax,log_softmax,l2normalization}.h.
#include "generated/layout.h"
#include "../common/curves_f32.h"
#include "../common/sqrt_f32.h"

static float largest(const uint8_t *row, int32_t depth) {
    float most = -0x1.fffffep127f;
    for (int32_t i = 0; i < 4 * depth; i += 4) {
        const float x = tflm_load_f32(row + i);
        most = most < x ? x : most;
    }
    return most;
}

// input   float32 [rows, depth]
// output  float32 [rows, depth]; an exponential takes the place of its input first
void tflm_softmax_f32(
    const tflm_softmax_f32_t *params, const uint8_t *input, uint8_t *output) {
    const int32_t bytes = 4 * params->depth;
    const float beta = tflm_float(params->beta);
    for (int32_t r = 0; r < params->rows; r++, input += bytes, output += bytes) {
        const float most = largest(input, params->depth);
        float sum = 0.0f;
        for (int32_t i = 0; i < bytes; i += 4) {
            const float power = tflm_exp((tflm_load_f32(input + i) - most) * beta);
            sum += power;
            tflm_store_f32(output + i, power);
        }
        for (int32_t i = 0; i < bytes; i += 4) {
            tflm_store_f32(output + i, tflm_load_f32(output + i) / sum);
        }
    }
}

// input   float32 [rows, depth]
// output  float32 [rows, depth]
void tflm_log_softmax_f32(const tflm_rows_f32_t *params, const uint8_t *input, uint8_t *output) {
    const int32_t bytes = 4 * params->depth;
    for (int32_t r = 0; r < params->rows; r++, input += bytes, output += bytes) {
        const float most = largest(input, params->depth);
        float sum = 0.0f;
        for (int32_t i = 0; i < bytes; i += 4) {
            sum += tflm_exp(tflm_load_f32(input + i) - most);
        }
        const float log_of_sum = tflm_float(tflm_log_bits(tflm_bits(sum)));
        for (int32_t i = 0; i < bytes; i += 4) {
            tflm_store_f32(output + i, tflm_load_f32(input + i) - most - log_of_sum);
        }
    }
}

// input   float32 [rows, depth]
// output  float32 [rows, depth]: divided by the root of the sum of squares, or 1e-6 where that is
//         less
void tflm_l2_normalization_f32(
    const tflm_rows_f32_t *params, const uint8_t *input, uint8_t *output) {
    const int32_t bytes = 4 * params->depth;
    for (int32_t r = 0; r < params->rows; r++, input += bytes, output += bytes) {
        float sum = 0.0f;
        for (int32_t i = 0; i < bytes; i += 4) {
            const float x = tflm_load_f32(input + i);
            sum += x * x;
        }
        const float root = tflm_sqrt_f32(sum);
        const float norm = root < 1e-6f ? 1e-6f : root;
        for (int32_t i = 0; i < bytes; i += 4) {
            tflm_store_f32(output + i, tflm_load_f32(input + i) / norm);
        }
    }
}
