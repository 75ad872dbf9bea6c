// One row of the outputs of MUL of int8, and of ADD, SUB and MUL of int16.
#ifndef TFLM_BROADCAST_ROWS_H
#define TFLM_BROADCAST_ROWS_H

#include "generated/layout.h"
#include "strided.h"

// a, b    the row's elements, row->step1 and row->step2 elements apart
// output  [row->length], written in order
void tflm_mul_row_s8(const tflm_product_t *params, const tflm_row_t *row, const int8_t *a,
    const int8_t *b, int8_t *output);

// a, b    the row's elements, row->step1 and row->step2 bytes apart, at any address
// sign    -1 for a difference
void tflm_sum_row_s16(const tflm_add_t *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, int16_t *output, int32_t sign);
void tflm_mul_row_s16(const tflm_product_t *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, int16_t *output);

#endif
