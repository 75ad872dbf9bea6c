// What SVDF's states add to vectors.h, and the same in plain C for machines without vectors.
#ifndef TFLM_MVE_SVDF_STATES_H
#define TFLM_MVE_SVDF_STATES_H

#include "vectors.h"

#if defined(__ARM_FEATURE_MVE)

// The dots of `rows` rows of count values, each less zero_point, with as many rows of weights.
static inline void tflm_dot_rows(const int8_t *x, const int8_t *w, int32_t count, int32_t rows,
    int32_t zero_point, int32_t *dots) {
    const int32_t back = count - ((count + 15) & ~15);  // from where reading ends to the next row
    const int32_t offset = (int32_t)(0u - (uint32_t)zero_point);
    int32_t dot, sum;
    __asm__ volatile("2:\n\t"
            "movs %[dot], #0\n\t"
            "movs %[sum], #0\n\t"
            "dlstp.8 lr, %[count]\n"
            "1:\n\t"
            "vldrb.8 q0, [%[x]], #16\n\t"
            "vldrb.8 q1, [%[w]], #16\n\t"
            "vmladava.s8 %[dot], q0, q1\n\t"
            "vaddva.s8 %[sum], q1\n\t"
            "letp lr, 1b\n\t"
            "mla %[dot], %[sum], %[offset], %[dot]\n\t"
            "str %[dot], [%[dots]], #4\n\t"
            "add %[x], %[back]\n\t"
            "add %[w], %[back]\n\t"
            "subs %[rows], #1\n\t"
            "bne 2b"
            : [x] "+&r" (x), [w] "+&r" (w), [dots] "+&r" (dots), [rows] "+&r" (rows),
            [dot] "=&Te" (dot), [sum] "=&Te" (sum)
            : [count] "r" (count), [back] "r" (back), [offset] "r" (offset)
            : "q0", "q1", "lr", "cc", "memory");
}

// Writes the low bytes of four values, `step` bytes from one to the next.
static inline void tflm_scatter_four(int8_t *to, int32_t step, int32x4_t values) {
    const uint32x4_t numbers = {0, 1, 2, 3};
    vstrbq_scatter_offset_s32(to, vmulq_n_u32(numbers, (uint32_t)step), values);
}

#else

static inline void tflm_dot_rows(const int8_t *x, const int8_t *w, int32_t count, int32_t rows,
    int32_t zero_point, int32_t *dots) {
    for (; rows > 0; rows--, x += count, w += count) {
        *dots++ =
            (int32_t)(tflm_dot_one(x, w, count) - (uint32_t)zero_point * tflm_sum(w, count));
    }
}

static inline void tflm_scatter_four(int8_t *to, int32_t step, int32x4_t values) {
    for (int i = 0; i < 4; i++) {
        to[i * step] = (int8_t)values.of[i];
    }
}

#endif

#endif
