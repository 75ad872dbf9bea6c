// From sums of int16 values and int8 weights to int16 outputs.
#ifndef TFLM_CHANNELS_S16_H
#define TFLM_CHANNELS_S16_H

#include "clamp.h"
#include "requantize.h"

// What an output channel needs besides its filter, 16 bytes. Sums that are wide are scaled by a
// multiplier of 16 bits, others wrap to 32 bits and are scaled as int8's are.
typedef struct {
    uint64_t start;  // of the scaled sum where sums are wide, the bias and a half in it; else the bias
    int32_t multiplier;
    int32_t shift;  // to the right where sums are wide, else to the left
} tflm_channel_s16_t;

// Where channels come from.
typedef struct {
    const uint8_t *bias;  // integers of bias_bytes: 2, 4 or 8; or NULL
    int32_t bias_bytes;
    const uint8_t *scales;  // float32 of the filter, scale_step bytes from a channel's to the next
    int32_t scale_step, is_wide;
    tflm_scales_t both;  // of input and output
} tflm_channels_s16_t;

// How outputs are made: is_wide of the channels, and the range of the activation; is_bounded where
// that is not all of int16.
typedef struct {
    int32_t is_wide, is_bounded, minimum, maximum;
} tflm_finish_s16_t;

static inline tflm_finish_s16_t tflm_finish_of_s16(
    int32_t is_wide, int32_t minimum, int32_t maximum) {
    return (tflm_finish_s16_t){
        is_wide, minimum > INT16_MIN || maximum < INT16_MAX, minimum, maximum};
}

// Fills channels[0..count-1] with channels first...
void tflm_load_channels_s16(const tflm_channels_s16_t *from, int32_t first, int32_t count,
    tflm_channel_s16_t *channels);

// A factor as wide sums have it.
static inline tflm_factor_t tflm_wide_factor(tflm_factor_t factor) {
    const int32_t most = 0x7FFF, shift_max = 14, shift = factor.shift;
    const int32_t multiplier = factor.multiplier >= most << 16
        ? most : (factor.multiplier + (1 << 15)) >> 16;
    return (tflm_factor_t){multiplier, shift_max + 1 - (shift < shift_max ? shift : shift_max)};
}

// What a channel is with this bias. Where a product of 64 bits is one instruction, a shift of 17 to
// 32 becomes one of 32, which only picks a word; what start and multiplier gain at the left, the
// word loses modulo 2^64.
static inline tflm_channel_s16_t tflm_channel_s16(
    uint64_t bias, tflm_factor_t factor, int32_t is_wide) {
    const uint64_t scaled = bias * (uint64_t)(int64_t)factor.multiplier;
    const uint64_t start = is_wide ? scaled + ((uint64_t)1 << (factor.shift - 1)) : bias;
#if !defined(__ARM_ARCH_6M__)
    if (is_wide && factor.shift >= 17 && factor.shift < 32) {
        const int32_t more = 32 - factor.shift;
        return (tflm_channel_s16_t){start << more, factor.multiplier * (1 << more), 32};
    }
#endif
    return (tflm_channel_s16_t){start, factor.multiplier, factor.shift};
}

// Returns the product of a sum and a channel's multiplier; on a Cortex-M0 that has 15 bits.
static inline uint64_t tflm_wide_product(int32_t sum, int32_t multiplier) {
#if defined(__ARM_ARCH_6M__)
    const uint32_t low = ((uint32_t)sum & 0xFFFF) * (uint32_t)multiplier;
    return ((uint64_t)(int64_t)((sum >> 16) * multiplier) << 16) + low;
#else
    return (uint64_t)((int64_t)sum * multiplier);
#endif
}

static inline int32_t tflm_bound_s16(int32_t y, const tflm_finish_s16_t *finish) {
    y = tflm_clamp16(y);
    return finish->is_bounded ? tflm_clamp(y, finish->minimum, finish->maximum) : y;
}

// sum: without the bias
static inline int16_t tflm_finish_s16(
    uint64_t sum, const tflm_channel_s16_t *channel, const tflm_finish_s16_t *finish) {
    const int32_t shift = channel->shift, narrow = (int32_t)(uint32_t)sum;
    const uint64_t start = channel->start;
    int32_t y;
    if (!finish->is_wide) {
        y = tflm_scale((int32_t)(uint32_t)(start + sum), channel->multiplier, shift);
    } else if ((uint64_t)(int64_t)narrow == sum && shift <= 32) {  // mostly so: one product then
        const uint64_t total = start + tflm_wide_product(narrow, channel->multiplier);
        y = (int32_t)(uint32_t)(total >> 32);
        if (__builtin_expect(shift != 32, 0)) {
            y = (int32_t)((uint32_t)y << (32 - shift) | (uint32_t)total >> shift);
        }
    } else {
        const uint64_t total = start + sum * (uint64_t)(int64_t)channel->multiplier;
        y = (int32_t)((int64_t)total >> shift);
    }
    return (int16_t)tflm_bound_s16(y, finish);
}

#endif
