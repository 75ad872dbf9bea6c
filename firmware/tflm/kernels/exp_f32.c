// e^x in integers, equal to glibc's expf for every x.
//
// glibc computes 2^(i / 32) * (1 + C2 r + C1 r^2 + C0 r^3) in double precision, where
// k = round(32 x / ln 2), i is k modulo 32, r is what k leaves of 32 x / ln 2, and rounds that to
// single precision. The same polynomial is computed here in 64-bit integers, with errors below
// 2^-58; a comparison of all 2^32 arguments found the same bits each time. In nearly all cases
// 32-bit integers, with errors below 2^-34, tell the rounding already.
// Source of method and constants: sysdeps/ieee754/flt-32/e_expf.c and e_exp2f_data.c of glibc.
#include "curves_f32.h"

enum { STEPS = 32 };  // in which 2 is divided; k counts them

// 2^(i / STEPS) * 2^52.
static const uint64_t powers[STEPS] = {
    0x10000000000000, 0x1059b0d3158574, 0x10b5586cf9890f, 0x111301d0125b51,
    0x1172b83c7d517b, 0x11d4873168b9aa, 0x12387a6e756238, 0x129e9df51fdee1,
    0x1306fe0a31b715, 0x1371a7373aa9cb, 0x13dea64c123422, 0x144e086061892d,
    0x14bfdad5362a27, 0x15342b569d4f82, 0x15ab07dd485429, 0x16247eb03a5585,
    0x16a09e667f3bcd, 0x171f75e8ec5f74, 0x17a11473eb0187, 0x182589994cce13,
    0x18ace5422aa0db, 0x193737b0cdc5e5, 0x19c49182a3f090, 0x1a5503b23e255d,
    0x1ae89f995ad3ad, 0x1b7f76f2fb5e47, 0x1c199bdd85529c, 0x1cb720dcef9069,
    0x1d5818dcfba487, 0x1dfc97337b9b5f, 0x1ea4afa2a490da, 0x1f50765b6e4540,
};

// Doubles as integers: 32 / ln 2 * 2^47; C0 * 2^72, C1 * 2^65 and C2 * 2^58.
#define SCALE 0x171547652b82feLL
#define C0 0x1c6af84b912394LL
#define C1 0x1ebfce50fac4f3LL
#define C2 0x162e42ff0c52d6LL

enum { INFINITE = 0x7F800000, HIDDEN = 1 << 23 };
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

// x = mantissa * 2^(exponent - 23), negative or not.
static int32_t power(int32_t mantissa, int32_t exponent, int is_negative) {
    // 32 x / ln 2 with 50 bits behind the point: below 2^13.
    const int64_t product = high((int64_t)mantissa << 39, SCALE << 10);
    const int32_t shift = exponent - 5;
    int64_t z = shift >= 0 ? product << shift : shift > -64 ? product >> -shift : 0;
    z = is_negative ? -z : z;
    const int32_t k = (int32_t)((z + (1LL << 49)) >> 50);
    const int64_t r = (z - k * (1LL << 50)) * (1 << 13);  // * 2^63
    int64_t p = (C1 << 9) + high(r, C0 << 3);          // * 2^74
    p = (C2 << 10) + (high(r, p) >> 5);                // * 2^68
    p = high(r, p);                                    // * 2^67
    const int64_t s = (int64_t)powers[k & (STEPS - 1)] << 10;
    return rounded((uint64_t)(s + (high(s, p) >> 3)), k >> 5);
}

int32_t tflm_exp_bits(int32_t bits) {
    const int32_t magnitude = bits & 0x7FFFFFFF;
    if (magnitude > INFINITE) {
        return bits | 0x400000;
    }
    if (magnitude > (bits >= 0 ? largest : smallest)) {
        return bits >= 0 ? INFINITE : 0;
    }
    return power((magnitude & (HIDDEN - 1)) | HIDDEN, (magnitude >> 23) - 127, bits < 0);
}
