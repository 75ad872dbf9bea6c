// sin x and cos x in double precision, equal to glibc's sinf and cosf for every x.
//
// x less the nearest multiple of pi / 2 goes into one of two polynomials. Doubles are what glibc
// computes with: a core without them takes some 15 calls of its compiler's library. Each operation
// is rounded on its own.
// Source of method and constants: sysdeps/ieee754/flt-32/s_sinf.c, s_cosf.c, s_sincosf.h and
// s_sincosf_data.c of glibc.
#include "curves_f32.h"

enum {
    NEAR = 0x3F400000,   // 0.75: below there is nothing to take away
    SMALL = 0x39800000,  // 2^-12
    FAR = 0x42F00000,    // 120: from there on pi / 2 takes more bits than a double has
    INFINITE = 0x7F800000,
    HIDDEN = 1 << 23,
};

// 4 / pi * 2^x: bytes from the highest on.
static const uint8_t four_over_pi[] = {0, 0, 0, 0xA2, 0xF9, 0x83, 0x6E, 0x4E, 0x44, 0x15, 0x29,
    0xFC, 0x27, 0x57, 0xD1, 0xF5, 0x34, 0xDD, 0xC0, 0xDB, 0x62, 0x95, 0x99, 0x3C, 0x43, 0x90, 0x41};

static uint32_t word_at(int32_t i) {
    const uint8_t *p = four_over_pi + i;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

// pi / 2 as a double, in two parts: products of both with a number of 7 bits are exact, and so is
// their first difference. Thus the remainder is rounded once, as with a fused multiply-add.
static const double half_pi_high = 0x1.921FB54442Dp0, half_pi_low = 0x1.8p-48;

// Of a remainder between -pi / 4 and pi / 4.
static double sine(double x, double square) {
    const double cube = x * square;
    const double high = 0x1.1107605230bc4p-7 + square * -0x1.994eb3774cf24p-13;
    const double fifth = cube * square;
    return x + cube * -0x1.555545995a603p-3 + fifth * high;
}

static double cosine(double square) {
    const double fourth = square * square;
    const double high = -0x1.6c087e89a359dp-10 + square * 0x1.99343027bf8c3p-16;
    const double low = 0x1p0 + square * -0x1.ffffffd0c621cp-2;
    const double sixth = fourth * square;
    return low + fourth * 0x1.55553e1068f19p-5 + sixth * high;
}

// Takes multiples of pi / 2 from |x|, finite and at least FAR; returns how many, modulo 4.
static int32_t reduce_far(int32_t magnitude, double *x) {
    const int32_t first = magnitude >> 26 & 15;
    const uint32_t mantissa = (uint32_t)((magnitude & (HIDDEN - 1)) | HIDDEN)
        << (magnitude >> 23 & 7);
    const uint64_t low = (uint64_t)mantissa * word_at(first + 8);
    uint64_t sum = (low >> 32) | (uint64_t)(mantissa * word_at(first)) << 32;
    sum += (uint64_t)mantissa * word_at(first + 4);
    const uint64_t count = (sum + (1ULL << 61)) >> 62;
    *x = (double)(int64_t)(sum - (count << 62)) * 0x1.921FB54442D18p-62;
    return (int32_t)count;
}

// sin (x + quarters * pi / 2), quarters 0 or 1.
static int32_t turned(int32_t bits, int32_t quarters) {
    const int32_t magnitude = bits & 0x7FFFFFFF;
    if (magnitude >= INFINITE) {
        return 0x7FC00000;
    }
    if (magnitude < SMALL) {
        return quarters ? 0x3F800000 : bits;
    }
    double x = (double)tflm_float(bits);
    int32_t n = 0, turn = 0;
    if (magnitude >= FAR) {
        n = reduce_far(magnitude, &x);
        turn = bits < 0;  // x was taken for positive
    } else if (magnitude >= NEAR) {
        n = ((int32_t)(x * 0x1.45F306DC9C883p+23) + 0x800000) >> 24;
        x = (x - (double)n * half_pi_high) - (double)n * half_pi_low;
    }
    // In quadrants 1 and 2 the remainder's sign turns, in 2 and 3 the cosine's.
    const int32_t quadrant = n + turn;
    const double signed_x = ((quadrant + 1) & 2) != 0 ? -x : x;
    const double square = x * x;
    if (((n + quarters) & 1) == 0) {
        return tflm_bits((float)sine(signed_x, square));
    }
    const double y = cosine(square);
    return tflm_bits((float)((quadrant & 2) != 0 ? -y : y));
}

int32_t tflm_sin_bits(int32_t x) {
    return turned(x, 0);
}

int32_t tflm_cos_bits(int32_t x) {
    return turned(x, 1);
}
