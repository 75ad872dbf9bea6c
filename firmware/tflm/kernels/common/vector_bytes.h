// Bytes that vectors move or fill; empty where the compiler has no vectors. mve/vectors_twin.h has
// both functions in plain C.
#ifndef TFLM_VECTOR_BYTES_H
#define TFLM_VECTOR_BYTES_H

#if defined(__ARM_FEATURE_MVE)

#include <arm_mve.h>
#include <stdint.h>

// From the first on, so that `to` may lie before `from` and both overlap. Returns the place behind
// the bytes written.
static inline int8_t *tflm_copy_bytes(int8_t *to, const int8_t *from, int32_t count) {
    int8_t *end = to + count;
    __asm__ volatile("dlstp.8 lr, %[count]\n"
            "1:\n\t"
            "vldrb.8 q0, [%[from]], #16\n\t"
            "vstrb.8 q0, [%[to]], #16\n\t"
            "letp lr, 1b"
            : [from] "+r" (from), [to] "+r" (to)
            : [count] "r" (count) : "q0", "lr", "cc", "memory");
    return end;
}

static inline int8_t *tflm_fill_bytes(int8_t *to, int8_t value, int32_t count) {
    int8_t *end = to + count;
    const int8x16_t values = vdupq_n_s8(value);
    __asm__ volatile("dlstp.8 lr, %[count]\n"
            "1:\n\t"
            "vstrb.8 %q[values], [%[to]], #16\n\t"
            "letp lr, 1b"
            : [to] "+r" (to)
            : [count] "r" (count), [values] "w" (values) : "lr", "cc", "memory");
    return end;
}

#endif

#endif
