// With a single-precision FPU, four products a row go through assembly that loads four words at
// once: 2.4 instructions a product.
#include "dot_f32.h"

#if TFLM_HAS_FPU

// Of two rows at %[v] and %[w]; x in s4 to s7. Two sums take turns, for an addition must wait for
// the one before it in the same sum.
#define PRODUCTS(v, w, s, t) \
    "vldmia %[" #v "]!, {s8-s11}\n\t" \
    "vldmia %[" #w "]!, {s12-s15}\n\t" \
    "vmul.f32 s8, s4, s8\n\t" \
    "vmul.f32 s12, s4, s12\n\t" \
    "vmul.f32 s9, s5, s9\n\t" \
    "vmul.f32 s13, s5, s13\n\t" \
    "vmul.f32 s10, s6, s10\n\t" \
    "vmul.f32 s14, s6, s14\n\t" \
    "vmul.f32 s11, s7, s11\n\t" \
    "vmul.f32 s15, s7, s15\n\t" \
    "vadd.f32 " #s ", " #s ", s8\n\t" \
    "vadd.f32 " #t ", " #t ", s12\n\t" \
    "vadd.f32 " #s ", " #s ", s9\n\t" \
    "vadd.f32 " #t ", " #t ", s13\n\t" \
    "vadd.f32 " #s ", " #s ", s10\n\t" \
    "vadd.f32 " #t ", " #t ", s14\n\t" \
    "vadd.f32 " #s ", " #s ", s11\n\t" \
    "vadd.f32 " #t ", " #t ", s15\n\t"

void tflm_dots_f32(
    float sums[TFLM_DOTS], const uint8_t *x, const uint8_t *w, int32_t step, int32_t n) {
    const uint8_t *a = w, *b = a + step, *c = b + step, *d = c + step;
    __asm__ volatile(
        "vldmia %[sums], {s0-s3}\n\t"
        "subs %[n], %[n], #4\n\t"
        "blt 2f\n"
        "1:\n\t"
        "vldmia %[x]!, {s4-s7}\n\t"
        PRODUCTS(a, b, s0, s1)
        PRODUCTS(c, d, s2, s3)
        "subs %[n], %[n], #4\n\t"
        "bge 1b\n"
        "2:\n\t"
        "adds %[n], %[n], #4\n\t"
        "beq 4f\n"
        "3:\n\t"
        "vldmia %[x]!, {s4}\n\t"
        "vldmia %[a]!, {s8}\n\t"
        "vldmia %[b]!, {s9}\n\t"
        "vldmia %[c]!, {s10}\n\t"
        "vldmia %[d]!, {s11}\n\t"
        "vmul.f32 s8, s4, s8\n\t"
        "vmul.f32 s9, s4, s9\n\t"
        "vmul.f32 s10, s4, s10\n\t"
        "vmul.f32 s11, s4, s11\n\t"
        "vadd.f32 s0, s0, s8\n\t"
        "vadd.f32 s1, s1, s9\n\t"
        "vadd.f32 s2, s2, s10\n\t"
        "vadd.f32 s3, s3, s11\n\t"
        "subs %[n], %[n], #1\n\t"
        "bne 3b\n"
        "4:\n\t"
        "vstmia %[sums], {s0-s3}"
        : [x] "+r" (x), [a] "+r" (a), [b] "+r" (b), [c] "+r" (c), [d] "+r" (d), [n] "+r" (n)
        : [sums] "r" (sums)
        : "memory", "cc", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11",
        "s12", "s13", "s14", "s15");
}

#else

void tflm_dots_f32(
    float sums[TFLM_DOTS], const uint8_t *x, const uint8_t *w, int32_t step, int32_t n) {
    for (int32_t k = 0; k < TFLM_DOTS; k++, w += step) {
        sums[k] = tflm_dot_f32(sums[k], x, w, n);
    }
}

#endif
