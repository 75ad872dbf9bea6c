// Logarithms of the sums of bands.
#ifndef TFLM_AUDIO_MEL_LOG_H
#define TFLM_AUDIO_MEL_LOG_H

#include "audio/tables.h"

// How many bits the number has, 0 of 0: small, where tflm_audio_bits() is fast.
static inline int32_t tflm_mel_bits(uint32_t x) {
    return x == 0 ? 0 : 32 - __builtin_clz(x);
}

// log2 of x > 0, of 16 bits behind the point, less than 2^-14 beside the truth. The table has
// log2(1 + i / 128) - i / 128.
static inline int32_t tflm_mel_log2(uint64_t x) {
    const uint32_t upper = (uint32_t)(x >> 32);
    const int32_t whole = upper != 0 ? 31 + tflm_mel_bits(upper) : tflm_mel_bits((uint32_t)x) - 1;
    const uint32_t top = whole > 31 ? (uint32_t)(x >> (whole - 31)) : (uint32_t)x << (31 - whole);
    const uint16_t *at = tflm_audio_logs + ((top >> 24) & 127);
    const int32_t within = (int32_t)((top >> 8) & 0xFFFF);
    const int32_t bend = at[0] + (((at[1] - at[0]) * within) >> 16);
    return whole * (1 << 16) + (int32_t)((top >> 15) & 0xFFFF) + bend;
}

#endif
