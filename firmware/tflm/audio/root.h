// Roots of sums of bands, which have fewer than 48 bits: 28 bins at most in two slopes, each of at
// most 2^31 * 2^12. Source: sqrt in TFLM's signal library, then a shift.
#ifndef TFLM_AUDIO_ROOT_H
#define TFLM_AUDIO_ROOT_H

#include "audio/steps.h"

// The largest integer whose square is not above v.
static inline uint32_t tflm_audio_floor_root(uint64_t v) {
    const uint32_t upper = (uint32_t)(v >> 32);
    // The root of the topmost bits, then one bit more for each two of the rest. What is left is at
    // most twice the root, so that 32 bits hold it.
    const int32_t pairs = (tflm_audio_bits(upper) + 1) >> 1;
    uint32_t left = (uint32_t)(v >> (2 * pairs)), root = 0;
    if (left == 0) {
        return 0;
    }
    for (uint32_t bit = 1u << ((tflm_audio_bits(left) - 1) & ~1); bit != 0; bit >>= 2) {
        const uint32_t with_bit = root + bit;
        root >>= 1;
        if (left >= with_bit) {
            left -= with_bit;
            root += bit;
        }
    }
    for (int32_t i = 2 * pairs - 2; i >= 0; i -= 2) {
        left = left << 2 | ((uint32_t)v >> i & 3);
        root <<= 1;
        if (left > 2 * root) {
            left -= 2 * root + 1;
            root++;
        }
    }
    return root;
}

// TFLM rounds the root to nearest, but not up to 2^16, and shifts it down. `root` is the largest
// integer whose square is not above v >> 2 * shift: TFLM's result, or one less where the root of v
// rounds up to a multiple of 2^shift.
static inline uint32_t tflm_audio_rounded_root(uint64_t v, uint32_t root, int32_t shift) {
    const uint32_t next = (root + 1) << shift;
    const uint64_t least = (uint64_t)next * next - next;  // rounds down
    return root + (v > least && (next != 1 << 16 || v >> 32 != 0));
}

#endif
