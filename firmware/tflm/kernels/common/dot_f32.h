// Sums of float32 products, each in the order of memory and with one rounding an operation, as
// TFLM's are.
#ifndef TFLM_DOT_F32_H
#define TFLM_DOT_F32_H

#include "float32.h"
#include "products_f32.h"

enum { TFLM_DOTS = 4 };  // sums that are made at once

// Whether both lie at multiples of 4 bytes.
static inline int tflm_are_aligned(const uint8_t *x, const uint8_t *w) {
    return (((uintptr_t)x | (uintptr_t)w) & 3) == 0;
}

// Returns `sum` and, added one after the other, n products of x and w, which lie next_x and next_w
// bytes apart; any alignment.
static inline float tflm_dot_apart_f32(float sum, const uint8_t *x, int32_t next_x,
    const uint8_t *w, int32_t next_w, int32_t n) {
    if (TFLM_SOFT_FLOAT && tflm_are_aligned(x, w)) {
        return tflm_add_products(sum, (tflm_products_t){x, w, next_x, next_w, x + n * next_x});
    }
    for (; n > 0; n--, x += next_x, w += next_w) {
        sum += tflm_load_f32(x) * tflm_load_f32(w);
    }
    return sum;
}

static inline float tflm_dot_f32(float sum, const uint8_t *x, const uint8_t *w, int32_t n) {
    return tflm_dot_apart_f32(sum, x, 4, w, 4, n);
}

// The same of one x and TFLM_DOTS rows of weights, `step` bytes apart; all at multiples of 4 bytes.
void tflm_dots_f32(
    float sums[TFLM_DOTS], const uint8_t *x, const uint8_t *w, int32_t step, int32_t n);

// Four sums, one a channel.
typedef struct {
    float a, b, c, d;
} tflm_lanes_t;

// Adds x[k] * w[k] to sum k of four; all at multiples of 4 bytes.
static inline void tflm_add_lanes(tflm_lanes_t *sums, const uint8_t *x, const uint8_t *w) {
#if TFLM_HAS_FPU
    __asm__(
        "vldmia %[x], {s8-s11}\n\t"
        "vldmia %[w], {s12-s15}\n\t"
        "vmul.f32 s8, s8, s12\n\t"
        "vmul.f32 s9, s9, s13\n\t"
        "vmul.f32 s10, s10, s14\n\t"
        "vmul.f32 s11, s11, s15\n\t"
        "vadd.f32 %[a], %[a], s8\n\t"
        "vadd.f32 %[b], %[b], s9\n\t"
        "vadd.f32 %[c], %[c], s10\n\t"
        "vadd.f32 %[d], %[d], s11"
        : [a] "+t" (sums->a), [b] "+t" (sums->b), [c] "+t" (sums->c), [d] "+t" (sums->d)
        : [x] "r" (x), [w] "r" (w), "m" (*(const float (*)[4])x), "m" (*(const float (*)[4])w)
        : "s8", "s9", "s10", "s11", "s12", "s13", "s14", "s15");
#else
    const float *in = (const void *)x, *weights = (const void *)w;
    sums->a += in[0] * weights[0];
    sums->b += in[1] * weights[1];
    sums->c += in[2] * weights[2];
    sums->d += in[3] * weights[3];
#endif
}

// Writes sum + bias under the activation's bounds.
static inline void tflm_finish_f32(
    uint8_t *output, float sum, int32_t bias, float minimum, float maximum) {
    tflm_store_f32(output, tflm_clamp_f32(sum + tflm_float(bias), minimum, maximum));
}

#endif
