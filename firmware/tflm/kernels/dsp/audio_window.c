#include "audio/steps.h"

#include <string.h>

#include "audio/tables.h"
#include "halves.h"

enum { WORDS = TFLM_AUDIO_POINTS / 2 };

static inline uint32_t load2(const int16_t *p) {
    uint32_t word;
    memcpy(&word, p, sizeof(word));
    return word;
}

uint32_t tflm_audio_apply_window(const int16_t *samples, int32_t *work) {
    const int16_t *factor = tflm_audio_window;
    uint32_t sizes = 0;
    for (int32_t high = 0; high < 15; high++) {  // the first two digits of a pair
        int32_t *to = work + (high >> 2 | (high & 3) << 2);
        for (int32_t i = 0; i < 4; i++, to += 16, samples += 8, factor += 8) {
            for (int32_t j = 0; j < 4; j++) {
                const uint32_t x = load2(samples + 2 * j), by = load2(factor + 2 * j);
                const uint32_t re = tflm_smlabb(x, by, 0), im = tflm_smlatt(x, by, 0);
                const uint32_t pair = tflm_halves_of((int32_t)(re << 3), (int32_t)(im << 3));
                sizes |= tflm_sizes16(pair);
                to[WORDS / 4 * j] = (int32_t)pair;
            }
        }
    }
    return (sizes | sizes >> 16) & 0xFFFF;
}
