// LOGISTIC and TANH with 16 bits of output, as LSTM and the int16 operators have them.
// Source: tensorflow/lite/kernels/internal/reference/integer_ops/logistic.h, tanh.h.
#ifndef TFLM_CURVES_S16_H
#define TFLM_CURVES_S16_H

#include <stdint.h>

enum { TFLM_SIGMOID_LINES = 256 };

// Where line i of the curve begins, and, in the low half, how far it rises to the next.
extern const uint32_t tflm_sigmoid_lines[TFLM_SIGMOID_LINES];

static inline uint32_t tflm_magnitude(int32_t x) {
    const uint32_t sign = (uint32_t)(x >> 31);
    return ((uint32_t)x ^ sign) - sign;
}

// The curve at u / 2^bits, times 2^16.
static inline uint32_t tflm_sigmoid_at(uint32_t u, int32_t bits) {
    const uint32_t line = tflm_sigmoid_lines[u >> bits], rest = u & ((1u << bits) - 1);
    return line + (line & 0xFFFF) * ((rest << (16 - bits)) - 1);
}

// 1 / (1 + exp(-x)) times 2^15; x has 12 bits behind the point, times 3. |x| is below 2^31.
static inline int32_t tflm_sigmoid(int32_t x) {
    uint32_t u = tflm_magnitude(x);
#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP
    __asm__("usat %0, #17, %0" : "+r" (u) : : "cc");
#else
    u = u > 0x1FFFF ? 0x1FFFF : u;  // in the last line
#endif
    const uint32_t y = tflm_sigmoid_at(u, 9);
    return (int32_t)(((y ^ (uint32_t)(x >> 31)) + (1u << 16)) >> 17);
}

// The hyperbolic tangent, in the same units. The last place before line 255 gives the limit.
static inline int32_t tflm_hyperbolic(int32_t x) {
    const uint32_t u = tflm_magnitude(x), last = (255 << 8) - 1;
    const uint32_t y = tflm_sigmoid_at(u > last ? last : u, 8) ^ (uint32_t)(x >> 31);
    return (int32_t)(y + ((1u << 31) + (1u << 15))) >> 16;  // less 1/2, rounded
}

// The same as calls.
int32_t tflm_sigmoid_curve(int32_t x);
int32_t tflm_tanh_curve(int32_t x);

// The hyperbolic tangent of an LSTM's cell state, of a scale of 2^power, -29 to 2.
static inline int32_t tflm_cell_tanh(int32_t cell, int32_t power) {
    const int32_t shift = power + 12;
    if (shift >= 0) {
        return tflm_hyperbolic(cell * 3 * (1 << shift));
    }
    return tflm_hyperbolic((cell * 3 + (1 << (-shift - 1))) >> -shift);
}

#endif
