// From an accumulator to an int8 output, with what depends on the channel alone worked out once.
#ifndef TFLM_FINISH_H
#define TFLM_FINISH_H

#include "requantize.h"

// Accumulators of channels whose largest sum stays below this never overflow in tflm_finish.
enum { TFLM_SAFE_SUM = 1 << 29 };

// An output channel's factor, ready to use. Where `exact` is 0, the sum may be too large for
// tflm_finish, or the shift is to the left: such a channel needs tflm_requantize.
typedef struct {
    tflm_factor_t factor;
    int32_t half;  // half a unit of the right shift, 0 without one
    int32_t sign;  // -1, or 0 without a right shift: ties go away from zero
    int32_t right;
    int32_t exact;
} tflm_channel_t;

// largest: a bound of |sum|, or anything above TFLM_SAFE_SUM.
static inline tflm_channel_t tflm_channel(tflm_factor_t factor, uint32_t largest) {
    tflm_channel_t channel = {.factor = factor};
    if (factor.shift <= 0 && largest < TFLM_SAFE_SUM) {
        channel.exact = 1;
        channel.right = -factor.shift;
        channel.half = (int32_t)((1u << channel.right) >> 1);
        channel.sign = channel.right == 0 ? 0 : -1;
    }
    return channel;
}

// The same result as tflm_requantize, for a channel that is `exact`: |sum * multiplier / 2^31|
// <= |sum|, so adding half (at most 2^30) stays inside 32 bits.
static inline int8_t tflm_finish(uint32_t sum, const tflm_channel_t *channel, tflm_range_t range) {
    const int32_t high = tflm_high_mul((int32_t)sum, channel->factor.multiplier);
    const int32_t scaled = (high + channel->half + ((high >> 31) & channel->sign)) >> channel->right;
    return (int8_t)tflm_clamp(scaled + range.offset, range.minimum, range.maximum);
}

// A bound of |sum| over `taps` products of a filter and (input + offset), and a bias.
static inline uint32_t tflm_largest_sum(int32_t taps, int32_t bias) {
    const uint32_t size = bias < 0 ? 0u - (uint32_t)bias : (uint32_t)bias;
    const uint32_t products = taps < 1 << 13 ? (uint32_t)taps * (128 * 255) : UINT32_MAX / 2;
    return size > UINT32_MAX / 2 ? size : size + products;
}

#endif
