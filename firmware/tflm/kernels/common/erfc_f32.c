// 1 - erf(x) in single precision, equal to glibc's erfcf before 2.41.
//
// Near 0, and near 1, erf is a quotient of polynomials. Beyond, erfc(x) is
// exp(-x^2 - 9/16 + R/S) / x, where R and S are polynomials of 1 / x^2. Each operation is rounded.
// Source of method and constants: sysdeps/ieee754/flt-32/s_erff.c of glibc 2.40.
#include "curves_f32.h"

enum {
    TINY = 0x32800000,      // 2^-26
    QUARTER = 0x3E800000,
    NEAR_0 = 0x3F580000,    // 0.84375
    NEAR_1 = 0x3FA00000,    // 1.25
    MIDDLE = 0x4036DB6D,    // 1 / 0.35
    SIX = 0x40C00000,
    LARGE = 0x41E00000,     // 28: 0 from there on
    INFINITE = 0x7F800000,
    HIGH_BITS = -0x2000,    // of a number whose square is exact
};

static const float at_1 = 0x1.b0ac16p-1f;  // erf(1), about
// Polynomials, the highest power first.
static const float near_0[] = {
    -0x1.8ead62p-16f, -0x1.7a2912p-8f, -0x1.d2a51ep-6f, -0x1.4cd7d6p-2f, 0x1.06eba8p-3f};
static const float under_0[] = {
    -0x1.09c434p-18f, 0x1.15dc92p-13f, 0x1.4d022cp-8f, 0x1.0a54c6p-4f, 0x1.97779cp-2f, 1.0f};
static const float near_1[] = {
    -0x1.1bf38p-9f, 0x1.22a366p-5f, -0x1.c63984p-4f, 0x1.45fca8p-2f, -0x1.7d241p-2f,
    0x1.a8d00ap-2f, -0x1.359b8cp-9f};
static const float under_1[] = {
    0x1.88b546p-7f, 0x1.bedc26p-7f, 0x1.02660ep-3f, 0x1.2635cep-4f, 0x1.14af0ap-1f,
    0x1.b3e662p-4f, 1.0f};
static const float middle[] = {
    -0x1.3a0efcp+3f, -0x1.452656p+6f, -0x1.7135cep+7f, -0x1.44cb18p+7f, -0x1.f300aep+5f,
    -0x1.51e044p+3f, -0x1.63416ep-1f, -0x1.434126p-7f};
static const float under_middle[] = {
    -0x1.eeff2ep-5f, 0x1.a47ef8p+2f, 0x1.b28a3ep+6f, 0x1.ad0216p+8f, 0x1.42b192p+9f,
    0x1.b290dep+8f, 0x1.1350c6p+7f, 0x1.3a6b9cp+4f, 1.0f};
static const float far[] = {
    -0x1.e384eap+8f, -0x1.004616p+10f, -0x1.3ec882p+9f, -0x1.4145d4p+7f, -0x1.1c2096p+4f,
    -0x1.993ba8p-1f, -0x1.434124p-7f};
static const float under_far[] = {
    -0x1.670e24p+4f, 0x1.da874ep+8f, 0x1.3f219cp+11f, 0x1.8ffb76p+11f, 0x1.802eb2p+10f,
    0x1.45cae2p+8f, 0x1.e568b2p+4f, 1.0f};

#define COUNT(array) (int32_t)(sizeof(array) / sizeof((array)[0]))

// The quotient of two polynomials of x.
static float quotient(
    float x, const float *over, int32_t count, const float *under, int32_t under_count) {
    float a = over[0], b = under[0];
    for (int32_t i = 1; i < count; i++) {
        a = over[i] + x * a;
    }
    for (int32_t i = 1; i < under_count; i++) {
        b = under[i] + x * b;
    }
    return a / b;
}

float tflm_erfc(float x) {
    const int32_t bits = tflm_bits(x), magnitude = bits & INT32_MAX;
    if (magnitude >= INFINITE) {
        return magnitude > INFINITE ? x : bits < 0 ? 2.0f : 0.0f;
    }
    if (magnitude < TINY) {
        return 1.0f - x;
    }
    if (magnitude < NEAR_0) {
        const float y = quotient(x * x, near_0, COUNT(near_0), under_0, COUNT(under_0));
        return bits < QUARTER ? 1.0f - (x + x * y) : 0.5f - (x * y + (x - 0.5f));
    }
    const float positive = tflm_float(magnitude);
    if (magnitude < NEAR_1) {
        const float y =
            quotient(positive - 1.0f, near_1, COUNT(near_1), under_1, COUNT(under_1));
        return bits < 0 ? 1.0f + (at_1 + y) : (1.0f - at_1) - y;
    }
    if (magnitude >= LARGE || (bits < 0 && magnitude >= SIX)) {
        return bits < 0 ? 2.0f : 0.0f;
    }
    const float inverse = 1.0f / (positive * positive);
    const float rest = magnitude < MIDDLE
        ? quotient(inverse, middle, COUNT(middle), under_middle, COUNT(under_middle))
        : quotient(inverse, far, COUNT(far), under_far, COUNT(under_far));
    const float high = tflm_float(magnitude & HIGH_BITS);
    const float y = tflm_exp(-high * high - 0.5625f)
        * tflm_exp((high - positive) * (high + positive) + rest) / positive;
    return bits < 0 ? 2.0f - y : y;
}
