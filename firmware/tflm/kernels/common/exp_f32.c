// e^x in integers, equal to glibc's expf for every x.
//
// glibc computes 2^(i / 32) * (1 + C2 r + C1 r^2 + C0 r^3) in double precision, where
// k = round(32 x / ln 2), i is k modulo 32, r is what k leaves of 32 x / ln 2, and rounds that to
// single precision. The same polynomial is computed here in 64-bit integers, with errors below
// 2^-58; a comparison of all 2^32 arguments found the same bits each time. In nearly all cases
// 32-bit integers, with errors below 2^-32, tell the rounding already.
// Source of method and constants: sysdeps/ieee754/flt-32/e_expf.c and e_exp2f_data.c of glibc.
#include "exp_f32.h"

const int64_t tflm_exp_powers[TFLM_STEPS] = {
    0x4000000000000000, 0x4166c34c5615d000, 0x42d561b3e6243c00, 0x444c0740496d4400,
    0x45cae0f1f545ec00, 0x47521cc5a2e6a800, 0x48e1e9b9d588e000, 0x4a7a77d47f7b8400,
    0x4c1bf828c6dc5400, 0x4dc69cdceaa72c00, 0x4f7a993048d08800, 0x513821818624b400,
    0x52ff6b54d8a89c00, 0x54d0ad5a753e0800, 0x56ac1f752150a400, 0x5891fac0e9561400,
    0x5a827999fcef3400, 0x5c7dd7a3b17dd000, 0x5e8451cfac061c00, 0x6096266533384c00,
    0x62b39508aa836c00, 0x64dcdec337179400, 0x6712460a8fc24000, 0x69540ec8f8957400,
    0x6ba27e656b4eb400, 0x6dfddbcbed791c00, 0x70666f76154a7000, 0x72dc8373be41a400,
    0x75606373ee921c00, 0x77f25ccdee6d7c00, 0x7a92be8a92436800, 0x7d41d96db9150000,
};

#if TFLM_HAS_DOUBLES
// The doubles 2^(i / TFLM_STEPS), less i in the bits to which k is added.
const uint64_t tflm_exp_doubles[TFLM_STEPS] = {
    0x3ff0000000000000, 0x3fefd9b0d3158574, 0x3fefb5586cf9890f, 0x3fef9301d0125b51,
    0x3fef72b83c7d517b, 0x3fef54873168b9aa, 0x3fef387a6e756238, 0x3fef1e9df51fdee1,
    0x3fef06fe0a31b715, 0x3feef1a7373aa9cb, 0x3feedea64c123422, 0x3feece086061892d,
    0x3feebfdad5362a27, 0x3feeb42b569d4f82, 0x3feeab07dd485429, 0x3feea47eb03a5585,
    0x3feea09e667f3bcd, 0x3fee9f75e8ec5f74, 0x3feea11473eb0187, 0x3feea589994cce13,
    0x3feeace5422aa0db, 0x3feeb737b0cdc5e5, 0x3feec49182a3f090, 0x3feed503b23e255d,
    0x3feee89f995ad3ad, 0x3feeff76f2fb5e47, 0x3fef199bdd85529c, 0x3fef3720dcef9069,
    0x3fef5818dcfba487, 0x3fef7c97337b9b5f, 0x3fefa4afa2a490da, 0x3fefd0765b6e4540,
};
#endif

enum { INFINITE = 0x7F800000, NEAR_0 = 0x32800000 };  // 2^-26: e^x is 1 below
static const int32_t largest = 0x42B17217;   // the largest x whose power is finite
static const int32_t smallest = 0x42CFF1B4;  // the largest -x whose power is not 0

// Returns the upper half of a product.
static int64_t high(int64_t a, int64_t b) {
    const int64_t a_high = a >> 32, a_low = (int64_t)(uint32_t)a;
    const int64_t b_high = b >> 32, b_low = (int64_t)(uint32_t)b;
    const int64_t first = a_high * b_low, second = a_low * b_high;
    const uint64_t low = (uint64_t)a_low * (uint64_t)b_low >> 32;
    const uint64_t middle = low + (uint32_t)first + (uint32_t)second;
    return a_high * b_high + (first >> 32) + (second >> 32) + (int64_t)(middle >> 32);
}

// Returns the float32 nearest to value * 2^(exponent - 62), value being 2^61 to 2^63 - 1; to
// the 53 bits of a double first: one x has a power that lies less than that beside a tie.
static int32_t rounded(uint64_t value, int32_t exponent) {
    if (value < 1ULL << 62) {
        value <<= 1;
        exponent--;
    }
    value = (value + (1 << 9)) & ~((1ULL << 10) - 1);
    exponent += 127;
    const int32_t drop = exponent > 0 ? 39 : 40 - exponent;  // bits; more of a subnormal
    if (drop > 63) {
        return 0;
    }
    const uint64_t half = 1ULL << (drop - 1), rest = value & (2 * half - 1);
    int32_t bits = (int32_t)(value >> (drop - 1) >> 1);
    bits += rest > half || (rest == half && bits & 1);
    return exponent > 0 ? ((exponent - 1) << 23) + bits : bits;
}

// Of a finite x that is not subnormal.
int32_t tflm_exp_exactly(int32_t bits) {
    const int32_t mantissa = (bits & (TFLM_HIDDEN - 1)) | TFLM_HIDDEN;
    const int32_t exponent = (bits >> 23 & 0xFF) - 127;
    // 32 x / ln 2 with 50 bits behind the point: below 2^13.
    const int64_t product = high((int64_t)mantissa << 39, (int64_t)(TFLM_SCALE << 10));
    const int32_t shift = exponent - 5;
    int64_t z = shift >= 0 ? product << shift : shift > -64 ? product >> -shift : 0;
    z = bits < 0 ? -z : z;
    const int32_t k = (int32_t)((z + (1LL << 49)) >> 50);
    const int64_t r = (z - k * (1LL << 50)) * (1 << 13);  // * 2^63
    int64_t p = (TFLM_C1 << 9) + high(r, TFLM_C0 << 3);          // * 2^74
    p = (TFLM_C2 << 10) + (high(r, p) >> 5);                // * 2^68
    p = high(r, p);                                    // * 2^67
    const int64_t s = tflm_exp_powers[k & (TFLM_STEPS - 1)];
    return rounded((uint64_t)(s + (high(s, p) >> 3)), k >> 5);
}

// What is too large or too small for the rest: no number, infinite, near 0 or subnormal, too.
int32_t tflm_exp_special(int32_t bits) {
    const int32_t magnitude = bits & INT32_MAX;
    if (magnitude > INFINITE) {
        return bits | 0x400000;
    }
    if (magnitude > (bits >= 0 ? largest : smallest)) {
        return bits >= 0 ? INFINITE : 0;
    }
    return magnitude < NEAR_0 ? 0x3F800000 : tflm_exp_exactly(bits);
}

int32_t tflm_exp_bits(int32_t bits) {
    return tflm_exp_inline(bits);
}
