// The kernels of portable/dense_sums.c. A file of an ISA that replaces it includes this one, too, and
// gives its functions other names.
#ifndef TFLM_PLAIN_DENSE_SUMS_H
#define TFLM_PLAIN_DENSE_SUMS_H

#include "dense_sums.h"
#include "dot.h"

void tflm_dense_sums(const tflm_dense_t *dense, uint32_t *sums, int32_t count) {
    const uint32_t offset = (uint32_t)dense->offset;
    const int8_t *row = dense->rows;
    for (; count >= 2; count -= 2, row += 2 * dense->step) {
        const int8_t *x = dense->values, *w = row, *v = row + dense->step;
        uint32_t first = sums[0], second = sums[1];
        for (const int8_t *end = x + dense->depth; x != end; x++) {
            const uint32_t value = (uint32_t)*x + offset;
            first += (uint32_t)*w++ * value;
            second += (uint32_t)*v++ * value;
        }
        *sums++ = first;
        *sums++ = second;
    }
    if (count > 0) {
        *sums += tflm_dot(dense->values, row, dense->depth, dense->offset);
    }
}

enum { BLOCK = 256 };  // products that fit 32 bits: each is at most 2^22

// Two rows, or one that is taken for both.
static void add_pair(const int16_t *x, const int8_t *w, const int8_t *v, int32_t depth,
    uint64_t *first, uint64_t *second) {
    while (depth > 0) {
        const int32_t count = depth < BLOCK ? depth : BLOCK;
        int32_t a = 0, b = 0;
        for (const int16_t *end = x + count; x != end; x++) {
            a += *x * *w++;
            b += *x * *v++;
        }
        *first += (uint64_t)(int64_t)a;
        *second += (uint64_t)(int64_t)b;
        depth -= count;
    }
}

void tflm_dense_sums_s16(const tflm_dense_s16_t *dense, uint64_t *sums, int32_t count) {
    const int8_t *row = dense->rows;
    uint64_t spare = 0;
    for (; count > 0; count -= 2, sums += 2, row += 2 * dense->step) {
        add_pair(dense->values, row, count > 1 ? row + dense->step : row, dense->depth, sums,
            count > 1 ? sums + 1 : &spare);
    }
}

#endif
