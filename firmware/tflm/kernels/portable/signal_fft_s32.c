// Fourier transforms of real int32 rows: see fft.h, and signal_fft.c for arguments.
#include "generated/layout.h"
#include "../common/fixed_point.h"

typedef int32_t real_t;

typedef struct {
    real_t re, im;
} complex_t;

#define NEGATIVE(a) tflm_wrapping_sub(0, (a))

static inline int32_t load(const uint8_t *p) {
    return tflm_load32(p);
}

static inline int32_t add(int32_t a, int32_t b) {
    return tflm_wrapping_add(a, b);
}

static inline int32_t sub(int32_t a, int32_t b) {
    return tflm_wrapping_sub(a, b);
}

static inline int32_t half_sum(int32_t a, int32_t b) {
    return add(a, b) >> 1;
}

static inline int32_t half_difference(int32_t a, int32_t b) {
    return sub(a, b) >> 1;
}

static inline int32_t rounded(uint64_t product) {
    return (int32_t)((int64_t)(product + (1u << 30)) >> 31);
}

static inline uint64_t product(int32_t a, int32_t b) {
    return (uint64_t)((int64_t)a * b);
}

static inline int32_t scaled(int32_t a, int32_t b) {
    return rounded(product(a, b));
}

static inline complex_t times(complex_t a, complex_t b) {
    return (complex_t){rounded(product(a.re, b.re) - product(a.im, b.im)),
        rounded(product(a.re, b.im) + product(a.im, b.re))};
}

// Not inlined: half a kilobyte and more of 64-bit products.
static __attribute__((noinline)) complex_t divided(complex_t a, int32_t radix) {
    const int32_t factor = INT32_MAX / radix;
    return (complex_t){scaled(a.re, factor), scaled(a.im, factor)};
}

#include "../common/fft.h"

void tflm_signal_rfft_s32(const tflm_signal_rfft_t *params, const uint8_t *input, int32_t *output,
    int32_t *scratch) {
    rfft(params, input, output, scratch);
}

void tflm_signal_irfft_s32(const tflm_signal_rfft_t *params, const uint8_t *input, int32_t *output,
    int32_t *scratch) {
    irfft(params, input, output, scratch);
}
