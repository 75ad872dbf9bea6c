// The energies, as portable/audio_spectrum.c computes them, with two halves of a word at a time.
#include "audio/steps.h"
#include "audio/tables.h"
#include "audio/window.h"
#include "halves.h"

enum { COUNT = TFLM_AUDIO_POINTS / 2, QUARTER = 8191, HALF = 16383, ROUND = 1 << 14 };

// A number divided by the radix.
static inline uint32_t divided(uint32_t word, int32_t factor) {
    return tflm_halves_of(tflm_add_low(word, (uint32_t)factor, ROUND),
        tflm_add_high_low(word, (uint32_t)factor, ROUND));
}

static inline uint32_t times(uint32_t a, uint32_t turn) {
    return tflm_halves_of(
        tflm_add_real(a, turn, ROUND), tflm_add_imaginary(a, turn, ROUND));
}

static inline void mix(uint32_t *x, int32_t size, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const uint32_t even = tflm_add16(a, c), odd = tflm_sub16(a, c);
    const uint32_t sum = tflm_add16(b, d), side = tflm_sub16(b, d);
    x[0] = tflm_add16(even, sum);
    x[2 * size] = tflm_sub16(even, sum);
    x[size] = tflm_sub_turned(odd, side);
    x[3 * size] = tflm_add_turned(odd, side);
}

// The factor has more than 16 bits: it shifts the samples up, too.
static inline uint32_t scaled(uint32_t word, int32_t factor) {
    return tflm_halves_of((int16_t)word * factor + ROUND, ((int32_t)word >> 16) * factor + ROUND);
}

static void first_pass(uint32_t *work, int32_t factor) {
    for (uint32_t *x = work; x < work + COUNT; x += 4) {
        mix(x, 1, scaled(x[0], factor), scaled(x[1], factor), scaled(x[2], factor),
            scaled(x[3], factor));
    }
}

static inline void pass(uint32_t *work, int32_t size, int32_t step) {
    for (uint32_t *x = work; x < work + COUNT; x += 4 * size) {
        mix(x, size, divided(x[0], QUARTER), divided(x[size], QUARTER),
            divided(x[2 * size], QUARTER), divided(x[3 * size], QUARTER));
    }
    for (int32_t k = 1; k < size; k++) {
        const uint32_t *turn = tflm_audio_turns + 3 * (k * step - 1);
        const uint32_t one = turn[0], two = turn[1], three = turn[2];
        for (uint32_t *x = work + k; x < work + COUNT; x += 4 * size) {
            mix(x, size, divided(x[0], QUARTER), times(divided(x[size], QUARTER), one),
                times(divided(x[2 * size], QUARTER), two),
                times(divided(x[3 * size], QUARTER), three));
        }
    }
}

// Parts the transforms of even and odd samples; what comes out are energies.
static void split(uint32_t *work) {
    uint32_t *x = work + TFLM_AUDIO_FIRST, *back = work + COUNT - TFLM_AUDIO_FIRST;
    for (const uint32_t *turn = tflm_audio_split_turns + TFLM_AUDIO_FIRST - 1; x <= back; turn++) {
        const uint32_t a = divided(*x, HALF), b = divided(*back, HALF);
        const uint32_t other = divided(tflm_sub16(0, *back), HALF);  // of -32768, -32768
        const uint32_t conjugate = (b & 0xFFFF) | (other & 0xFFFF0000);
        const uint32_t even = tflm_add16(a, conjugate);
        const uint32_t odd = times(tflm_sub16(a, conjugate), *turn);
        const uint32_t sum = tflm_half_add16(even, odd);
        const uint32_t re = tflm_half_sub16(even, odd), im = tflm_half_sub16(odd, even);
        *x++ = (uint32_t)tflm_add_both(sum, sum, 0);
        *back-- = tflm_smlatt(im, im, (uint32_t)tflm_add_low(re, re, 0));
    }
}

int32_t tflm_audio_spectrum(const int16_t *samples, bool is_micro, int32_t *work) {
    const tflm_audio_scale_t scale = tflm_audio_window_in(samples, is_micro, work);
    first_pass((uint32_t *)work, QUARTER << scale.left);
    pass((uint32_t *)work, 4, 16);
    pass((uint32_t *)work, 16, 4);
    pass((uint32_t *)work, 64, 1);
    split((uint32_t *)work);
    return scale.shift;
}
