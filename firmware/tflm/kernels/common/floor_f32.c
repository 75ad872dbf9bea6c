// By long division, a bit at a time: quotients are mostly small.
#include "floor_f32.h"

#include "fixed_point.h"
#include "float32.h"

enum { INFINITE = 0x7F800000, NOT_A_NUMBER = 0x7FC00000, HIDDEN = 1 << 23 };

// A number is mantissa * 2^(exponent - 150), its mantissa 2^23 to 2^24 - 1.
typedef struct {
    uint32_t mantissa;
    int32_t exponent;
} parts_t;

// Of a finite positive number.
static parts_t parts(int32_t bits) {
    parts_t x = {(uint32_t)bits & (HIDDEN - 1), bits >> 23};
    if (x.exponent > 0) {
        x.mantissa |= HIDDEN;
    } else {
        const int32_t zeros = tflm_leading_zeros(x.mantissa) - 8;
        x.mantissa <<= zeros;
        x.exponent = 1 - zeros;
    }
    return x;
}

// Returns the last 64 bits of a / b, an integer, for an a of no lower exponent; leaves a % b in a.
static uint64_t divide(parts_t *a, parts_t b) {
    uint64_t quotient = 0;
    for (int32_t bit = a->exponent - b.exponent;; bit--) {
        quotient <<= 1;
        if (a->mantissa >= b.mantissa) {
            a->mantissa -= b.mantissa;
            quotient |= 1;
        }
        if (bit == 0) {
            a->exponent = b.exponent;
            return quotient;
        }
        a->mantissa <<= 1;
    }
}

static int is_ordinary(int32_t magnitude) {
    return magnitude > 0 && magnitude < INFINITE;
}

float tflm_floor_div(float a, float b) {
    const int32_t x = tflm_bits(a), y = tflm_bits(b), is_negative = (x ^ y) < 0;
    if (!is_ordinary(x & INT32_MAX) || !is_ordinary(y & INT32_MAX)) {
        return a / b;
    }
    parts_t dividend = parts(x & INT32_MAX);
    const parts_t divisor = parts(y & INT32_MAX);
    if (dividend.exponent < divisor.exponent) {
        return is_negative ? -1.0f : 0.0f;
    }
    if (dividend.exponent - divisor.exponent > 50) {
        return a / b;  // whole, or its fraction decides nothing
    }
    uint64_t quotient = divide(&dividend, divisor);
    if (dividend.mantissa > 0) {
        // Of n bits, it becomes the next integer in a double that has 53 - n bits for the rest.
        const int32_t zeros = quotient >> 30 == 0 ? 64 : __builtin_clzll(quotient);
        const uint64_t missing = divisor.mantissa - dividend.mantissa;
        quotient += is_negative || (zeros < 34 && missing << (zeros - 10) <= divisor.mantissa);
    }
    return is_negative ? -(float)quotient : (float)quotient;
}

float tflm_floor_mod(float a, float b) {
    const int32_t x = tflm_bits(a) & INT32_MAX, y = tflm_bits(b) & INT32_MAX;
    if (x >= INFINITE || y > INFINITE || y == 0) {
        return tflm_float(NOT_A_NUMBER);
    }
    if (x >= y) {
        parts_t rest = parts(x);
        divide(&rest, parts(y));
        int32_t bits = 0;
        if (rest.mantissa > 0) {
            const int32_t zeros = tflm_leading_zeros(rest.mantissa) - 8;
            const int32_t exponent = rest.exponent - zeros;
            bits = (int32_t)(rest.mantissa << zeros);
            bits = exponent > 0 ? bits + (exponent - 1) * HIDDEN : bits >> (1 - exponent);
        }
        a = tflm_float(bits | (tflm_bits(a) & INT32_MIN));
    }
    const int32_t is_zero = (tflm_bits(a) & INT32_MAX) == 0;
    return is_zero || (tflm_bits(a) ^ tflm_bits(b)) >= 0 ? a : a + b;
}
