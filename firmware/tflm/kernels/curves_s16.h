// LOGISTIC and TANH with 16 bits of output, as LSTM and the int16 operators have them.
// Source: tensorflow/lite/kernels/internal/reference/integer_ops/logistic.h, tanh.h.
#ifndef TFLM_CURVES_S16_H
#define TFLM_CURVES_S16_H

#include <stdint.h>

// 1 / (1 + exp(-x)) times 2^15; x has 12 bits behind the point, times 3. |x| is below 2^31.
int32_t tflm_sigmoid_curve(int32_t x);

// The hyperbolic tangent, in the same units.
int32_t tflm_tanh_curve(int32_t x);

#endif
