// From accumulators to int16, as the gates of an LSTM have them.
#ifndef TFLM_SCALE_S16_H
#define TFLM_SCALE_S16_H

#include "clamp.h"
#include "requantize.h"

// tflm_scale of a sum, as int16.
int32_t tflm_scale_s16_plain(uint32_t sum, tflm_factor_t factor);

// Tells whether tflm_scale_s16_short may be called: for a shift to the right by 1 to 12.
static inline int32_t tflm_is_short(tflm_factor_t factor) {
    return TFLM_HAS_DSP && factor.shift < 0 && factor.shift >= -12;
}

// The same. With the DSP extension the high product of twice the sum is one instruction (see
// dsp/constants.h); where that would leave 32 bits it saturates, and the result is at the end of
// int16 either way.
static inline int32_t tflm_scale_s16_short(uint32_t sum, tflm_factor_t factor) {
#if TFLM_HAS_DSP
    const int32_t twice = tflm_saturating_double((int32_t)sum);
    const int32_t t =
        tflm_add_high(twice, factor.multiplier, 1 << (-factor.shift - 1)) + (twice >> 31);
    return tflm_saturate16(t >> -factor.shift);
#else
    return tflm_scale_s16_plain(sum, factor);
#endif
}

#endif
