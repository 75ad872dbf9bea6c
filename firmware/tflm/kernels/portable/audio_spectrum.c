// The windowed samples' energies: a real Fourier transform of 512 points of 16 bits. Source: kiss_fft.c,
// tools/kiss_fftr.c of kissfft 130 with FIXED_POINT 16.
//
// Before each pass numbers are divided by the radix, rounded; sums wrap when they are stored.
#include "audio/steps.h"
#include "audio/spectrum.h"
#include "audio/tables.h"
#include "audio/window.h"

enum { QUARTER = 8191 };

// Turns of 1 change no number that has been divided.
static inline void mix_plain(int32_t *x, int32_t size, int32_t factor) {
    tflm_audio_mix(x, size, tflm_audio_load(x[0], factor), tflm_audio_load(x[size], factor),
        tflm_audio_load(x[2 * size], factor), tflm_audio_load(x[3 * size], factor));
}

static void pass(int32_t *work, int32_t size, int32_t step) {
    for (int32_t *block = work; block < work + TFLM_AUDIO_COUNT; block += 4 * size) {
        mix_plain(block, size, QUARTER);
        for (int32_t k = 1; k < size; k++) {
            int32_t *x = block + k;
            const uint32_t *turn = tflm_audio_turns + 3 * (k * step - 1);
            tflm_audio_mix(x, size, tflm_audio_load(x[0], QUARTER),
                tflm_audio_times(tflm_audio_load(x[size], QUARTER), turn[0]),
                tflm_audio_times(tflm_audio_load(x[2 * size], QUARTER), turn[1]),
                tflm_audio_times(tflm_audio_load(x[3 * size], QUARTER), turn[2]));
        }
    }
}

int32_t tflm_audio_spectrum(const int16_t *samples, bool is_micro, int32_t *work) {
    const tflm_audio_scale_t scale = tflm_audio_window_in(samples, is_micro, work);
    for (int32_t *x = work; x < work + TFLM_AUDIO_COUNT; x += 4) {
        mix_plain(x, 1, QUARTER << scale.left);
    }
    pass(work, 4, 16);
    pass(work, 16, 4);
    pass(work, 64, 1);
    tflm_audio_split(work);
    return scale.shift;
}
