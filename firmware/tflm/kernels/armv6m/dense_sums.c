// Four rows at a time; the portable kernels take the rows and the taps that are left.
#include "../common/dense_sums.h"

#define tflm_dense_sums tflm_dense_sums_plain
#define tflm_dense_sums_s16 tflm_dense_sums_s16_plain
static void tflm_dense_sums(const tflm_dense_t *dense, uint32_t *sums, int32_t count);
static void tflm_dense_sums_s16(const tflm_dense_s16_t *dense, uint64_t *sums, int32_t count);
#include "../common/plain_dense_sums.h"
#undef tflm_dense_sums
#undef tflm_dense_sums_s16

#include "dense_rows.h"
#include "dense_rows_s16.h"

enum { ROWS = TFLM_M0_ROWS };

#include "../common/dense_sums_groups.h"

void tflm_dense_sums(const tflm_dense_t *dense, uint32_t *sums, int32_t count) {
    const int32_t depth = dense->depth;
    const int32_t grouped = depth > 0 ? count & -ROWS : 0;
    tflm_dense_t left = *dense;
    if (grouped > 0) {
        const tflm_m0_rows_t job = {
            dense->values, dense->rows, depth, dense->offset, sums, sums + grouped, dense->step};
        if (dense->offset == 0) {
            tflm_m0_rows_alone(&job);
        } else {
            tflm_m0_rows(&job);
        }
        left.rows += grouped * dense->step;
    }
    if (grouped < count) {
        tflm_dense_sums_plain(&left, sums + grouped, count - grouped);
    }
}

static void sum_rows_s16(
    const tflm_dense_s16_t *dense, int32_t count, int32_t *sums, int32_t rows) {
    const tflm_m0_rows_s16_t job = {
        dense->values, dense->rows, dense->step, count, sums, sums + rows};
    tflm_m0_rows_s16(&job);
}
