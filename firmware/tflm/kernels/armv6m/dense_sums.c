// Four rows at a time; the plain twins take the rows and the taps that are left.
#include "../dense_sums.h"

#define tflm_dense_sums tflm_dense_sums_plain
#define tflm_dense_sums_s16 tflm_dense_sums_s16_plain
static void tflm_dense_sums(const tflm_dense_t *dense, uint32_t *sums, int32_t count);
static void tflm_dense_sums_s16(const tflm_dense_s16_t *dense, uint64_t *sums, int32_t count);
#include "../portable/dense_sums.c"
#undef tflm_dense_sums
#undef tflm_dense_sums_s16

#include "dense_rows.h"
#include "dense_rows_s16.h"

enum { GROUP = 16 };  // rows at a time

void tflm_dense_sums(const tflm_dense_t *dense, uint32_t *sums, int32_t count) {
    const int32_t depth = dense->depth;
    const int32_t grouped = dense->step == depth && depth > 0 ? count & -TFLM_M0_ROWS : 0;
    tflm_dense_t left = *dense;
    if (grouped > 0) {
        const tflm_m0_rows_t job = {
            dense->values, dense->rows, depth, dense->offset, sums, sums + grouped};
        if (dense->offset == 0) {
            tflm_m0_rows_alone(&job);
        } else {
            tflm_m0_rows(&job);
        }
        left.rows += grouped * depth;
    }
    if (grouped < count) {
        tflm_dense_sums_plain(&left, sums + grouped, count - grouped);
    }
}

void tflm_dense_sums_s16(const tflm_dense_s16_t *dense, uint64_t *sums, int32_t count) {
    const int32_t rest = dense->depth & 3, whole = dense->depth - rest, step = dense->step;
    tflm_dense_s16_t left = *dense;
    while (whole > 0 && count >= TFLM_M0_ROWS) {
        const int32_t rows = count < GROUP ? count & -TFLM_M0_ROWS : GROUP;
        for (int32_t i = 0; i < whole; i += BLOCK) {
            int32_t parts[GROUP];
            const tflm_m0_rows_s16_t job = {left.values + i, left.rows + i, step,
                whole - i < BLOCK ? whole - i : BLOCK, parts, parts + rows};
            tflm_m0_rows_s16(&job);
            for (int32_t k = 0; k < rows; k++) {
                sums[k] += (uint64_t)(int64_t)parts[k];
            }
        }
        if (rest > 0) {
            const tflm_dense_s16_t tail = {left.values + whole, left.rows + whole, step, rest};
            tflm_dense_sums_s16_plain(&tail, sums, rows);
        }
        left.rows += rows * step;
        count -= rows;
        sums += rows;
    }
    if (count > 0) {
        tflm_dense_sums_s16_plain(&left, sums, count);
    }
}
