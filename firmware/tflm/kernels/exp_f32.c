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

// 2^(i / STEPS) * 2^63.
static const uint64_t powers[STEPS] = {
    0x8000000000000000, 0x82cd8698ac2ba000, 0x85aac367cc487800, 0x88980e8092da8800,
    0x8b95c1e3ea8bd800, 0x8ea4398b45cd5000, 0x91c3d373ab11c000, 0x94f4efa8fef70800,
    0x9837f0518db8a800, 0x9b8d39b9d54e5800, 0x9ef5326091a11000, 0xa27043030c496800,
    0xa5fed6a9b1513800, 0xa9a15ab4ea7c1000, 0xad583eea42a14800, 0xb123f581d2ac2800,
    0xb504f333f9de6800, 0xb8fbaf4762fba000, 0xbd08a39f580c3800, 0xc12c4cca66709800,
    0xc5672a115506d800, 0xc9b9bd866e2f2800, 0xce248c151f848000, 0xd2a81d91f12ae800,
    0xd744fccad69d6800, 0xdbfbb797daf23800, 0xe0ccdeec2a94e000, 0xe5b906e77c834800,
    0xeac0c6e7dd243800, 0xefe4b99bdcdaf800, 0xf5257d152486d000, 0xfa83b2db722a0000,
};

// Doubles as integers: 32 / ln 2 * 2^47; C0 * 2^72, C1 * 2^65 and C2 * 2^58.
#define SCALE 0x171547652b82feLL
#define C0 0x1c6af84b912394LL
#define C1 0x1ebfce50fac4f3LL
#define C2 0x162e42ff0c52d6LL

enum {
    INFINITE = 0x7F800000,
    HIDDEN = 1 << 23,
    MIDDLE_FIRST = 0x32000000,  // 2^-27: e^x is 1 below
    MIDDLE_LAST = 0x42AE0000,   // 87: no power is subnormal before
    DOUBT = 1 << 22,            // more than the error of 32-bit integers, in 2^-55
};
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
    const int64_t s = (int64_t)(powers[k & (STEPS - 1)] >> 1);
    return rounded((uint64_t)(s + (high(s, p) >> 3)), k >> 5);
}

// What is too large or too small for the rest: no number, infinite, near 0 or subnormal, too.
static int32_t special(int32_t bits, int32_t mantissa, int32_t exponent) {
    const int32_t magnitude = bits & INT32_MAX;
    if (magnitude > INFINITE) {
        return bits | 0x400000;
    }
    if (magnitude > (bits >= 0 ? largest : smallest)) {
        return bits >= 0 ? INFINITE : 0;
    }
    return power(mantissa, exponent, bits < 0);
}

// Returns the upper half of a product.
static inline int32_t upper(int32_t a, int32_t b) {
    return (int32_t)((int64_t)a * b >> 32);
}

int32_t tflm_exp_bits(int32_t bits) {
    const int32_t magnitude = bits & INT32_MAX;
    const int32_t mantissa = (magnitude & (HIDDEN - 1)) | HIDDEN;
    const int32_t exponent = (magnitude >> 23) - 127;
    if ((uint32_t)(magnitude - MIDDLE_FIRST) >= (uint32_t)(MIDDLE_LAST - MIDDLE_FIRST)) {
        return special(bits, mantissa, exponent);
    }
    // 32 x / ln 2 with 32 bits behind the point.
    const uint64_t product = (uint64_t)(uint32_t)mantissa * (uint32_t)(SCALE >> 21)
        + ((uint64_t)(uint32_t)mantissa * (uint32_t)((uint64_t)SCALE << 11) >> 32);
    int64_t z = (int64_t)(product >> (17 - exponent));
    z = bits < 0 ? -z : z;
    const int32_t r = (int32_t)z, k = (int32_t)(z >> 32) + (r < 0);  // r * 2^32
    int32_t p = (int32_t)(C1 >> 22) + (upper(r, (int32_t)(C0 >> 22)) >> 7);  // * 2^43
    p = (int32_t)(C2 >> 22) + (upper(r, p) >> 7);                            // * 2^36
    p = (int32_t)((int64_t)r * p >> 31);                                     // * 2^37
    const uint64_t s = powers[k & (STEPS - 1)];
    uint64_t y = s + (uint64_t)((int64_t)(s >> 33) * p >> 4);  // * 2^63
    int32_t base = ((k >> 5) + 126) * (1 << 23);
    if (y >> 63 == 0) {
        y <<= 1;
        base -= 1 << 23;
    }
    const uint32_t rest = (uint32_t)(y >> 8);  // of what a float32 holds; a tie is 2^31
    if (rest - (0x80000000u - DOUBT) < 2 * DOUBT) {
        return power(mantissa, exponent, bits < 0);
    }
    return base + (int32_t)(y >> 40) + (int32_t)(rest >> 31);
}
