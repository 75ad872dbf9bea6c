// BATCH_MATMUL of float32. Source: tensorflow/lite/kernels/internal/reference/batch_matmul.h.
#include "generated/layout.h"
#include "../common/dot_f32.h"

// The sums of TFLM_DOTS columns that lie side by side; all at multiples of 4 bytes.
static void columns_f32(float sums[TFLM_DOTS], const uint8_t *a, int32_t next_a, const uint8_t *b,
    int32_t next_b, int32_t depth) {
    if (TFLM_SOFT_FLOAT) {
        for (int32_t k = 0; k < TFLM_DOTS; k++) {
            sums[k] = tflm_dot_apart_f32(0.0f, a, next_a, b + 4 * k, next_b, depth);
        }
        return;
    }
    float s = 0.0f, t = 0.0f, u = 0.0f, v = 0.0f;
    for (int32_t k = 0; k < depth; k++, a += next_a, b += next_b) {
        const float x = *(const float *)(const void *)a, *y = (const void *)b;
        s += x * y[0];
        t += x * y[1];
        u += x * y[2];
        v += x * y[3];
    }
    sums[0] = s, sums[1] = t, sums[2] = u, sums[3] = v;
}

// As in matmul.c; each sum goes over the depth in order.
void tflm_batch_matmul_f32(const tflm_batch_matmul_f32_t *params, const uint8_t *lhs,
    const uint8_t *rhs, uint8_t *output) {
    const int32_t rows = params->rows, depth = params->depth, columns = params->columns;
    const int32_t next_a = 4 * (params->is_lhs_turned ? rows : 1);
    const int32_t next_b = 4 * (params->is_rhs_turned ? 1 : columns);
    const int32_t step = params->is_rhs_turned ? 4 * depth : 4;  // to the next column
    // Four columns at once, except both sides turned.
    const int32_t plain = params->is_lhs_turned && params->is_rhs_turned;
    const int32_t most = tflm_are_aligned(lhs, rhs) && !plain ? TFLM_DOTS : 1;
    int32_t batches = 1;
    for (int32_t i = 0; i < params->rank; i++) {
        batches *= params->dims[3 * i];
    }
    for (int32_t batch = 0; batch < batches; batch++) {
        int32_t left = 0, right = 0, rest = batch;  // which matrices
        for (int32_t i = params->rank - 1; i >= 0; i--) {
            const int32_t *dim = params->dims + 3 * i;
            left += rest % dim[0] * dim[1];
            right += rest % dim[0] * dim[2];
            rest /= dim[0];
        }
        for (int32_t r = 0; r < rows; r++) {
            const uint8_t *a =
                lhs + 4 * (left * rows * depth + (params->is_lhs_turned ? r : r * depth));
            const uint8_t *b = rhs + 4 * right * depth * columns;
            int32_t count;
            for (int32_t c = 0; c < columns; c += count, b += count * step) {
                float sums[TFLM_DOTS] = {0};
                count = columns - c >= most ? most : 1;
                if (count == 1) {
                    sums[0] = tflm_dot_apart_f32(0.0f, a, next_a, b, next_b, depth);
                } else if (params->is_rhs_turned) {
                    tflm_dots_f32(sums, a, b, step, depth);
                } else {
                    columns_f32(sums, a, next_a, b, next_b, depth);
                }
                for (int32_t k = 0; k < count; k++, output += 4) {
                    tflm_store_f32(output, sums[k]);
                }
            }
        }
    }
}
