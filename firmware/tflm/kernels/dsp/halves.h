// Complex numbers of 16 bits in the halves of a word, the real part low: instructions of Armv7E-M,
// and elsewhere plain C, as in simd.h.
#ifndef TFLM_HALVES_H
#define TFLM_HALVES_H

#include "../common/simd.h"

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

#define TFLM_HALVES(name, instruction) \
    static inline uint32_t name(uint32_t a, uint32_t b) { \
        uint32_t result; \
        __asm__(instruction " %0, %1, %2" : "=r" (result) : "r" (a), "r" (b) : "cc"); \
        return result; \
    }
#define TFLM_PRODUCT(name, instruction) \
    static inline int32_t name(uint32_t a, uint32_t b, int32_t sum) { \
        int32_t result; \
        __asm__(instruction " %0, %1, %2, %3" : "=r" (result) : "r" (a), "r" (b), "r" (sum)); \
        return result; \
    }

TFLM_HALVES(tflm_half_add16, "shadd16")
TFLM_HALVES(tflm_half_sub16, "shsub16")
// a + i * b, a - i * b
TFLM_HALVES(tflm_add_turned, "sasx")
TFLM_HALVES(tflm_sub_turned, "ssax")
// sum + the low half of a, its high half, times the low half of b
TFLM_PRODUCT(tflm_add_low, "smlabb")
TFLM_PRODUCT(tflm_add_high_low, "smlatb")
// sum + the real part, the imaginary part of a * b; + the parts' squares
TFLM_PRODUCT(tflm_add_real, "smlsd")
TFLM_PRODUCT(tflm_add_imaginary, "smladx")
TFLM_PRODUCT(tflm_add_both, "smlad")

// Bits 15 to 30 of both, which go to the halves.
static inline uint32_t tflm_halves_of(int32_t low, int32_t high) {
    uint32_t pair;
    __asm__("pkhbt %0, %1, %2, lsl #1" : "=r" (pair) : "r" (low >> 15), "r" (high));
    return pair;
}

// The sizes of both halves; that of -32768 is 32768.
static inline uint32_t tflm_sizes16(uint32_t pair) {
    uint32_t sizes;
    __asm__("ssub16 %0, %2, %1\n\tsel %0, %0, %1" : "=&r" (sizes) : "r" (pair), "r" (0) : "cc");
    return sizes;
}

#else

static inline uint32_t tflm_join(int32_t low, int32_t high) {
    return ((uint32_t)low & 0xFFFF) | (uint32_t)high << 16;
}

static inline int32_t tflm_low(uint32_t pair) {
    return (int16_t)pair;
}

static inline int32_t tflm_high(uint32_t pair) {
    return (int16_t)(pair >> 16);
}

static inline uint32_t tflm_half_add16(uint32_t a, uint32_t b) {
    return tflm_join((tflm_low(a) + tflm_low(b)) >> 1, (tflm_high(a) + tflm_high(b)) >> 1);
}

static inline uint32_t tflm_half_sub16(uint32_t a, uint32_t b) {
    return tflm_join((tflm_low(a) - tflm_low(b)) >> 1, (tflm_high(a) - tflm_high(b)) >> 1);
}

static inline uint32_t tflm_add_turned(uint32_t a, uint32_t b) {
    return tflm_join(tflm_low(a) - tflm_high(b), tflm_high(a) + tflm_low(b));
}

static inline uint32_t tflm_sub_turned(uint32_t a, uint32_t b) {
    return tflm_join(tflm_low(a) + tflm_high(b), tflm_high(a) - tflm_low(b));
}

static inline int32_t tflm_add_low(uint32_t a, uint32_t b, int32_t sum) {
    return sum + tflm_low(a) * tflm_low(b);
}

static inline int32_t tflm_add_high_low(uint32_t a, uint32_t b, int32_t sum) {
    return sum + tflm_high(a) * tflm_low(b);
}

static inline int32_t tflm_add_real(uint32_t a, uint32_t b, int32_t sum) {
    return sum + tflm_low(a) * tflm_low(b) - tflm_high(a) * tflm_high(b);
}

static inline int32_t tflm_add_imaginary(uint32_t a, uint32_t b, int32_t sum) {
    return sum + tflm_low(a) * tflm_high(b) + tflm_high(a) * tflm_low(b);
}

static inline int32_t tflm_add_both(uint32_t a, uint32_t b, int32_t sum) {
    return (int32_t)((uint32_t)sum + (uint32_t)(tflm_low(a) * tflm_low(b))
        + (uint32_t)(tflm_high(a) * tflm_high(b)));
}

static inline uint32_t tflm_halves_of(int32_t low, int32_t high) {
    return tflm_join(low >> 15, high >> 15);
}

static inline uint32_t tflm_sizes16(uint32_t pair) {
    const int32_t low = tflm_low(pair), high = tflm_high(pair);
    return tflm_join(low < 0 ? -low : low, high < 0 ? -high : high);
}

#endif

#endif
