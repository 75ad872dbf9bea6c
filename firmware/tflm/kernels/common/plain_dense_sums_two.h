// The kernels of portable/dense_sums_two.c. A file of an ISA that replaces it includes this one, too, and
// gives its functions other names.
#ifndef TFLM_PLAIN_DENSE_SUMS_TWO_H
#define TFLM_PLAIN_DENSE_SUMS_TWO_H

#include "dense_sums.h"

#include <string.h>

void tflm_dense_sums_two(const tflm_dense_t *dense, const int8_t *second, uint32_t *const sums[2],
    int32_t count) {
    tflm_dense_t other = *dense;
    other.values = second;
    tflm_dense_sums(dense, sums[0], count);
    tflm_dense_sums(&other, sums[1], count);
}

void tflm_dense_sums_two_s16(const tflm_dense_s16_t *dense, const int16_t *second,
    uint64_t *const sums[2], int32_t count) {
    tflm_dense_s16_t other = *dense;
    other.values = second;
    for (int32_t k = 0; k < 2; k++) {
        memset(sums[k], 0, (size_t)count * sizeof(*sums[k]));
    }
    tflm_dense_sums_s16(dense, sums[0], count);
    tflm_dense_sums_s16(&other, sums[1], count);
}

#endif
