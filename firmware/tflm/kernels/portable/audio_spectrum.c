// The windowed samples' energies: a real Fourier transform of 512 points of 16 bits. Source: kiss_fft.c,
// tools/kiss_fftr.c of kissfft 130 with FIXED_POINT 16.
//
// A word of `work` is one complex number, its real part low. Before each pass numbers are divided by
// the radix, rounded; sums wrap when they are stored.
#include "audio/front.h"
#include "audio/tables.h"
#include "audio/window.h"

enum { COUNT = TFLM_AUDIO_POINTS / 2, QUARTER = 8191, HALF = 16383 };

typedef struct {
    int32_t re, im;
} complex_t;

static inline int32_t rounded(int32_t product) {
    return (product + (1 << 14)) >> 15;
}

static inline complex_t load(int32_t word, int32_t factor) {
    return (complex_t) {rounded((int16_t)word * factor), rounded((word >> 16) * factor)};
}

static inline complex_t times(complex_t a, uint32_t turn) {
    const int32_t c = (int16_t)turn, s = (int32_t)turn >> 16;
    return (complex_t) {rounded(a.re * c - a.im * s), rounded(a.re * s + a.im * c)};
}

static inline int32_t stored(int32_t re, int32_t im) {
    return (int32_t)(((uint32_t)re & 0xFFFF) | (uint32_t)im << 16);
}

static inline void mix(int32_t *x, int32_t size, complex_t a, complex_t b, complex_t c, complex_t d) {
    const complex_t even = {a.re + c.re, a.im + c.im}, odd = {a.re - c.re, a.im - c.im};
    const complex_t sum = {b.re + d.re, b.im + d.im}, side = {b.re - d.re, b.im - d.im};
    x[0] = stored(even.re + sum.re, even.im + sum.im);
    x[2 * size] = stored(even.re - sum.re, even.im - sum.im);
    x[size] = stored(odd.re + side.im, odd.im - side.re);
    x[3 * size] = stored(odd.re - side.im, odd.im + side.re);
}

// Turns of 1 change no number that has been divided.
static inline void mix_plain(int32_t *x, int32_t size, int32_t factor) {
    mix(x, size, load(x[0], factor), load(x[size], factor), load(x[2 * size], factor),
        load(x[3 * size], factor));
}

static void pass(int32_t *work, int32_t size, int32_t step) {
    for (int32_t *block = work; block < work + COUNT; block += 4 * size) {
        mix_plain(block, size, QUARTER);
        for (int32_t k = 1; k < size; k++) {
            int32_t *x = block + k;
            const uint32_t *turn = tflm_audio_turns + 3 * (k * step - 1);
            mix(x, size, load(x[0], QUARTER), times(load(x[size], QUARTER), turn[0]),
                times(load(x[2 * size], QUARTER), turn[1]),
                times(load(x[3 * size], QUARTER), turn[2]));
        }
    }
}

// Parts the transforms of even and odd samples; what comes out are energies.
static void split(int32_t *work) {
    const uint32_t *turn = tflm_audio_split_turns + TFLM_AUDIO_FIRST - 1;
    for (int32_t k = TFLM_AUDIO_FIRST; k <= COUNT / 2; k++) {
        const int32_t back = work[COUNT - k];
        const complex_t a = load(work[k], HALF);
        const complex_t b = load(stored((int16_t)back, -(back >> 16)), HALF);
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
    for (int32_t *x = work; x < work + COUNT; x += 4) {
        mix_plain(x, 1, QUARTER << scale.left);
    }
    pass(work, 4, 16);
    pass(work, 16, 4);
    pass(work, 64, 1);
    split(work);
    return scale.shift;
}
