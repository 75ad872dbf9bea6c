// BATCH_MATMUL. Source: tensorflow/lite/kernels/internal/reference/batch_matmul.h.
#include "generated/layout.h"
#include "../common/dense_sums.h"
#include "../common/requantize_row.h"
#include "../common/strided.h"

enum { CHUNK = 32 };  // columns at a time

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
        int32_t left = rows;
        for (; left >= 4; left -= 4, output += 4, at += 2 * columns) {
            output[0] = at[0];
            output[1] = at[columns];
            at += 2 * columns;
            output[2] = at[0];
            output[3] = at[columns];
        }
        for (; left > 0; left--, at += columns) {
            *output++ = *at;
        }
    }
}

// Returns what every output of a row begins with.
static uint32_t start_of(
    const tflm_batch_matmul_t *params, const int8_t *values) {
    uint32_t sum = (uint32_t)params->depth * (uint32_t)params->lhs_offset;
    for (int32_t i = 0; i < params->depth && params->rhs_offset != 0; i++) {
        sum += (uint32_t)values[i];
    }
    return sum * (uint32_t)params->rhs_offset;
}

// Writes one or two rows of the output; second: NULL, or the values of the second.
static void write_rows(const tflm_batch_matmul_t *params, tflm_dense_t dense,
    const int8_t *second, int8_t *output) {
    const tflm_factor_t factor = {params->multiplier, params->shift};
    const int32_t columns = params->columns;
    const uint32_t starts[] = {
        start_of(params, dense.values), second != NULL ? start_of(params, second) : 0};
    for (int32_t c = 0; c < columns; c += CHUNK) {
        uint32_t all[2][CHUNK], *const sums[] = {all[0], all[1]};
        const int32_t count = columns - c < CHUNK ? columns - c : CHUNK;
        for (int32_t k = 0; k < count; k++) {
            all[0][k] = starts[0];
            all[1][k] = starts[1];
        }
        if (second != NULL) {
            tflm_dense_sums_two(&dense, second, sums, count);
        } else {
            tflm_dense_sums(&dense, all[0], count);
        }
        dense.rows += count * dense.step;
        for (int32_t i = 0; i < (second != NULL ? 2 : 1); i++) {
            tflm_requantize_row(
                all[i], count, factor, params->output_offset, output + i * columns + c);
        }
    }
}

// lhs      int8 [batches, rows, depth], or [batches, depth, rows] where it is turned
// rhs      int8 [batches, depth, columns], or [batches, columns, depth]
// output   int8 [batches, rows, columns]
// scratch  int8: a column of a turned lhs, and rhs, unless it is turned
// The dot of (a + lhs_offset) and (b + rhs_offset) is that of (a + lhs_offset) and b, plus
// rhs_offset times the sum of (a + lhs_offset).
void tflm_batch_matmul_s8(const tflm_batch_matmul_t *params, const int8_t *lhs,
    const int8_t *rhs, int8_t *output, int32_t *scratch) {
    const int32_t rows = params->rows, depth = params->depth, columns = params->columns;
    int8_t *turned = (void *)scratch;
    int8_t *column = turned + (params->is_rhs_turned ? 0 : depth * columns);
    const int32_t batches = batches_of(params);
    for (int32_t b = 0; b < batches; b++, output += rows * columns) {
        const pair_t pair = pair_of(params, b);
        const int8_t *left = lhs + pair.lhs * rows * depth;
        const int8_t *right = rhs + pair.rhs * depth * columns;
        if (!params->is_rhs_turned) {
            turn(right, depth, columns, turned);
            right = turned;
        }
        tflm_dense_t dense = {column, right, depth, depth, params->lhs_offset};
        if (params->is_lhs_turned) {
            for (int32_t r = 0; r < rows; r++) {
                for (int32_t i = 0; i < depth; i++) {
                    column[i] = left[i * rows + r];
                }
                write_rows(params, dense, NULL, output + r * columns);
            }
        } else {
            for (int32_t r = 0; r < rows; r += 2) {
                dense.values = left + r * depth;
                write_rows(params, dense, r + 1 < rows ? dense.values + depth : NULL,
                    output + r * columns);
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
