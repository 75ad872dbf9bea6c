// Dots of one vector with the rows of a matrix of int8.
#ifndef TFLM_DENSE_SUMS_H
#define TFLM_DENSE_SUMS_H

#include <stdint.h>

typedef struct {
    const int8_t *values;
    const int8_t *rows;
    int32_t step;    // bytes from a row to the next
    int32_t depth;   // of values and rows
    int32_t offset;  // -128..128
} tflm_dense_t;

// Adds the dot of row i and (values + offset) to sums[i], modulo 2^32.
void tflm_dense_sums(const tflm_dense_t *dense, uint32_t *sums, int32_t count);

// The same of two vectors: sums[0] are those of the values, sums[1] those of `second`.
void tflm_dense_sums_two(const tflm_dense_t *dense, const int8_t *second, uint32_t *const sums[2],
    int32_t count);

typedef struct {
    const int16_t *values;
    const int8_t *rows;
    int32_t step, depth;
} tflm_dense_s16_t;

// Adds the dot of row i and the values to sums[i].
void tflm_dense_sums_s16(const tflm_dense_s16_t *dense, uint64_t *sums, int32_t count);

// Writes the dots with the values to sums[0], those with `second` to sums[1].
void tflm_dense_sums_two_s16(const tflm_dense_s16_t *dense, const int16_t *second,
    uint64_t *const sums[2], int32_t count);

#endif
