// Fourier transforms of real float32 rows: see fft.h, and signal_fft.c for arguments. Nothing is
// divided on the way; the inverse is, by its length, at the end.
#include "generated/layout.h"
#include "../common/float32.h"

typedef float real_t;

typedef struct {
    real_t re, im;
} complex_t;

#define NEGATIVE(a) (-(a))

static inline float load(const uint8_t *p) {
    return tflm_load_f32(p);
}

static inline float add(float a, float b) {
    return a + b;
}

static inline float sub(float a, float b) {
    return a - b;
}

static inline float half_sum(float a, float b) {
    return (a + b) * 0.5f;
}

static inline float half_difference(float a, float b) {
    return (a - b) * 0.5f;
}

static inline float scaled(float a, float b) {
    return a * b;
}

static inline complex_t times(complex_t a, complex_t b) {
    return (complex_t){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline complex_t divided(complex_t a, int32_t radix) {
    (void)radix;
    return a;
}

#include "../common/fft.h"

void tflm_signal_rfft_f32(const tflm_signal_rfft_t *params, const uint8_t *input, float *output,
    float *scratch) {
    rfft(params, input, output, scratch);
}

void tflm_signal_irfft_f32(const tflm_signal_rfft_t *params, const uint8_t *input, float *output,
    float *scratch) {
    irfft(params, input, output, scratch);
    const float length = (float)params->length;
    for (int32_t i = 0; i < params->rows * params->length; i++) {
        output[i] /= length;
    }
}
