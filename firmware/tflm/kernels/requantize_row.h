// From many sums of one factor to int8 outputs.
#ifndef TFLM_REQUANTIZE_ROW_H
#define TFLM_REQUANTIZE_ROW_H

#include "requantize.h"

// Writes what tflm_requantize makes of each sum, whole range of int8, in order.
void tflm_requantize_row(const uint32_t *sums, int32_t count, tflm_factor_t factor,
    int32_t output_offset, int8_t *output);

#endif
