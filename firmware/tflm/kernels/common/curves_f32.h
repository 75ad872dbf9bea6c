// Functions of float32 whose results are those of glibc's libm, bit for bit, on every core: of
// bits, as bits. Up to glibc 2.40, that is; later ones round expm1, tanh and atan2 correctly.
#ifndef TFLM_CURVES_F32_H
#define TFLM_CURVES_F32_H

#include "float32.h"

int32_t tflm_exp_bits(int32_t x);

int32_t tflm_log_bits(int32_t x);

int32_t tflm_sin_bits(int32_t x);

int32_t tflm_cos_bits(int32_t x);

// x^y.
int32_t tflm_power_bits(int32_t x, int32_t y);

// The angle of the point (x, y), -pi to pi: atan2(y, x).
int32_t tflm_angle_bits(int32_t y, int32_t x);

// e^x - 1.
float tflm_expm1(float x);

float tflm_tanh(float x);

// 1 - erf(x).
float tflm_erfc(float x);

static inline float tflm_exp(float x) {
    return tflm_float(tflm_exp_bits(tflm_bits(x)));
}

#endif
