// The energies, as portable/audio_spectrum.c computes them, with passes in assembly.
#include "audio/steps.h"
#include "audio/spectrum.h"
#include "audio/tables.h"
#include "audio/window.h"
#include "audio_passes.h"

static void pass(int32_t *work, int32_t size, int32_t step) {
    const int32_t stride = (int32_t)sizeof(int32_t) * size;
    const uint32_t *turns = tflm_audio_turns + 3 * (step - 1);
    tflm_m0_audio_mix(work, stride, work + TFLM_AUDIO_COUNT, TFLM_M0_QUARTER);
    for (int32_t *block = work; block < work + TFLM_AUDIO_COUNT; block += 4 * size) {
        tflm_m0_audio_turn(block + 1, stride, turns, 12 * (step - 1));
    }
}

int32_t tflm_audio_spectrum(const int16_t *samples, bool is_micro, int32_t *work) {
    const tflm_audio_scale_t scale = tflm_audio_window_in(samples, is_micro, work);
    tflm_m0_audio_mix(work, sizeof(int32_t), work + TFLM_AUDIO_COUNT, TFLM_M0_QUARTER << scale.left);
    pass(work, 4, 16);
    pass(work, 16, 4);
    pass(work, 64, 1);
    tflm_audio_split(work);
    return scale.shift;
}
