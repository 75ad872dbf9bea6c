// From accumulators to int8 outputs, four channels at a time.
#ifndef TFLM_REQUANTIZE_LANES_H
#define TFLM_REQUANTIZE_LANES_H

#include "../common/requantize.h"
#include "vectors.h"

// The int8 value that stands for 0, of an offset that takes it to 0.
static inline int8_t tflm_zero_point(int32_t offset) {
    return (int8_t)(0u - (uint32_t)offset);
}

// What a layer's channels need, as three arrays of `channels` words one after another; made in
// scratch when the layer runs, or by host_tools/tflm_host/prepare/constants/mve.py.
typedef struct {
    const int32_t *start;       // bias + input offset * sum of the filter
    const int32_t *multiplier;
    const int32_t *shift;       // positive = left
} tflm_lanes_t;

static inline tflm_lanes_t tflm_lanes(const int32_t *words, int32_t channels) {
    return (tflm_lanes_t) {words, words + channels, words + 2 * channels};
}

static inline tflm_lanes_t tflm_lanes_from(tflm_lanes_t lanes, int32_t c) {
    return (tflm_lanes_t) {lanes.start + c, lanes.multiplier + c, lanes.shift + c};
}

static inline tflm_factor_t tflm_lane_factor(tflm_lanes_t lanes, int32_t c) {
    return (tflm_factor_t) {lanes.multiplier[c], lanes.shift[c]};
}

// Whether no channel is shifted to the left, which tflm_scale_four cannot do.
static inline int32_t tflm_lanes_shift_right(tflm_lanes_t lanes, int32_t channels) {
    return tflm_largest(lanes.shift, channels) == 0;
}

// Writes the constants of one channel.
static inline void tflm_store_lane(
    int32_t *words, int32_t channels, int32_t c, uint32_t start, tflm_factor_t factor) {
    words[c] = (int32_t)start;
    words[channels + c] = factor.multiplier;
    words[2 * channels + c] = factor.shift;
}

// tflm_scale in each lane, shifts being 0 or less. vrshl rounds ties up; taking 1 from negative
// numbers where there is a shift, and only there `high & shift` is negative, makes it away from 0.
static inline int32x4_t tflm_scale_four(int32x4_t x, int32x4_t multiplier, int32x4_t shift) {
    const int32x4_t high = vqrdmulhq_s32(x, multiplier);
    const int32x4_t fix = vshrq_n_s32(vandq_s32(high, shift), 31);
    return vrshlq_s32(vqaddq_s32(high, fix), shift);
}

// How to finish the sums of four channels, in registers.
typedef struct {
    int32x4_t multiplier, shift, offset, minimum, maximum;
} tflm_four_t;

static inline tflm_four_t tflm_four(
    int32x4_t multiplier, int32x4_t shift, tflm_range_t range) {
    return (tflm_four_t) {
        .multiplier = multiplier,
        .shift = shift,
        .offset = vdupq_n_s32(range.offset),
        .minimum = vdupq_n_s32(range.minimum),
        .maximum = vdupq_n_s32(range.maximum),
    };
}

static inline tflm_four_t tflm_load_four(tflm_lanes_t lanes, tflm_range_t range) {
    return tflm_four(vldrwq_s32(lanes.multiplier), vldrwq_s32(lanes.shift), range);
}

// tflm_requantize of four sums, written to four bytes.
static inline void tflm_finish_four(int8_t *output, int32x4_t sums, const tflm_four_t *four) {
    const int32x4_t y =
        vaddq_s32(tflm_scale_four(sums, four->multiplier, four->shift), four->offset);
    vstrbq_s32(output, vminq_s32(vmaxq_s32(y, four->minimum), four->maximum));
}

#endif
