// Four rows at a time by vectors. The sum of w * (x + offset) is that of w * x, plus offset times
// the sum of w.
#include "../dense_sums.h"

#include "vectors.h"

enum { MOST = 511 };  // products of int16 that fit 32 bits

void tflm_dense_sums(const tflm_dense_t *dense, uint32_t *sums, int32_t count) {
    const uint32_t offset = (uint32_t)dense->offset;
    const int32_t depth = dense->depth, step = dense->step;
    const int8_t *row = dense->rows;
    if (offset == 0) {
        for (; count >= 4; count -= 4, row += 4 * step, sums += 4) {
            int32_t *at = (int32_t *)sums;
            vstrwq_s32(at, tflm_dot_four(dense->values, row, step, depth, vldrwq_s32(at)));
        }
    }
    for (; count >= 2; count -= 2, row += 2 * step, sums += 2) {
        const tflm_two_t two = tflm_dot_two(dense->values, row, step, depth);
        sums[0] += (uint32_t)two.dot0 + offset * (uint32_t)two.sum0;
        sums[1] += (uint32_t)two.dot1 + offset * (uint32_t)two.sum1;
    }
    if (count > 0) {
        sums[0] += tflm_dot_one(dense->values, row, depth) + offset * tflm_sum(row, depth);
    }
}

// What is left of four rows goes one at a time, as four that are the same.
void tflm_dense_sums_s16(const tflm_dense_s16_t *dense, uint64_t *sums, int32_t count) {
    const int32_t depth = dense->depth;
    const int8_t *row = dense->rows;
    int32_t rows;
    for (; count > 0; count -= rows, sums += rows, row += rows * dense->step) {
        rows = count < 4 ? 1 : 4;
        for (int32_t i = 0; i < depth; i += MOST) {
            int32_t dots[4];
            tflm_dot_four_s16(dense->values + i, row + i, rows == 4 ? dense->step : 0,
                depth - i < MOST ? depth - i : MOST, dots);
            for (int32_t k = 0; k < rows; k++) {
                sums[k] += (uint64_t)(int64_t)dots[k];
            }
        }
    }
}
