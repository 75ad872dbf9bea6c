// The filter bank, and the roots of its sums. Source: filterbank.c of pymicro-features 2.0.2.
//
// A slope of the bank is one product a bin: of a bin's energy e, the band below gets w * e, the band
// above it one * e - w * e.
#include "audio/steps.h"
#include "audio/root.h"
#include "audio/tables.h"

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
            const uint32_t root = tflm_audio_floor_root(v >> (2 * shift));
            work[i - 1] = tflm_audio_rounded_root(v, root, shift);
        }
        above = one * sum - below;
    }
}
