// log x in double precision, equal to glibc's logf for every x.
//
// x = 2^k z, z about 0.7 to 1.4 in 16 steps; log x = k log 2 + log c + log(z / c), c the middle of
// the step and the last a polynomial. Doubles are what glibc computes with: a core without them
// takes some 20 calls of its compiler's library. Each operation is rounded on its own.
// Source of method and constants: sysdeps/ieee754/flt-32/e_logf.c and e_logf_data.c of glibc.
#include "curves_f32.h"

enum { STEPS = 16, FIRST = 0x3F330000, INFINITE = 0x7F800000, HIDDEN = 1 << 23 };

// 1 / c and log c of each step.
static const double steps[STEPS][2] = {
    {0x1.661ec79f8f3bep+0, -0x1.57bf7808caadep-2}, {0x1.571ed4aaf883dp+0, -0x1.2bef0a7c06ddbp-2},
    {0x1.49539f0f010bp+0, -0x1.01eae7f513a67p-2}, {0x1.3c995b0b80385p+0, -0x1.b31d8a68224e9p-3},
    {0x1.30d190c8864a5p+0, -0x1.6574f0ac07758p-3}, {0x1.25e227b0b8eap+0, -0x1.1aa2bc79c81p-3},
    {0x1.1bb4a4a1a343fp+0, -0x1.a4e76ce8c0e5ep-4}, {0x1.12358f08ae5bap+0, -0x1.1973c5a611cccp-4},
    {0x1.0953f419900a7p+0, -0x1.252f438e10c1ep-5}, {0x1p+0, 0x0p+0},
    {0x1.e608cfd9a47acp-1, 0x1.aa5aa5df25984p-5}, {0x1.ca4b31f026aap-1, 0x1.c5e53aa362eb4p-4},
    {0x1.b2036576afce6p-1, 0x1.526e57720db08p-3}, {0x1.9c2d163a1aa2dp-1, 0x1.bc2860d22477p-3},
    {0x1.886e6037841edp-1, 0x1.1058bc8a07ee1p-2}, {0x1.767dcf5534862p-1, 0x1.4043057b6ee09p-2},
};

static const double third = 0x1.5575b0be00b6ap-2, fourth = -0x1.00ea348b88334p-2;
static const double half = -0x1.ffffef20a4123p-2, log_of_2 = 0x1.62e42fefa39efp-1;

int32_t tflm_log_bits(int32_t bits) {
    const int32_t magnitude = bits & 0x7FFFFFFF;
    if (magnitude == 0) {
        return (int32_t)0xFF800000;
    }
    if (magnitude > INFINITE || bits == INFINITE) {
        return bits > 0 ? magnitude : bits;
    }
    if (bits < 0) {
        return 0x7FC00000;
    }
    if (bits == 0x3F800000) {
        return 0;
    }
    int32_t scale = 0;
    while (bits < HIDDEN) {  // subnormal: its leading bit to the place of a hidden one
        bits <<= 1;
        scale--;
    }
    const int32_t offset = bits - FIRST;
    const double *step = steps[(offset >> 19) & (STEPS - 1)];
    const int32_t k = (offset >> 23) + scale;
    const double z = (double)tflm_float(bits - (int32_t)((uint32_t)offset & 0xFF800000u));
    const double r = z * step[0] - 1.0;
    const double base = step[1] + (double)k * log_of_2;
    const double square = r * r;
    double y = third * r + half;
    y = fourth * square + y;
    y = y * square + (base + r);
    return tflm_bits((float)y);
}
