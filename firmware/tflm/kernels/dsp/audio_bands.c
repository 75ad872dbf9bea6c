// The filter bank, as portable/audio_bands.c has it, and roots by the FPU where there is one.
#include "audio/steps.h"
#include "audio/root.h"
#include "audio/tables.h"

#if defined(__ARM_FP) || !defined(__thumb__)

static inline float root_of_f32(float x) {
    #ifdef __thumb__
    float root;
    __asm__("vsqrt.f32 %0, %1" : "=t" (root) : "t" (x));
    return root;
    #else
    return __builtin_sqrtf(x);
    #endif
}

// The largest integer whose square is not above v, which has fewer than 48 bits: the root of a float
// is at most two beside it.
static inline uint32_t floor_root(uint64_t v) {
    const float x = (float)(uint32_t)(v >> 32) * 4294967296.0f + (float)(uint32_t)v;
    uint32_t root = (uint32_t)root_of_f32(x);
    while ((uint64_t)root * root > v) {
        root--;
    }
    while ((uint64_t)(root + 1) * (root + 1) <= v) {
        root++;
    }
    return root;
}

#else
#define floor_root tflm_audio_floor_root
#endif

void tflm_audio_bands(bool is_micro, int32_t shift, uint32_t *work) {
    const uint16_t *weight = is_micro ? tflm_audio_weights_micro : tflm_audio_weights_micro_speech;
    const uint32_t one = is_micro ? TFLM_AUDIO_ONE_MICRO : TFLM_AUDIO_ONE_MICRO_SPEECH;
    const uint32_t *energy = work + TFLM_AUDIO_FIRST;
    uint64_t above = 0;  // what the last slope gives to the band above it
    for (int32_t i = 0; i <= TFLM_AUDIO_BANDS; i++) {
        uint64_t sum = 0, below = 0;
        for (int32_t n = tflm_audio_widths[i]; n > 0; n--) {
            sum += *energy;
            below += (uint64_t)*energy++ * *weight++;
        }
        if (i > 0) {
            const uint64_t v = above + below;
            work[i - 1] = tflm_audio_rounded_root(v, floor_root(v >> (2 * shift)), shift);
        }
        above = one * sum - below;
    }
}
