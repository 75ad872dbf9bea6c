// Four rows of int8 at a time with one vector of int16.
#ifndef TFLM_ARMV6M_DENSE_ROWS_S16_H
#define TFLM_ARMV6M_DENSE_ROWS_S16_H

#include <stdint.h>

typedef struct {
    const int16_t *values;
    const int8_t *rows;
    int32_t step;        // from a row to the next
    int32_t count;       // of values: a multiple of four, 4 to 256, whose products fit 32 bits
    int32_t *sums, *end;  // one a row: at least four, and a multiple of four
} tflm_m0_rows_s16_t;

// Writes the sum of products of row i and the values to sums[i].
void tflm_m0_rows_s16(const tflm_m0_rows_s16_t *job);

#endif
