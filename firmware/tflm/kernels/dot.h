// The sum at the heart of convolutions and fully connected layers.
#ifndef TFLM_DOT_H
#define TFLM_DOT_H

#include <stdint.h>

// Returns the sum of weights[i] * (values[i] + offset) for i < count, modulo 2^32.
static inline uint32_t tflm_dot(
    const int8_t *values, const int8_t *weights, int32_t count, int32_t offset) {
    uint32_t sum = 0;
    for (const int8_t *end = values + count; values != end; values++, weights++) {
        sum += (uint32_t)*weights * ((uint32_t)*values + (uint32_t)offset);
    }
    return sum;
}

#endif
