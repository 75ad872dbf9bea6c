// The sum at the heart of convolutions and fully connected layers.
#ifndef TFLM_DOT_H
#define TFLM_DOT_H

#include <stdint.h>

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP
#include "simd.h"
#define TFLM_HAS_DSP 1
#else
#define TFLM_HAS_DSP 0
#endif

static inline uint32_t tflm_product(int8_t weight, int8_t value, uint32_t offset) {
    return (uint32_t)weight * ((uint32_t)value + offset);
}

// Returns the sum of weights[i] * (values[i] + offset) for i < count, modulo 2^32.
static inline uint32_t tflm_dot(
    const int8_t *values, const int8_t *weights, int32_t count, int32_t offset) {
    const uint32_t by = (uint32_t)offset;
    uint32_t sum = 0;
#if TFLM_HAS_DSP
    // Two products an instruction, where values and offset together fit 16 bits.
    if (offset >= -(1 << 14) && offset < 1 << 14) {
        const uint32_t both = tflm_both(offset);
        for (; count >= 4; count -= 4, values += 4, weights += 4) {
            const uint32_t x = tflm_load4(values), w = tflm_load4(weights);
            sum = tflm_smlad(tflm_even(w), tflm_add_even(both, x), sum);
            sum = tflm_smlad(tflm_odd(w), tflm_add_odd(both, x), sum);
        }
    }
#endif
    // Four a turn: the loop itself costs as much as half a product.
    for (; count >= 4; count -= 4, values += 4, weights += 4) {
        sum += tflm_product(weights[0], values[0], by);
        sum += tflm_product(weights[1], values[1], by);
        sum += tflm_product(weights[2], values[2], by);
        sum += tflm_product(weights[3], values[3], by);
    }
    for (; count > 0; count--) {
        sum += tflm_product(*weights++, *values++, by);
    }
    return sum;
}

// Adds to sums[0] and sums[1] the dots of the same values with two rows of weights, one after the
// other in memory: each value is loaded, and given its offset, once for both.
static inline void tflm_dot_pair(const int8_t *values, const int8_t *weights, int32_t count,
    int32_t offset, uint32_t sums[2]) {
    const int8_t *second = weights + count;
    uint32_t sum0 = sums[0];
    uint32_t sum1 = sums[1];
    for (const int8_t *end = values + count; values != end; values++) {
        const uint32_t value = (uint32_t)*values + (uint32_t)offset;
        sum0 += (uint32_t)*weights++ * value;
        sum1 += (uint32_t)*second++ * value;
    }
    sums[0] = sum0;
    sums[1] = sum1;
}

#endif
