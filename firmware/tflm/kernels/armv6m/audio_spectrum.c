// The energies, as portable/audio_spectrum.c computes them, with passes in assembly.
#include "audio/front.h"
#include "audio/tables.h"
#include "audio/window.h"
#include "audio_passes.h"

enum { COUNT = TFLM_AUDIO_POINTS / 2, HALF = 16383 };

typedef struct {
    int32_t re, im;
} complex_t;

static inline int32_t rounded(int32_t product) {
    return (product + (1 << 14)) >> 15;
}

static inline complex_t halved(int32_t word) {
    return (complex_t) {rounded((int16_t)word * HALF), rounded((word >> 16) * HALF)};
}

static inline complex_t times(complex_t a, uint32_t turn) {
    const int32_t c = (int16_t)turn, s = (int32_t)turn >> 16;
    return (complex_t) {rounded(a.re * c - a.im * s), rounded(a.re * s + a.im * c)};
}

static inline int32_t stored(int32_t re, int32_t im) {
    return (int32_t)(((uint32_t)re & 0xFFFF) | (uint32_t)im << 16);
}

static void pass(int32_t *work, int32_t size, int32_t step) {
    const int32_t stride = (int32_t)sizeof(int32_t) * size;
    const uint32_t *turns = tflm_audio_turns + 3 * (step - 1);
    tflm_m0_audio_mix(work, stride, work + COUNT, TFLM_M0_QUARTER);
    for (int32_t *block = work; block < work + COUNT; block += 4 * size) {
        tflm_m0_audio_turn(block + 1, stride, turns, 12 * (step - 1));
    }
}

// Parts the transforms of even and odd samples; what comes out are energies.
static void split(int32_t *work) {
    const uint32_t *turn = tflm_audio_split_turns + TFLM_AUDIO_FIRST - 1;
    for (int32_t k = TFLM_AUDIO_FIRST; k <= COUNT / 2; k++) {
        const int32_t back = work[COUNT - k];
        const complex_t a = halved(work[k]);
        const complex_t b = halved(stored((int16_t)back, -(back >> 16)));
        const complex_t even = {(int16_t)(a.re + b.re), (int16_t)(a.im + b.im)};
        const complex_t difference = {(int16_t)(a.re - b.re), (int16_t)(a.im - b.im)};
        complex_t odd = times(difference, *turn++);
        odd = (complex_t) {(int16_t)odd.re, (int16_t)odd.im};
        const int32_t re = (even.re + odd.re) >> 1, im = (even.im + odd.im) >> 1;
        work[k] = (int32_t)((uint32_t)(re * re) + (uint32_t)(im * im));
        const int32_t back_re = (even.re - odd.re) >> 1, back_im = (odd.im - even.im) >> 1;
        work[COUNT - k] =
            (int32_t)((uint32_t)(back_re * back_re) + (uint32_t)(back_im * back_im));
    }
}

int32_t tflm_audio_spectrum(const int16_t *samples, bool is_micro, int32_t *work) {
    const tflm_audio_scale_t scale = tflm_audio_window_in(samples, is_micro, work);
    tflm_m0_audio_mix(work, sizeof(int32_t), work + COUNT, TFLM_M0_QUARTER << scale.left);
    pass(work, 4, 16);
    pass(work, 16, 4);
    pass(work, 64, 1);
    split(work);
    return scale.shift;
}
