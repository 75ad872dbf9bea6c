// LOGISTIC and TANH with 16 bits of output, as LSTM and the int16 operators have them.
// Source: tensorflow/lite/kernels/internal/reference/integer_ops/logistic.h, tanh.h.
#ifndef TFLM_CURVES_S16_H
#define TFLM_CURVES_S16_H

#include <stdint.h>

// 1 / (1 + exp(-x)) times 2^15; x has 12 bits behind the point, times 3. |x| is below 2^31.
int32_t tflm_sigmoid_curve(int32_t x);

// The hyperbolic tangent, in the same units.
int32_t tflm_tanh_curve(int32_t x);

// The hyperbolic tangent of an LSTM's cell state, of a scale of 2^power, -29 to 2.
static inline int32_t tflm_cell_tanh(int32_t cell, int32_t power) {
    const int32_t shift = power + 12;
    if (shift >= 0) {
        return tflm_tanh_curve(cell * 3 * (1 << shift));
    }
    return tflm_tanh_curve((cell * 3 + (1 << (-shift - 1))) >> -shift);
}

#endif
