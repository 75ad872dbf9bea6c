// x^y in double precision, equal to glibc's powf where that fuses no products with sums.
//
// x = 2^k z, z about 0.7 to 1.4 in 16 steps; log2 x = k + log2 c + log2(z / c), c the middle of the
// step and the last a polynomial. 2^(y log2 x) comes of the table and polynomial of exp_f32.c, in
// doubles. Each operation is rounded on its own.
// Source of method and constants: sysdeps/ieee754/flt-32/e_powf.c, e_powf_log2_data.c and
// e_exp2f_data.c of glibc.
#include "curves_f32.h"
#include "exp_f32.h"

enum {
    STEPS = 16,
    FIRST = 0x3F330000,
    ONE = 0x3F800000,
    INFINITE = 0x7F800000,
    NOT_A_NUMBER = 0x7FC00000,
    HIDDEN = 1 << 23,
    QUIET = 1 << 22  // bit of what is no number and signals nothing
};

// 1 / c and log2 c of each step.
static const double steps[STEPS][2] = {
    {0x1.661ec79f8f3bep+0, -0x1.efec65b963019p-2}, {0x1.571ed4aaf883dp+0, -0x1.b0b6832d4fca4p-2},
    {0x1.49539f0f010bp+0, -0x1.7418b0a1fb77bp-2}, {0x1.3c995b0b80385p+0, -0x1.39de91a6dcf7bp-2},
    {0x1.30d190c8864a5p+0, -0x1.01d9bf3f2b631p-2}, {0x1.25e227b0b8eap+0, -0x1.97c1d1b3b7afp-3},
    {0x1.1bb4a4a1a343fp+0, -0x1.2f9e393af3c9fp-3}, {0x1.12358f08ae5bap+0, -0x1.960cbbf788d5cp-4},
    {0x1.0953f419900a7p+0, -0x1.a6f9db6475fcep-5}, {0x1p+0, 0x0p+0},
    {0x1.e608cfd9a47acp-1, 0x1.338ca9f24f53dp-4}, {0x1.ca4b31f026aap-1, 0x1.476a9543891bap-3},
    {0x1.b2036576afce6p-1, 0x1.e840b4ac4e4d2p-3}, {0x1.9c2d163a1aa2dp-1, 0x1.40645f0c6651cp-2},
    {0x1.886e6037841edp-1, 0x1.88e9c2c1b9ff8p-2}, {0x1.767dcf5534862p-1, 0x1.ce0a44eb17bccp-2},
};

// Of log2(1 + r), from r on.
static const double log_1 = 0x1.71547652ab82bp0, log_2 = -0x1.7154748bef6c8p-1;
static const double log_3 = 0x1.ec70a6ca7baddp-2, log_4 = -0x1.71969a075c67ap-2;
static const double log_5 = 0x1.27616c9496e0bp-2;
// Of 2^r.
static const double power_1 = 0x1.62e42ff0c52d6p-1, power_2 = 0x1.ebfce50fac4f3p-3;
static const double power_3 = 0x1.c6af84b912394p-5;

static const double to_step = 0x1.8p+47;  // added to a double, leaves it a multiple of 1 / 32
static const double largest = 0x1.fffffffd1d571p+6, smallest = -150.0;

// Of a positive float32 that is normal once k is added to its exponent.
static double log2_of(int32_t bits, int32_t k) {
    const int32_t offset = bits - FIRST;
    const double *step = steps[(offset >> 19) & (STEPS - 1)];
    const double z = (double)tflm_float(bits - (int32_t)((uint32_t)offset & 0xFF800000u));
    const double r = z * step[0] - 1.0;
    const double square = r * r;
    const double base = step[1] + (double)((offset >> 23) + k);
    double y = log_5 * r + log_4;
    const double middle = log_3 * r + log_2;
    double rest = log_1 * r + base;
    rest = middle * square + rest;
    y = y * (square * square) + rest;
    return y;
}

static double power_of_2(double x) {
    const double nearest = (x + to_step) - to_step;
    const int32_t k = (int32_t)(nearest * TFLM_STEPS);
    const double r = x - nearest;
    const double high = power_3 * r + power_2;
    double y = power_1 * r + 1.0;
    y = high * (r * r) + y;
    y *= (double)tflm_exp_powers[k & (TFLM_STEPS - 1)];  // 2^62 times as much
    const uint64_t scale = (uint64_t)((k >> 5) - 62 + 1023) << 52;
    double factor;
    memcpy(&factor, &scale, sizeof(factor));
    return y * factor;
}

typedef enum { FRACTION, ODD, EVEN } parity_t;

// Of a finite number that is not 0.
static parity_t parity_of(int32_t bits) {
    const int32_t exponent = (bits >> 23 & 0xFF) - 127;
    if (exponent < 0 || exponent > 23) {
        return exponent < 0 ? FRACTION : EVEN;
    }
    const int32_t unit = HIDDEN >> exponent, mantissa = (bits & (HIDDEN - 1)) | HIDDEN;
    return mantissa & (unit - 1) ? FRACTION : mantissa & unit ? ODD : EVEN;
}

static int signals(int32_t bits) {
    return (bits & INT32_MAX) > INFINITE && (bits & QUIET) == 0;
}

// Where x or y is 0, infinite or no number.
static int32_t special(int32_t x, int32_t y) {
    const int32_t base = x & INT32_MAX, exponent = y & INT32_MAX;
    if (exponent == 0 || x == ONE) {
        return signals(x) || signals(y) ? NOT_A_NUMBER : ONE;
    }
    if (base > INFINITE || exponent > INFINITE) {
        return NOT_A_NUMBER;
    }
    if (exponent == INFINITE) {
        return base == ONE ? ONE : (base > ONE) == (y > 0) ? INFINITE : 0;
    }
    const int32_t sign = x < 0 && parity_of(y) == ODD ? INT32_MIN : 0;
    return ((base == 0) == (y < 0) ? INFINITE : 0) | sign;
}

int32_t tflm_power_bits(int32_t x, int32_t y) {
    const int32_t exponent = y & INT32_MAX;
    int32_t base = x & INT32_MAX, sign = 0, scale = 0;
    if (base == 0 || base >= INFINITE || exponent == 0 || exponent >= INFINITE) {
        return special(x, y);
    }
    if (x < 0) {
        const parity_t parity = parity_of(y);
        if (parity == FRACTION) {
            return NOT_A_NUMBER;
        }
        sign = parity == ODD ? INT32_MIN : 0;
    }
    while (base < HIDDEN) {  // subnormal: its leading bit to the place of a hidden one
        base <<= 1;
        scale--;
    }
    const double power = (double)tflm_float(y) * log2_of(base, scale);
    if (power > largest) {
        return INFINITE | sign;
    }
    return (power <= smallest ? 0 : tflm_bits((float)power_of_2(power))) | sign;
}
