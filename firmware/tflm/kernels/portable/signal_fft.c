// Fourier transforms of real int16 rows: see fft.h.
#include "generated/layout.h"
#include "../common/load.h"

typedef int16_t real_t;

typedef struct {
    real_t re, im;
} complex_t;

#define NEGATIVE(a) ((int16_t)-(a))

static inline int16_t load(const uint8_t *p) {
    return tflm_load16(p);
}

static inline int16_t add(int16_t a, int16_t b) {
    return (int16_t)(a + b);
}

static inline int16_t sub(int16_t a, int16_t b) {
    return (int16_t)(a - b);
}

static inline int16_t half_sum(int16_t a, int16_t b) {
    return (int16_t)((a + b) >> 1);
}

static inline int16_t half_difference(int16_t a, int16_t b) {
    return (int16_t)((a - b) >> 1);
}

static inline int16_t rounded(uint32_t product) {
    return (int16_t)((int32_t)(product + (1u << 14)) >> 15);
}

static inline int16_t scaled(int16_t a, int16_t b) {
    return rounded((uint32_t)(a * b));
}

static inline complex_t times(complex_t a, complex_t b) {
    return (complex_t){rounded((uint32_t)(a.re * b.re) - (uint32_t)(a.im * b.im)),
        rounded((uint32_t)(a.re * b.im) + (uint32_t)(a.im * b.re))};
}

static inline complex_t divided(complex_t a, int16_t radix) {
    const int16_t factor = (int16_t)(INT16_MAX / radix);
    return (complex_t){scaled(a.re, factor), scaled(a.im, factor)};
}

#include "../common/fft.h"

// input    int16 [rows, input_length]; zeros follow up to `length`
// output   int16 [rows, length / 2 + 1, 2]: complex numbers
// scratch  int16 [length]
// What prepare sees to: length is even, its half a product of 2, 3 and 5; input_length is at
// most length.
void tflm_signal_rfft_s16(const tflm_signal_rfft_t *params, const uint8_t *input, int16_t *output,
    int16_t *scratch) {
    rfft(params, input, output, scratch);
}

// input    int16 [rows, length / 2 + 1, 2]: complex numbers
// output   int16 [rows, length]
// scratch  int16 [length]
void tflm_signal_irfft_s16(const tflm_signal_rfft_t *params, const uint8_t *input, int16_t *output,
    int16_t *scratch) {
    irfft(params, input, output, scratch);
}
