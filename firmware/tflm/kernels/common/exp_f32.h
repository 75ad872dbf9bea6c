// e^x of most x, for loops that have no time for a call; see exp_f32.c.
#ifndef TFLM_EXP_F32_H
#define TFLM_EXP_F32_H

#include "curves_f32.h"

enum { TFLM_STEPS = 32, TFLM_HIDDEN = 1 << 23 };  // steps in which 2 is divided; k counts them

// Doubles as integers: 32 / ln 2 * 2^47; C0 * 2^72, C1 * 2^65 and C2 * 2^58.
#define TFLM_SCALE 0x171547652b82feULL
#define TFLM_C0 0x1c6af84b912394LL
#define TFLM_C1 0x1ebfce50fac4f3LL
#define TFLM_C2 0x162e42ff0c52d6LL

// From 2^-14 to 87, where no power is subnormal; a tie, and more than the error of 32-bit integers.
#define TFLM_MIDDLE_FIRST 0x38800000u
#define TFLM_MIDDLE_LAST 0x42AE0000u
#define TFLM_TIE 0x80000000u
#define TFLM_DOUBT (1u << 24)

extern const int64_t tflm_exp_powers[TFLM_STEPS];  // 2^(i / TFLM_STEPS) * 2^62

// Of a finite x that is not subnormal, in 64-bit integers; of what is outside of the middle.
int32_t tflm_exp_exactly(int32_t bits);
int32_t tflm_exp_special(int32_t bits);

// Returns the upper half of a product.
static inline int32_t tflm_upper(int32_t a, int32_t b) {
    return (int32_t)((int64_t)a * b >> 32);
}

#if TFLM_HAS_DOUBLES

extern const uint64_t tflm_exp_doubles[TFLM_STEPS];

// glibc's own arithmetic, as it is on a core that multiplies and adds with one rounding. Of the
// arguments in the middle all give the bits of the integers below.
static inline int32_t tflm_exp_middle(int32_t bits) {
    const double scale = 0x1.71547652b82fep5, turns = 0x1.8p52;  // so large that k is its last bits
    const double x = (double)tflm_float(bits), sum = __builtin_fma(scale, x, turns);
    const double r = __builtin_fma(scale, x, -(sum - turns));
    uint64_t k;
    double power;
    memcpy(&k, &sum, sizeof(k));
    k = tflm_exp_doubles[k & (TFLM_STEPS - 1)] + (k << 47);
    memcpy(&power, &k, sizeof(power));
    const double high = __builtin_fma(0x1.c6af84b912394p-20, r, 0x1.ebfce50fac4f3p-13);
    const double low = __builtin_fma(0x1.62e42ff0c52d6p-6, r, 1.0);
    return tflm_bits((float)(__builtin_fma(high, r * r, low) * power));
}

#else

static inline int32_t tflm_exp_middle(int32_t bits) {
    const uint32_t magnitude = (uint32_t)bits & INT32_MAX;
    // |32 x / ln 2| with 32 bits behind the point; turned over, not negated, where x is negative.
    const uint32_t mantissa = (magnitude & (TFLM_HIDDEN - 1)) | TFLM_HIDDEN;
    const uint64_t product = ((uint64_t)mantissa * (uint32_t)(TFLM_SCALE << 11) >> 32)
        + (uint64_t)mantissa * (uint32_t)(TFLM_SCALE >> 21);
    const uint32_t shift = 127 + 17 - (magnitude >> 23);  // 11 to 31
    const uint32_t high_word = (uint32_t)(product >> 32);
    const uint32_t fraction = (uint32_t)product >> shift | high_word << (32 - shift);
    const int32_t r = (int32_t)fraction ^ bits >> 31;  // * 2^32
    const int32_t k = ((int32_t)(high_word >> shift) ^ bits >> 31) + (r < 0);
    // The polynomial, * 2^36.
    int32_t p = (int32_t)(TFLM_C1 >> 29) + tflm_upper(r, (int32_t)(TFLM_C0 >> 36));
    p = (int32_t)(TFLM_C2 >> 22) + tflm_upper(r, p);
    p = tflm_upper(r, p);
    const int64_t s = tflm_exp_powers[k & (TFLM_STEPS - 1)];
    const int32_t s_high = (int32_t)(s >> 32);
    uint64_t y = (uint64_t)(s + (int64_t)(s_high >> 4) * p);  // * 2^62
    int32_t base = (k & -TFLM_STEPS) * (1 << 18) + 126 * (1 << 23);
    if (y >> 62 == 0) {
        y <<= 1;
        base -= 1 << 23;
    }
    const uint32_t rest = (uint32_t)(y >> 7);  // of what a float32 holds; a tie is 2^31
    if (rest - (TFLM_TIE - TFLM_DOUBT) < 2 * TFLM_DOUBT) {
        return tflm_exp_exactly(bits);
    }
    return base + (int32_t)(y >> 39) + (int32_t)(rest >> 31);
}

#endif

static inline int32_t tflm_exp_inline(int32_t bits) {
    const uint32_t magnitude = (uint32_t)bits & INT32_MAX;
    const uint32_t size = TFLM_MIDDLE_LAST - TFLM_MIDDLE_FIRST;
    return magnitude - TFLM_MIDDLE_FIRST < size ? tflm_exp_middle(bits) : tflm_exp_special(bits);
}

enum { TFLM_CURVE_RIGHT = 0x4184F3CF, TFLM_CURVE_LEFT = 0x41100000, TFLM_INFINITE = 0x7F800000 };

// LOGISTIC: beyond 16.619... it is 1, below -9 e^x.
static inline int32_t tflm_logistic_inline(int32_t bits) {
    if (bits > TFLM_CURVE_RIGHT && bits <= TFLM_INFINITE) {
        return 0x3F800000;
    }
    const uint32_t negative = (uint32_t)bits ^ 0x80000000u;
    if (negative > TFLM_CURVE_LEFT && negative <= TFLM_INFINITE) {
        return tflm_exp_bits(bits);
    }
    return tflm_bits(1.0f / (1.0f + tflm_float(tflm_exp_inline((int32_t)negative))));
}

#endif
