// Two vectors by two rows of int8. Of int16 one vector after the other; the sums are written, not
// added, where a vector is so short that its products fit 32 bits.
#include "../dense_sums.h"

#define tflm_dense_sums_two tflm_dense_sums_two_plain
#define tflm_dense_sums_two_s16 tflm_dense_sums_two_s16_plain
static void tflm_dense_sums_two(const tflm_dense_t *dense, const int8_t *second,
    uint32_t *const sums[2], int32_t count);
static void tflm_dense_sums_two_s16(const tflm_dense_s16_t *dense, const int16_t *second,
    uint64_t *const sums[2], int32_t count);
#include "../portable/dense_sums_two.c"
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

static void write_sums(const int16_t *values, const int8_t *row, int32_t step, int32_t depth,
    uint64_t *sums, int32_t count) {
    int32_t dots[4];
    for (; count >= 4; count -= 4, row += 4 * step, sums += 4) {
        tflm_dot_four_s16(values, row, step, depth, dots);
        sums[0] = (uint64_t)(int64_t)dots[0];
        sums[1] = (uint64_t)(int64_t)dots[1];
        sums[2] = (uint64_t)(int64_t)dots[2];
        sums[3] = (uint64_t)(int64_t)dots[3];
    }
    for (; count > 0; count--, row += step, sums++) {
        tflm_dot_four_s16(values, row, 0, depth, dots);  // four that are the same
        sums[0] = (uint64_t)(int64_t)dots[0];
    }
}

void tflm_dense_sums_two_s16(const tflm_dense_s16_t *dense, const int16_t *second,
    uint64_t *const sums[2], int32_t count) {
    if (dense->depth > MOST) {
        tflm_dense_sums_two_s16_plain(dense, second, sums, count);
        return;
    }
    write_sums(dense->values, dense->rows, dense->step, dense->depth, sums[0], count);
    write_sums(second, dense->rows, dense->step, dense->depth, sums[1], count);
}
