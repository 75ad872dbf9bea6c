// Four rows at a time by vectors. The sum of w * (x + offset) is that of w * x, plus offset times
// the sum of w.
#include "../common/dense_sums.h"

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

// Adds the dots of a vector with four rows; as many products at a time as fit 32 bits.
static void add_four_s16(
    const int16_t *values, const int8_t *row, int32_t step, int32_t depth, uint64_t sums[4]) {
    for (int32_t left = depth; left > 0; left -= MOST, values += MOST, row += MOST) {
        int32_t dots[4];
        tflm_dot_four_s16(values, row, step, left < MOST ? left : MOST, dots);
        sums[0] += (uint64_t)(int64_t)dots[0];
        sums[1] += (uint64_t)(int64_t)dots[1];
        sums[2] += (uint64_t)(int64_t)dots[2];
        sums[3] += (uint64_t)(int64_t)dots[3];
    }
}

// What is left of four rows goes one at a time, as four that are the same.
void tflm_dense_sums_s16(const tflm_dense_s16_t *dense, uint64_t *sums, int32_t count) {
    const int8_t *row = dense->rows;
    for (; count >= 4; count -= 4, sums += 4, row += 4 * dense->step) {
        add_four_s16(dense->values, row, dense->step, dense->depth, sums);
    }
    for (; count > 0; count--, sums++, row += dense->step) {
        uint64_t same[4] = {*sums};
        add_four_s16(dense->values, row, 0, dense->depth, same);
        *sums = same[0];
    }
}
