// Float32 division for cores without it: libgcc's keeps a table at a fixed address, which a .mpy
// file cannot have; for an Xtensa there is no libgcc. IEEE 754: nearest, ties to even, with subnormal numbers.
#include <stdint.h>

enum { FRACTION_BITS = 23, BIAS = 127, EXPONENT_MAX = 255 };

#define HIDDEN (1u << FRACTION_BITS)
#define SIGN (1u << 31)
#define INFINITE ((uint32_t)EXPONENT_MAX << FRACTION_BITS)
#define NOT_A_NUMBER (INFINITE | HIDDEN >> 1)

typedef struct {
    int32_t exponent;  // value = fraction * 2^(exponent - BIAS - FRACTION_BITS)
    uint32_t fraction;  // in [2^23, 2^24)
} number_t;

// magnitude: the bits of a finite number other than zero, without its sign.
static number_t unpack(uint32_t magnitude) {
    number_t x = {(int32_t)(magnitude >> FRACTION_BITS), magnitude & (HIDDEN - 1)};
    if (x.exponent != 0) {
        x.fraction |= HIDDEN;
        return x;
    }
    for (x.exponent = 1; x.fraction < HIDDEN; x.exponent--) {
        x.fraction <<= 1;
    }
    return x;
}

// fraction: three bits longer than the result's, the last one set where anything was cut off.
static uint32_t pack(int32_t exponent, uint32_t fraction) {
    for (; exponent < 1; exponent++) {
        if (fraction <= 1) {
            break;
        }
        fraction = fraction >> 1 | (fraction & 1);
    }
    const uint32_t odd = fraction >> 3 & 1;
    const uint32_t rounded = (fraction + 3 + odd) >> 3;
    // The hidden bit, where there is one, and a carry out of the fraction count as one exponent.
    const uint32_t low = exponent < 1 ? 1 : (uint32_t)exponent;
    if (exponent >= EXPONENT_MAX) {
        return INFINITE;
    }
    return ((low - 1) << FRACTION_BITS) + rounded;
}

// a and b are without their signs.
static uint32_t divide(uint32_t a, uint32_t b) {
    if (a > INFINITE || b > INFINITE || (a == b && (a == 0 || a == INFINITE))) {
        return NOT_A_NUMBER;
    }
    if (a == INFINITE || b == 0) {
        return INFINITE;
    }
    if (a == 0 || b == INFINITE) {
        return 0;
    }
    number_t x = unpack(a);
    const number_t y = unpack(b);
    int32_t exponent = x.exponent - y.exponent + BIAS;
    if (x.fraction < y.fraction) {
        x.fraction <<= 1;
        exponent--;
    }
    const uint64_t dividend = (uint64_t)x.fraction << (FRACTION_BITS + 3);
    const uint32_t quotient = (uint32_t)(dividend / y.fraction);
    return pack(exponent, quotient | (dividend != (uint64_t)quotient * y.fraction));
}

#if defined(__xtensa__)
#define __aeabi_fdiv __divsf3
#endif

// What the compiler calls for a / b.
float __aeabi_fdiv(float a, float b) {
    union {
        float value;
        uint32_t bits;
    } x = {a}, y = {b}, result;
    result.bits = divide(x.bits & ~SIGN, y.bits & ~SIGN) | ((x.bits ^ y.bits) & SIGN);
    return result.value;
}
