// e^x - 1 and tanh x in single precision, equal to glibc's expm1f and tanhf before 2.41.
//
// x = k log 2 + r with |r| below half of log 2; e^r - 1 is a quotient of polynomials, c what
// rounding took from r. Each operation is rounded on its own.
// Source of method and constants: sysdeps/ieee754/flt-32/s_expm1f.c and s_tanhf.c of glibc 2.40.
#include "curves_f32.h"

enum {
    TINY = 0x33000000,       // 2^-25
    HALF_LOG = 0x3EB17218,   // log 2 / 2
    LOG_AND_HALF = 0x3F851592,  // log 2 * 3 / 2
    FULL = 0x4195B844,       // 27 log 2: less than -1 + 2^-24 below
    LARGEST = 0x42B17217,    // of what is finite
    INFINITE = 0x7F800000,
};

// log 2 in two parts: products of the first with k are exact.
static const float log_high = 0x1.62e3p-1f, log_low = 0x1.2fefa2p-17f;
static const float one_by_log = 0x1.715476p+0f;

// x * 2^k, for a k that does not leave the normal numbers.
static float scaled(float x, int32_t k) {
    return tflm_float(tflm_bits(x) + (int32_t)((uint32_t)k << 23));
}

float tflm_expm1(float x) {
    const int32_t bits = tflm_bits(x), magnitude = bits & 0x7FFFFFFF;
    if (magnitude > INFINITE) {
        return x;
    }
    if (magnitude >= FULL && bits < 0) {
        return -1.0f;
    }
    if (bits > LARGEST) {
        return tflm_float(INFINITE);
    }
    if (magnitude < TINY) {
        return x;
    }
    int32_t k = 0;
    float c = 0.0f;
    if (magnitude > HALF_LOG) {
        float high, low;
        if (magnitude < LOG_AND_HALF) {
            k = bits < 0 ? -1 : 1;
            high = bits < 0 ? x + log_high : x - log_high;
            low = bits < 0 ? -log_low : log_low;
        } else {
            k = (int32_t)(one_by_log * x + (bits < 0 ? -0.5f : 0.5f));
            high = x - (float)k * log_high;
            low = (float)k * log_low;
        }
        x = high - low;
        c = (high - x) - low;
    }
    const float half = 0.5f * x, square = x * half;
    float r = 0x1.0cfca8p-18f + square * -0x1.afdb76p-23f;
    r = -0x1.4ce19ap-14f + square * r;
    r = 0x1.a01a02p-10f + square * r;
    r = -0x1.111112p-5f + square * r;
    r = 1.0f + square * r;
    const float t = 3.0f - r * half;
    float e = square * ((r - t) / (6.0f - x * t));
    if (k == 0) {
        return x - (x * e - square);
    }
    e = x * (e - c) - c;
    e -= square;
    if (k == -1) {
        return 0.5f * (x - e) - 0.5f;
    }
    if (k == 1) {
        return x < -0.25f ? -2.0f * (e - (x + 0.5f)) : 1.0f + 2.0f * (x - e);
    }
    if (k <= -2 || k > 56) {
        return scaled(1.0f - (e - x), k) - 1.0f;
    }
    if (k < 23) {
        return scaled(tflm_float(0x3F800000 - (0x1000000 >> k)) - (e - x), k);
    }
    return scaled((x - (e + tflm_float((127 - k) << 23))) + 1.0f, k);
}

float tflm_tanh(float x) {
    const int32_t bits = tflm_bits(x), magnitude = bits & 0x7FFFFFFF;
    const float positive = tflm_float(magnitude);
    if (magnitude > INFINITE) {
        return x;
    }
    float y = 1.0f;
    if (magnitude < 0x24000000) {  // 2^-55
        return x;
    }
    if (magnitude < 0x3F800000) {
        const float t = tflm_expm1(-2.0f * positive);
        y = -t / (t + 2.0f);
    } else if (magnitude < 0x41B00000) {  // 22
        y = 1.0f - 2.0f / (tflm_expm1(2.0f * positive) + 2.0f);
    }
    return bits < 0 ? -y : y;
}
