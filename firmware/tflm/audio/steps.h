// The steps of a line: each is a file of its own for the kernels of some ISAs.
#ifndef TFLM_AUDIO_STEPS_H
#define TFLM_AUDIO_STEPS_H

#include <stdbool.h>
#include <stdint.h>

enum { TFLM_AUDIO_WINDOW = 480, TFLM_AUDIO_BANDS = 40, TFLM_AUDIO_POINTS = 512 };

enum { TFLM_AUDIO_WINDOW_BITS = 12 };  // of its values

// Writes the samples times the window, two in a word, to `work`, where the first pass of the
// transform reads them: pair i at the place whose four digits of base 4 are those of i, backwards.
// There are 240 pairs. Returns the bits of all sizes.
uint32_t tflm_audio_apply_window(const int16_t *samples, int32_t *work);

// Writes the energies of bins TFLM_AUDIO_FIRST..TFLM_AUDIO_LAST of a window of samples to `work`, at
// these indices. Returns by how many bits it has shifted the samples up.
int32_t tflm_audio_spectrum(const int16_t *samples, bool is_micro, int32_t *work);

// Replaces the energies by the square roots of the bands' sums, shifted down: `work` starts with
// TFLM_AUDIO_BANDS of them.
void tflm_audio_bands(bool is_micro, int32_t shift, uint32_t *work);

enum { TFLM_AUDIO_FIRST = 5, TFLM_AUDIO_LAST = 240 };

// How many bits the number has; 0 of 0. A core without CLZ would call a function for each.
static inline int32_t tflm_audio_bits(uint32_t x) {
    #if defined(__thumb__) && !defined(__thumb2__)
    static const uint8_t of_four[16] = {0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4};
    int32_t bits = 0;
    if (x >> 16 != 0) {
        x >>= 16;
        bits = 16;
    }
    if (x >> 8 != 0) {
        x >>= 8;
        bits += 8;
    }
    if (x >> 4 != 0) {
        x >>= 4;
        bits += 4;
    }
    return bits + of_four[x];
    #else
    return x == 0 ? 0 : 32 - __builtin_clz(x);
    #endif
}

#endif
