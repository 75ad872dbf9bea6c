#include "audio/window.h"

#include "audio/tables.h"

enum {
    WORDS = TFLM_AUDIO_POINTS / 2,
};

static inline int32_t windowed(const int16_t *samples, bool is_micro, int32_t i) {
    const int32_t factor = tflm_audio_window[i] + (is_micro && i == TFLM_AUDIO_PATCHED);
    return (samples[i] * factor) >> TFLM_AUDIO_WINDOW_BITS;
}

// TFLM's int16 maximum: -32768 makes it forget all that came before.
static int32_t forgetful_maximum(const int16_t *samples) {
    int32_t most = 0;
    for (int32_t i = 0; i < TFLM_AUDIO_WINDOW; i++) {
        const int32_t y = windowed(samples, false, i);
        most = y > most ? y : -y > most ? (int16_t)-y : most;
    }
    return most;
}

static int32_t shift_for(uint32_t sizes, bool is_micro) {
    const int32_t shift = 15 - tflm_audio_bits(sizes);
    return is_micro || sizes != 0 ? shift : 0;
}

// Gives the one value its own factor, and fills up with zeros.
static uint32_t complete(const int16_t *samples, bool is_micro, int32_t *work) {
    for (int32_t i = 15; i < WORDS; i += 16) {
        work[i] = 0;
    }
    if (!is_micro) {
        return 0;
    }
    const int32_t pair = TFLM_AUDIO_PATCHED / 2;  // the digits 0, 0, 2, 0
    const int32_t re = windowed(samples, true, 2 * pair);
    const int32_t im = windowed(samples, true, TFLM_AUDIO_PATCHED);
    work[(pair & 3) << 6 | (pair >> 2) << 4] =
        (int32_t)(((uint32_t)re & 0xFFFF) | (uint32_t)im << 16);
    return (uint32_t)(im < 0 ? -im : im);
}

tflm_audio_scale_t tflm_audio_window_in(const int16_t *samples, bool is_micro, int32_t *work) {
    uint32_t sizes = tflm_audio_apply_window(samples, work);
    sizes |= complete(samples, is_micro, work);
    if (sizes <= INT16_MAX) {
        const int32_t shift = shift_for(sizes, is_micro);
        return (tflm_audio_scale_t) {shift, shift};
    }
    sizes &= INT16_MAX;
    if (!is_micro) {
        const int32_t most = forgetful_maximum(samples);
        sizes = most > 0 ? (uint32_t)most : 0;
    }
    const int32_t shift = shift_for(sizes, is_micro);
    for (int32_t i = 0; i < WORDS; i++) {
        const uint32_t word = (uint32_t)work[i];
        work[i] = (int32_t)((word << shift & 0xFFFF) | (word >> 16) << shift << 16);
    }
    return (tflm_audio_scale_t) {shift, 0};
}
