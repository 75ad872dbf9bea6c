// BATCH_MATMUL of float32. Source: tensorflow/lite/kernels/internal/reference/batch_matmul.h.
#include "generated/layout.h"
#include "../float32.h"

// As in matmul.c; each sum goes over the depth in order.
void tflm_batch_matmul_f32(const tflm_batch_matmul_f32_t *params, const uint8_t *lhs,
    const uint8_t *rhs, uint8_t *output) {
    const int32_t rows = params->rows, depth = params->depth, columns = params->columns;
    const int32_t next_a = 4 * (params->is_lhs_turned ? rows : 1);
    const int32_t next_b = 4 * (params->is_rhs_turned ? 1 : columns);
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
            for (int32_t c = 0; c < columns; c++, output += 4) {
                const uint8_t *a =
                    lhs + 4 * (left * rows * depth + (params->is_lhs_turned ? r : r * depth));
                const uint8_t *b =
                    rhs + 4 * (right * depth * columns + (params->is_rhs_turned ? c * depth : c));
                float sum = 0.0f;
                for (int32_t k = 0; k < depth; k++, a += next_a, b += next_b) {
                    sum += tflm_load_f32(a) * tflm_load_f32(b);
                }
                tflm_store_f32(output, sum);
            }
        }
    }
}
