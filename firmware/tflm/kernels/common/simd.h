// Two int16 products at once: what Armv7E-M and Armv8-M with the DSP extension add to C.
//
// Elsewhere the same functions are plain C, so that the files of this folder can be tested on
// any machine.
#ifndef TFLM_SIMD_H
#define TFLM_SIMD_H

#include <stdint.h>
#include <string.h>

// Four int8 values at any alignment. LDR takes any address here, LDRD and LDM do not: the copy
// keeps the compiler from joining two loads.
static inline uint32_t tflm_load4(const int8_t *p) {
    uint32_t word;
    memcpy(&word, p, sizeof(word));
    return word;
}

// The same int16 value in both halves.
static inline uint32_t tflm_both(int32_t value) {
    return ((uint32_t)value & 0xFFFF) | (uint32_t)value << 16;
}

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

// A function that is one block of assembly. ADR counts from a multiple of four bytes, and a
// compiler that optimises for size puts functions at any multiple of two.
#define TFLM_ASSEMBLY __attribute__((naked, aligned(4)))

// Bytes 0 and 2 as two int16 values; bytes 1 and 3.
static inline uint32_t tflm_even(uint32_t bytes) {
    uint32_t pair;
    __asm__("sxtb16 %0, %1" : "=r" (pair) : "r" (bytes));
    return pair;
}

static inline uint32_t tflm_odd(uint32_t bytes) {
    uint32_t pair;
    __asm__("sxtb16 %0, %1, ror #8" : "=r" (pair) : "r" (bytes));
    return pair;
}

// The same, added to the halves of `sums`, modulo 2^16 each.
static inline uint32_t tflm_add_even(uint32_t sums, uint32_t bytes) {
    uint32_t result;
    __asm__("sxtab16 %0, %1, %2" : "=r" (result) : "r" (sums), "r" (bytes));
    return result;
}

static inline uint32_t tflm_add_odd(uint32_t sums, uint32_t bytes) {
    uint32_t result;
    __asm__("sxtab16 %0, %1, %2, ror #8" : "=r" (result) : "r" (sums), "r" (bytes));
    return result;
}

// The low halves of both; the high halves. The first one's goes low.
static inline uint32_t tflm_low_halves(uint32_t a, uint32_t b) {
    uint32_t pair;
    __asm__("pkhbt %0, %1, %2, lsl #16" : "=r" (pair) : "r" (a), "r" (b));
    return pair;
}

static inline uint32_t tflm_high_halves(uint32_t a, uint32_t b) {
    uint32_t pair;
    __asm__("pkhtb %0, %1, %2, asr #16" : "=r" (pair) : "r" (b), "r" (a));
    return pair;
}

// addend + a * b / 2^32, to nearest, ties up.
static inline int32_t tflm_add_high(int32_t a, int32_t b, int32_t addend) {
    int32_t sum;
    __asm__("smmlar %0, %1, %2, %3" : "=r" (sum) : "r" (a), "r" (b), "r" (addend));
    return sum;
}

// The larger of each pair of four int8.
static inline uint32_t tflm_larger4(uint32_t a, uint32_t b) {
    uint32_t largest;
    __asm__("ssub8 %0, %1, %2\n\tsel %0, %1, %2" : "=&r" (largest) : "r" (a), "r" (b) : "cc");
    return largest;
}

// sum + the absolute values of four int8.
static inline uint32_t tflm_add_sizes(uint32_t sum, uint32_t bytes) {
    const uint32_t zeros = 0x80808080u;
    __asm__("usada8 %0, %1, %2, %0" : "+r" (sum) : "r" (bytes ^ zeros), "r" (zeros));
    return sum;
}

// Twice x, saturated to int32.
static inline int32_t tflm_saturating_double(int32_t x) {
    int32_t sum;
    __asm__("qadd %0, %1, %1" : "=r" (sum) : "r" (x) : "cc");
    return sum;
}

// x, saturated to int8, to int16.
static inline int32_t tflm_saturate8(int32_t x) {
    __asm__("ssat %0, #8, %0" : "+r" (x) : : "cc");
    return x;
}

static inline int32_t tflm_saturate16(int32_t x) {
    __asm__("ssat %0, #16, %0" : "+r" (x) : : "cc");
    return x;
}

// sum + both products of two pairs; + the product of the low, of the high halves. add16 adds
// the halves, sub16 subtracts them.
static inline uint32_t tflm_smlad(uint32_t a, uint32_t b, uint32_t sum) {
    __asm__("smlad %0, %1, %2, %0" : "+r" (sum) : "r" (a), "r" (b));
    return sum;
}

static inline uint32_t tflm_smlabb(uint32_t a, uint32_t b, uint32_t sum) {
    __asm__("smlabb %0, %1, %2, %0" : "+r" (sum) : "r" (a), "r" (b));
    return sum;
}

static inline uint32_t tflm_smlatt(uint32_t a, uint32_t b, uint32_t sum) {
    __asm__("smlatt %0, %1, %2, %0" : "+r" (sum) : "r" (a), "r" (b));
    return sum;
}

static inline uint32_t tflm_add16(uint32_t a, uint32_t b) {
    uint32_t sums;
    __asm__("sadd16 %0, %1, %2" : "=r" (sums) : "r" (a), "r" (b) : "cc");
    return sums;
}

static inline uint32_t tflm_sub16(uint32_t a, uint32_t b) {
    uint32_t differences;
    __asm__("ssub16 %0, %1, %2" : "=r" (differences) : "r" (a), "r" (b) : "cc");
    return differences;
}

#else

static inline uint32_t tflm_pair(int8_t low, int8_t high) {
    return (uint16_t)low | (uint32_t)(uint16_t)high << 16;
}

static inline uint32_t tflm_even(uint32_t bytes) {
    return tflm_pair((int8_t)bytes, (int8_t)(bytes >> 16));
}

static inline uint32_t tflm_odd(uint32_t bytes) {
    return tflm_pair((int8_t)(bytes >> 8), (int8_t)(bytes >> 24));
}

static inline uint32_t tflm_add16(uint32_t a, uint32_t b) {
    return ((a + b) & 0xFFFF) | ((a & 0xFFFF0000) + (b & 0xFFFF0000));
}

static inline uint32_t tflm_sub16(uint32_t a, uint32_t b) {
    return ((a - b) & 0xFFFF) | ((a & 0xFFFF0000) - (b & 0xFFFF0000));
}

static inline uint32_t tflm_add_even(uint32_t sums, uint32_t bytes) {
    return tflm_add16(sums, tflm_even(bytes));
}

static inline uint32_t tflm_add_odd(uint32_t sums, uint32_t bytes) {
    return tflm_add16(sums, tflm_odd(bytes));
}

static inline uint32_t tflm_low_halves(uint32_t a, uint32_t b) {
    return (a & 0xFFFF) | b << 16;
}

static inline uint32_t tflm_high_halves(uint32_t a, uint32_t b) {
    return a >> 16 | (b & 0xFFFF0000);
}

static inline int32_t tflm_add_high(int32_t a, int32_t b, int32_t addend) {
    const int64_t product = (int64_t)a * b + (INT64_C(1) << 31);
    return (int32_t)((uint32_t)addend + (uint32_t)(product >> 32));
}

static inline uint32_t tflm_larger4(uint32_t a, uint32_t b) {
    uint32_t largest = 0;
    for (int32_t i = 0; i < 32; i += 8) {
        largest |= ((int8_t)(a >> i) >= (int8_t)(b >> i) ? a : b) & 255u << i;
    }
    return largest;
}

static inline uint32_t tflm_add_sizes(uint32_t sum, uint32_t bytes) {
    for (int32_t i = 0; i < 32; i += 8) {
        const int8_t value = (int8_t)(bytes >> i);
        sum += (uint32_t)(value < 0 ? -value : value);
    }
    return sum;
}

static inline int32_t tflm_saturating_double(int32_t x) {
    const int32_t most = 1 << 30;
    return x >= most ? INT32_MAX : x < -most ? INT32_MIN : 2 * x;
}

static inline int32_t tflm_saturate8(int32_t x) {
    return x < -128 ? -128 : x > 127 ? 127 : x;
}

static inline int32_t tflm_saturate16(int32_t x) {
    return x < INT16_MIN ? INT16_MIN : x > INT16_MAX ? INT16_MAX : x;
}

static inline uint32_t tflm_smlabb(uint32_t a, uint32_t b, uint32_t sum) {
    return sum + (uint32_t)((int16_t)a * (int16_t)b);
}

static inline uint32_t tflm_smlatt(uint32_t a, uint32_t b, uint32_t sum) {
    return sum + (uint32_t)((int16_t)(a >> 16) * (int16_t)(b >> 16));
}

static inline uint32_t tflm_smlad(uint32_t a, uint32_t b, uint32_t sum) {
    return tflm_smlatt(a, b, tflm_smlabb(a, b, sum));
}

#endif

#endif
