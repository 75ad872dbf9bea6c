// From many sums to int8 outputs, which are limited to the range of int8 or to a part of it.
#ifndef TFLM_REQUANTIZE_ROW_H
#define TFLM_REQUANTIZE_ROW_H

#include "channels.h"

// Writes what tflm_requantize makes of each sum, whole range of int8, in order.
void tflm_requantize_row(const uint32_t *sums, int32_t count, tflm_factor_t factor,
    int32_t output_offset, int8_t *output);

// The same of a sum of each channel.
void tflm_requantize_channels(const uint32_t *sums, const tflm_channel_constants_t *channels,
    int32_t count, tflm_range_t range, int8_t *output);

#endif
