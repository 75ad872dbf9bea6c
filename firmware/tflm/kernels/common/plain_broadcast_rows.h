// The kernels of portable/broadcast_rows.c. A file of an ISA that replaces it includes this one, too, and
// gives its functions other names.
#ifndef TFLM_PLAIN_BROADCAST_ROWS_H
#define TFLM_PLAIN_BROADCAST_ROWS_H

#include "broadcast_rows.h"

#include "requantize_row.h"

enum { CHUNK = 32 };  // products at a time

void tflm_mul_row_s8(const tflm_product_t *params, const tflm_row_t *row, const int8_t *a,
    const int8_t *b, int8_t *output) {
    const int32_t is_narrow =
        params->activation_min > INT8_MIN || params->activation_max < INT8_MAX;
    const tflm_factor_t factor = {params->multiplier, params->shift};
    const uint32_t offset1 = (uint32_t)params->input1_offset;
    const uint32_t offset2 = (uint32_t)params->input2_offset;
    const int32_t step1 = row->step1, step2 = row->step2;
    int32_t count;
    for (int32_t left = row->length; left > 0; left -= count, output += count) {
        uint32_t products[CHUNK];
        count = left < CHUNK ? left : CHUNK;
        for (int32_t i = 0; i < count; i++, a += step1, b += step2) {
            products[i] = ((uint32_t)*a + offset1) * ((uint32_t)*b + offset2);
        }
        tflm_requantize_row(products, count, factor, params->output_offset, output);
        for (int32_t i = is_narrow ? 0 : count; i < count; i++) {
            output[i] = (int8_t)tflm_clamp(
                output[i], params->activation_min, params->activation_max);
        }
    }
}

#endif
