// BATCH_MATMUL. Source: tensorflow/lite/kernels/internal/reference/batch_matmul.h.
#include "generated/layout.h"
#include "../dense_sums.h"
#include "../requantize.h"
#include "../strided.h"

enum { CHUNK = 16 };  // columns at a time

// One matrix of lhs and of rhs, and of the output.
typedef struct {
    int32_t lhs, rhs;  // which
} pair_t;

static int32_t batches_of(const tflm_batch_matmul_t *params) {
    int32_t batches = 1;
    for (int32_t i = 0; i < params->rank; i++) {
        batches *= params->dims[3 * i];
    }
    return batches;
}

static pair_t pair_of(const tflm_batch_matmul_t *params, int32_t batch) {
    pair_t pair = {0, 0};
    for (int32_t i = params->rank - 1; i >= 0; i--) {
        const int32_t *dim = params->dims + 3 * i;
        const int32_t position = batch % dim[0];
        batch /= dim[0];
        pair.lhs += position * dim[1];
        pair.rhs += position * dim[2];
    }
    return pair;
}

// Writes matrix [rows, columns] as [columns, rows].
static void turn(const int8_t *matrix, int32_t rows, int32_t columns, int8_t *output) {
    for (int32_t c = 0; c < columns; c++) {
        const int8_t *at = matrix + c;
        for (int32_t r = 0; r < rows; r++, at += columns) {
            *output++ = *at;
        }
    }
}

static uint32_t sum_of(const tflm_dense_t *dense) {
    uint32_t sum = (uint32_t)dense->depth * (uint32_t)dense->offset;
    for (int32_t i = 0; i < dense->depth; i++) {
        sum += (uint32_t)dense->values[i];
    }
    return sum;
}

// lhs      int8 [batches, rows, depth], or [batches, depth, rows] where it is turned
// rhs      int8 [batches, depth, columns], or [batches, columns, depth]
// output   int8 [batches, rows, columns]
// scratch  int8: a column of a turned lhs, and rhs, unless it is turned
// The dot of (a + lhs_offset) and (b + rhs_offset) is that of (a + lhs_offset) and b, plus
// rhs_offset times the sum of (a + lhs_offset).
void tflm_batch_matmul_s8(const tflm_batch_matmul_t *params, const int8_t *lhs,
    const int8_t *rhs, int8_t *output, int32_t *scratch) {
    const tflm_range_t range = {params->output_offset, INT8_MIN, INT8_MAX};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    const int32_t rows = params->rows, depth = params->depth, columns = params->columns;
    int8_t *turned = (void *)scratch;
    int8_t *column = turned + (params->is_rhs_turned ? 0 : depth * columns);
    const int32_t batches = batches_of(params);
    tflm_dense_t dense = {NULL, NULL, depth, depth, params->lhs_offset};
    for (int32_t b = 0; b < batches; b++) {
        const pair_t pair = pair_of(params, b);
        const int8_t *left = lhs + pair.lhs * rows * depth;
        const int8_t *right = rhs + pair.rhs * depth * columns;
        if (!params->is_rhs_turned) {
            turn(right, depth, columns, turned);
            right = turned;
        }
        for (int32_t r = 0; r < rows; r++) {
            dense.values = left + r * depth;
            if (params->is_lhs_turned) {
                for (int32_t i = 0; i < depth; i++) {
                    column[i] = left[i * rows + r];
                }
                dense.values = column;
            }
            const uint32_t start = (uint32_t)params->rhs_offset * sum_of(&dense);
            for (int32_t c = 0; c < columns; c += CHUNK) {
                uint32_t sums[CHUNK];
                const int32_t count = columns - c < CHUNK ? columns - c : CHUNK;
                for (int32_t k = 0; k < count; k++) {
                    sums[k] = start;
                }
                dense.rows = right + c * depth;
                tflm_dense_sums(&dense, sums, count);
                for (int32_t k = 0; k < count; k++) {
                    *output++ = tflm_requantize(sums[k], factor, range);
                }
            }
        }
    }
}

// As above, of int16 with zero points of 0: sums of 64 bits and a multiplier of 16.
void tflm_batch_matmul_s16(const tflm_batch_matmul_t *params, const uint8_t *lhs,
    const uint8_t *rhs, int16_t *output) {
    const int32_t rows = params->rows, depth = params->depth, columns = params->columns;
    const int32_t most = 0x7FFF, shift = 15 - (params->shift < 14 ? params->shift : 14);
    const int32_t multiplier = params->multiplier >= most << 16
        ? most : (params->multiplier + (1 << 15)) >> 16;
    const int32_t batches = batches_of(params);
    const int32_t next_a = params->is_lhs_turned ? 2 * rows : 2;
    const int32_t next_b = params->is_rhs_turned ? 2 : 2 * columns;
    for (int32_t i = 0; i < batches; i++) {
        const pair_t pair = pair_of(params, i);
        const uint8_t *left = lhs + 2 * pair.lhs * rows * depth;
        const uint8_t *right = rhs + 2 * pair.rhs * depth * columns;
        for (int32_t r = 0; r < rows; r++) {
            for (int32_t c = 0; c < columns; c++) {
                const uint8_t *a = left + 2 * (params->is_lhs_turned ? r : r * depth);
                const uint8_t *b = right + 2 * (params->is_rhs_turned ? c * depth : c);
                int64_t sum = 0;
                for (int32_t k = 0; k < depth; k++, a += next_a, b += next_b) {
                    sum += tflm_load16(a) * tflm_load16(b);
                }
                const uint64_t product =
                    (uint64_t)sum * (uint64_t)(int64_t)multiplier + ((uint64_t)1 << (shift - 1));
                const int32_t y = (int32_t)((int64_t)product >> shift);
                *output++ = (int16_t)tflm_clamp(y, INT16_MIN, INT16_MAX);
            }
        }
    }
}
