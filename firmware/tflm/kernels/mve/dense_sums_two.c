// Two vectors by two rows. Of int16 only where a vector is so short that its products fit 32 bits.
#include "../common/dense_sums.h"

#define tflm_dense_sums_two tflm_dense_sums_two_plain
#define tflm_dense_sums_two_s16 tflm_dense_sums_two_s16_plain
static void tflm_dense_sums_two(const tflm_dense_t *dense, const int8_t *second,
    uint32_t *const sums[2], int32_t count);
static void tflm_dense_sums_two_s16(const tflm_dense_s16_t *dense, const int16_t *second,
    uint64_t *const sums[2], int32_t count);
#include "../common/plain_dense_sums_two.h"
#undef tflm_dense_sums_two
#undef tflm_dense_sums_two_s16

#include "vectors.h"

enum { MOST = 511 };  // products of int16 that fit 32 bits

void tflm_dense_sums_two(const tflm_dense_t *dense, const int8_t *second,
    uint32_t *const sums[2], int32_t count) {
    const int32_t depth = dense->depth, step = dense->step;
    const uint32_t offset = (uint32_t)dense->offset;
    const int8_t *row = dense->rows;
    uint32_t *to[] = {sums[0], sums[1]};
    // Without an offset four rows by one vector take less.
    for (; offset != 0 && count >= 2; count -= 2, row += 2 * step, to[0] += 2, to[1] += 2) {
        tflm_square_t square = {
            {(int32_t)to[0][0], (int32_t)to[0][1]}, {(int32_t)to[1][0], (int32_t)to[1][1]}, {0, 0}};
        tflm_add_square(dense->values, second, row, row + step, depth, &square);
        for (int32_t i = 0; i < 2; i++) {
            const uint32_t weights = offset * (uint32_t)square.weights[i];
            to[0][i] = (uint32_t)square.first[i] + weights;
            to[1][i] = (uint32_t)square.second[i] + weights;
        }
    }
    if (count > 0) {
        tflm_dense_t left = *dense;
        left.rows = row;
        tflm_dense_sums_two_plain(&left, second, to, count);
    }
}

// An odd last row is computed as a pair of equal rows.
void tflm_dense_sums_two_s16(const tflm_dense_s16_t *dense, const int16_t *second,
    uint64_t *const sums[2], int32_t count) {
    const int32_t depth = dense->depth, step = dense->step;
    const int8_t *row = dense->rows;
    uint64_t *first = sums[0], *other = sums[1];
    if (depth > MOST) {
        tflm_dense_sums_two_s16_plain(dense, second, sums, count);
        return;
    }
    int32_t dots[4];
    for (; count >= 2; count -= 2, row += 2 * step) {
        tflm_dot_square_s16(dense->values, second, row, step, depth, dots);
        *first++ = (uint64_t)(int64_t)dots[0];
        *first++ = (uint64_t)(int64_t)dots[1];
        *other++ = (uint64_t)(int64_t)dots[2];
        *other++ = (uint64_t)(int64_t)dots[3];
    }
    if (count > 0) {
        tflm_dot_square_s16(dense->values, second, row, 0, depth, dots);
        *first = (uint64_t)(int64_t)dots[0];
        *other = (uint64_t)(int64_t)dots[2];
    }
}
