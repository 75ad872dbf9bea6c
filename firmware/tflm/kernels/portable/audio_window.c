#include "audio/steps.h"

#include "audio/tables.h"

enum { BITS = TFLM_AUDIO_WINDOW_BITS, WORDS = TFLM_AUDIO_POINTS / 2 };

static inline uint32_t size_of(int32_t y) {
    return (uint32_t)(y < 0 ? -y : y);
}

uint32_t tflm_audio_apply_window(const int16_t *samples, int32_t *work) {
    const int16_t *x = samples, *factor = tflm_audio_window;
    uint32_t sizes = 0;
    for (int32_t high = 0; high < 15; high++) {  // the first two digits of a pair
        int32_t *to = work + (high >> 2 | (high & 3) << 2);
        for (int32_t i = 0; i < 4; i++, to += 16) {
            for (int32_t j = 0; j < WORDS; j += WORDS / 4, x += 2, factor += 2) {
                const int32_t re = (x[0] * factor[0]) >> BITS, im = (x[1] * factor[1]) >> BITS;
                sizes |= size_of(re) | size_of(im);
                to[j] = (int32_t)(((uint32_t)re & 0xFFFF) | (uint32_t)im << 16);
            }
        }
    }
    return sizes;
}
