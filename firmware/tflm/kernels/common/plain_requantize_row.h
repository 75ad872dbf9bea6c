// The kernels of portable/requantize_row.c. A file of an ISA that replaces it includes this one, too, and
// gives its functions other names.
#ifndef TFLM_PLAIN_REQUANTIZE_ROW_H
#define TFLM_PLAIN_REQUANTIZE_ROW_H

#include "requantize_row.h"

void tflm_requantize_row(const uint32_t *sums, int32_t count, tflm_factor_t factor,
    int32_t output_offset, int8_t *output) {
    const tflm_range_t range = {output_offset, INT8_MIN, INT8_MAX};
    for (int32_t i = 0; i < count; i++) {
        output[i] = tflm_requantize(sums[i], factor, range);
    }
}

void tflm_requantize_channels(const uint32_t *sums, const tflm_channel_constants_t *channels,
    int32_t count, tflm_range_t range, int8_t *output) {
    for (int32_t i = 0; i < count; i++) {
        output[i] = tflm_requantize(sums[i], channels[i].factor, range);
    }
}

#endif
