// What MicroPython and the compiler call of a C library, as far as tests need it.
#include <stdint.h>

typedef union {
    float value;
    uint32_t bits;
} single_t;

typedef union {
    double value;
    uint64_t bits;
} double_t;

enum { BIAS = 1023 - 127, EXPONENT_MAX = 255, DOUBLE_MAX = 2047, FRACTION = 0x7FFFFF };

static const uint32_t sign = UINT32_C(1) << 31;

float fabsf(float x) {
    single_t a = {x};
    a.bits &= ~sign;
    return a.value;
}

float copysignf(float x, float y) {
    single_t a = {x}, b = {y};
    a.bits = (a.bits & ~sign) | (b.bits & sign);
    return a.value;
}

float nanf(const char *text) {
    (void)text;
    single_t a = {.bits = 0x7FC00000};
    return a.value;
}

// Subnormal numbers become zero in these three.
double __extendsfdf2(float x) {
    const single_t a = {x};
    const uint32_t exponent = a.bits >> 23 & EXPONENT_MAX;
    double_t result = {.bits = (uint64_t)(a.bits & sign) << 32};
    if (exponent != 0) {
        const uint32_t wide = exponent == EXPONENT_MAX ? DOUBLE_MAX : exponent + BIAS;
        result.bits |= (uint64_t)wide << 52 | (uint64_t)(a.bits & FRACTION) << 29;
    }
    return result.value;
}

float __truncdfsf2(double x) {
    const double_t a = {x};
    const int32_t wide = (int32_t)(a.bits >> 52 & DOUBLE_MAX), exponent = wide - BIAS;
    const uint32_t fraction = (uint32_t)(a.bits >> 29) & FRACTION, rest = a.bits & 0x1FFFFFFF;
    single_t result = {.bits = (uint32_t)(a.bits >> 32) & sign};
    if (exponent >= EXPONENT_MAX) {
        result.bits |= (uint32_t)EXPONENT_MAX << 23 | (wide == DOUBLE_MAX ? fraction : 0);
    } else if (exponent > 0) {
        result.bits |= (uint32_t)exponent << 23 | fraction;
        result.bits += rest > 0x10000000 || (rest == 0x10000000 && (fraction & 1) != 0);
    }
    return result.value;
}

double __floatsidf(int32_t x) {
    double_t result = {.bits = 0};
    uint64_t fraction = x < 0 ? -(uint64_t)x : (uint64_t)x;
    uint64_t exponent = 1023 + 52;
    if (x == 0) {
        return result.value;
    }
    while (fraction >> 52 == 0) {
        fraction <<= 1;
        exponent--;
    }
    result.bits = (uint64_t)(x < 0) << 63 | exponent << 52 | (fraction & 0xFFFFFFFFFFFFF);
    return result.value;
}
