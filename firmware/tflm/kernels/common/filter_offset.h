// The zero point of a fully connected filter.
#ifndef TFLM_FILTER_OFFSET_H
#define TFLM_FILTER_OFFSET_H

#include "generated/layout.h"

// What a filter's zero point adds to every output of one batch: the sum of
// (w + f) * (x + i) is that of w * (x + i), plus f times the sum of (x + i).
static inline uint32_t tflm_filter_offset_term(
    const tflm_fully_connected_t *params, const int8_t *input) {
    if (params->filter_offset == 0) {
        return 0;
    }
    uint32_t sum = (uint32_t)params->input_depth * (uint32_t)params->input_offset;
    for (int32_t i = 0; i < params->input_depth; i++) {
        sum += (uint32_t)input[i];
    }
    return sum * (uint32_t)params->filter_offset;
}

#endif
