// The angle of the point (x, y), atan2, equal to glibc's atan2f: in single precision, each
// operation rounded on its own.
//
// atan t for t of 0 or more: the nearest of 0, atan 1/2, atan 1, atan 3/2 and pi / 2, in two parts,
// and the angle that is left, by a polynomial. The quadrant follows from both signs.
// Source of method and constants: sysdeps/ieee754/flt-32/e_atan2f.c and s_atanf.c of glibc.
#include "curves_f32.h"

enum {
    INFINITE = 0x7F800000,
    NOT_A_NUMBER = 0x7FC00000,
    TINY = 0x31000000,   // 2^-29: atan t is t below it
    STEEP = 0x4C000000,  // 2^25: atan t is pi / 2 from there on
    FAR_APART = 60       // exponents: the smaller number does not count
};

static const float half_pi_high = 0x1.921fb4p+0f, half_pi_low = 0x1.4442dp-24f;
static const float pi_high = 0x1.921fb6p+1f, pi_low = -0x1.777a5cp-24f;

// From t on, the angle (t - tangent) / (1 + t * tangent) is left of atan t.
typedef struct {
    int32_t from;
    float high, low;  // atan of the tangent
} step_t;

static const step_t steps[] = {
    {0x3EE00000, 0x1.dac67p-2f, 0x1.586ed2p-28f},   // 7 / 16: 1 / 2
    {0x3F300000, 0x1.921fb4p-1f, 0x1.4442dp-25f},   // 11 / 16: 1
    {0x3F980000, 0x1.f730bcp-1f, 0x1.281f68p-25f},  // 19 / 16: 3 / 2
    {0x401C0000, 0x1.921fb4p+0f, 0x1.4442dp-24f},   // 39 / 16: infinity
};

// Of t to the power of 3, 7, 11 and so on, and of 5, 9, 13 and so on: from the highest on.
static const float threes[] = {0x1.0ad3aep-6f, 0x1.97b4b2p-5f, 0x1.10d66ap-4f, 0x1.745cdcp-4f,
    0x1.24924ap-3f, 0x1.555556p-2f};
static const float fives[] = {
    -0x1.2b4442p-5f, -0x1.dde2d6p-5f, -0x1.3b0f2ap-4f, -0x1.c71c7p-4f, -0x1.99999ap-3f};

static float polynomial(const float *factors, int32_t count, float x) {
    float y = factors[0];
    for (int32_t i = 1; i < count; i++) {
        y = factors[i] + x * y;
    }
    return y;
}

// atan t; t is 0 or more.
static float angle_of(float t) {
    const int32_t bits = tflm_bits(t);
    if (bits >= STEEP) {
        return half_pi_high + half_pi_low;
    }
    if (bits < TINY) {
        return t;
    }
    int32_t i = -1;
    while (i < 3 && bits >= steps[i + 1].from) {
        i++;
    }
    switch (i) {
        case 0: t = (2.0f * t - 1.0f) / (2.0f + t); break;
        case 1: t = (t - 1.0f) / (t + 1.0f); break;
        case 2: t = (t - 1.5f) / (1.0f + 1.5f * t); break;
        case 3: t = -1.0f / t; break;
        default: break;
    }
    const float square = t * t, fourth = square * square;
    const float odd = square * polynomial(threes, 6, fourth);
    const float sum = odd + fourth * polynomial(fives, 5, fourth);
    return i < 0 ? t - t * sum : steps[i].high - ((t * sum - steps[i].low) - t);
}

int32_t tflm_angle_bits(int32_t y, int32_t x) {
    const int32_t up = y & INT32_MAX, right = x & INT32_MAX, sign = y & INT32_MIN;
    const int32_t apart = (up - right) >> 23;
    float angle = half_pi_high + half_pi_low;
    if (up > INFINITE || right > INFINITE) {
        return NOT_A_NUMBER;
    }
    if (up == INFINITE && right == INFINITE) {
        angle = 0x1.921fb6p-1f;
    } else if (up != 0 && (right == 0 || up == INFINITE)) {
        return tflm_bits(angle) | sign;  // whatever the sign of x
    } else if (up == 0 || right == INFINITE || (x < 0 && apart < -FAR_APART)) {
        angle = 0.0f;
    } else if (apart <= FAR_APART) {
        angle = angle_of(tflm_float(up) / tflm_float(right));
    }
    if (x < 0) {
        angle = pi_high - (angle - pi_low);
    }
    return tflm_bits(angle) | sign;
}
