// Steps of the transform of 16-bit numbers that the kernels of all cores share, inlined.
//
// A word of `work` is one complex number, its real part low.
#ifndef TFLM_AUDIO_SPECTRUM_H
#define TFLM_AUDIO_SPECTRUM_H

#include "audio/steps.h"
#include "audio/tables.h"

enum { TFLM_AUDIO_COUNT = TFLM_AUDIO_POINTS / 2, TFLM_AUDIO_HALF = 16383 };

typedef struct {
    int32_t re, im;
} tflm_audio_complex_t;

static inline int32_t tflm_audio_rounded(int32_t product) {
    return (product + (1 << 14)) >> 15;
}

static inline tflm_audio_complex_t tflm_audio_load(int32_t word, int32_t factor) {
    return (tflm_audio_complex_t) {
        tflm_audio_rounded((int16_t)word * factor), tflm_audio_rounded((word >> 16) * factor)};
}

static inline tflm_audio_complex_t tflm_audio_times(tflm_audio_complex_t a, uint32_t turn) {
    const int32_t c = (int16_t)turn, s = (int32_t)turn >> 16;
    return (tflm_audio_complex_t) {
        tflm_audio_rounded(a.re * c - a.im * s), tflm_audio_rounded(a.re * s + a.im * c)};
}

static inline int32_t tflm_audio_stored(int32_t re, int32_t im) {
    return (int32_t)(((uint32_t)re & 0xFFFF) | (uint32_t)im << 16);
}

static inline void tflm_audio_mix(int32_t *x, int32_t size, tflm_audio_complex_t a,
    tflm_audio_complex_t b, tflm_audio_complex_t c, tflm_audio_complex_t d) {
    const tflm_audio_complex_t even = {a.re + c.re, a.im + c.im}, odd = {a.re - c.re, a.im - c.im};
    const tflm_audio_complex_t sum = {b.re + d.re, b.im + d.im}, side = {b.re - d.re, b.im - d.im};
    x[0] = tflm_audio_stored(even.re + sum.re, even.im + sum.im);
    x[2 * size] = tflm_audio_stored(even.re - sum.re, even.im - sum.im);
    x[size] = tflm_audio_stored(odd.re + side.im, odd.im - side.re);
    x[3 * size] = tflm_audio_stored(odd.re - side.im, odd.im + side.re);
}

// Parts the transforms of even and odd samples; what comes out are energies.
static inline void tflm_audio_split(int32_t *work) {
    const uint32_t *turn = tflm_audio_split_turns + TFLM_AUDIO_FIRST - 1;
    for (int32_t k = TFLM_AUDIO_FIRST; k <= TFLM_AUDIO_COUNT / 2; k++) {
        const int32_t back = work[TFLM_AUDIO_COUNT - k];
        const tflm_audio_complex_t a = tflm_audio_load(work[k], TFLM_AUDIO_HALF);
        const tflm_audio_complex_t b =
            tflm_audio_load(tflm_audio_stored((int16_t)back, -(back >> 16)), TFLM_AUDIO_HALF);
        const tflm_audio_complex_t even = {(int16_t)(a.re + b.re), (int16_t)(a.im + b.im)};
        const tflm_audio_complex_t difference = {(int16_t)(a.re - b.re), (int16_t)(a.im - b.im)};
        tflm_audio_complex_t odd = tflm_audio_times(difference, *turn++);
        odd = (tflm_audio_complex_t) {(int16_t)odd.re, (int16_t)odd.im};
        const int32_t re = (even.re + odd.re) >> 1, im = (even.im + odd.im) >> 1;
        work[k] = (int32_t)((uint32_t)(re * re) + (uint32_t)(im * im));
        const int32_t back_re = (even.re - odd.re) >> 1, back_im = (odd.im - even.im) >> 1;
        work[TFLM_AUDIO_COUNT - k] =
            (int32_t)((uint32_t)(back_re * back_re) + (uint32_t)(back_im * back_im));
    }
}

#endif
