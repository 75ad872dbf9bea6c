// tflm_dense_sums_s16() of a core that multiplies several rows at a time, for the file that has
// these:
//   ROWS            rows at a time
//   sum_rows_s16()  writes the sums of `rows` rows, a multiple of ROWS up to GROUP, over `count`
//                   values, a multiple of four up to BLOCK
//   tflm_dense_sums_s16_plain() and BLOCK of plain_dense_sums.h
#ifndef TFLM_DENSE_SUMS_GROUPS_H
#define TFLM_DENSE_SUMS_GROUPS_H

#include "dense_sums.h"

enum { GROUP = 16 };

static void sum_rows_s16(const tflm_dense_s16_t *dense, int32_t count, int32_t *sums, int32_t rows);

void tflm_dense_sums_s16(const tflm_dense_s16_t *dense, uint64_t *sums, int32_t count) {
    const int32_t rest = dense->depth & 3, whole = dense->depth - rest;
    tflm_dense_s16_t left = *dense;
    while (whole > 0 && count >= ROWS) {
        const int32_t rows = count < GROUP ? count & -ROWS : GROUP;
        tflm_dense_s16_t part = left;
        for (int32_t taps = whole; taps > 0; taps -= BLOCK) {
            int32_t parts[GROUP];
            sum_rows_s16(&part, taps < BLOCK ? taps : BLOCK, parts, rows);
            for (int32_t k = 0; k < rows; k++) {
                sums[k] += (uint64_t)(int64_t)parts[k];
            }
            part.values += BLOCK;
            part.rows += BLOCK;
        }
        if (rest > 0) {
            const tflm_dense_s16_t tail = {
                left.values + whole, left.rows + whole, left.step, rest};
            tflm_dense_sums_s16_plain(&tail, sums, rows);
        }
        left.rows += rows * left.step;
        count -= rows;
        sums += rows;
    }
    if (count > 0) {
        tflm_dense_sums_s16_plain(&left, sums, count);
    }
}

#endif
