// The filter bank, and the roots of its sums. Source: filterbank.c of pymicro-features 2.0.2.
//
// A slope of the bank is one product a bin: of a bin's energy e, the band below gets w * e, the band
// above it one * e - w * e.
#include "audio/steps.h"
#include "audio/root.h"
#include "audio/tables.h"

void tflm_audio_bands(bool is_micro, int32_t shift, uint32_t *work) {
    const uint16_t *weight = is_micro ? tflm_audio_weights_micro : tflm_audio_weights_micro_speech;
    const uint32_t *energy = work + TFLM_AUDIO_FIRST;
    uint64_t above = 0;  // what the last slope gives to the band above it
    for (int32_t i = 0; i <= TFLM_AUDIO_BANDS; i++) {
        // In halves of 16 bits: fifteen products of 28 bits fit into a word.
        uint32_t low_sum = 0, high_sum = 0, low_below = 0, high_below = 0;
        for (int32_t n = tflm_audio_widths[i]; n > 0; n--) {
            const uint32_t low = *energy & 0xFFFF, high = *energy++ >> 16, factor = *weight++;
            low_sum += low;
            high_sum += high;
            low_below += low * factor;
            high_below += high * factor;
        }
        const uint64_t sum = low_sum + ((uint64_t)high_sum << 16);
        const uint64_t below = low_below + ((uint64_t)high_below << 16);
        if (i > 0) {
            const uint64_t v = above + below;
            const uint32_t root = tflm_audio_floor_root(v >> (2 * shift));
            work[i - 1] = tflm_audio_rounded_root(v, root, shift);
        }
        above = (sum << 12) - (is_micro ? 0 : sum) - below;
    }
}
