// EXP, LOG, SIN, COS, TANH, LOGISTIC and ELU of float32. Source: tensorflow/lite/micro/kernels/
// exp.cc, elementwise.cc, tanh.cc, elu.cc; tensorflow/lite/kernels/internal/reference/logistic.h.
#include "generated/layout.h"
#include "../common/exp_f32.h"

typedef int32_t (*curve_t)(int32_t bits);

static inline __attribute__((always_inline)) void map(
    const tflm_size_f32_t *params, const uint8_t *input, uint8_t *output, curve_t curve) {
    for (int32_t i = params->size; i > 0; i--, input += 4, output += 4) {
        tflm_store32(output, curve(tflm_load32(input)));
    }
}

static inline int32_t tanh_bits(int32_t bits) {
    return tflm_bits(tflm_tanh(tflm_float(bits)));
}

static inline int32_t elu_bits(int32_t bits) {
    const float x = tflm_float(bits);
    return x < 0.0f ? tflm_bits(tflm_expm1(x)) : bits;
}

// input   float32 [size]
// output  float32 [size]
void tflm_exp_f32(const tflm_size_f32_t *params, const uint8_t *input, uint8_t *output) {
    map(params, input, output, tflm_exp_bits);
}

void tflm_log_f32(const tflm_size_f32_t *params, const uint8_t *input, uint8_t *output) {
    map(params, input, output, tflm_log_bits);
}

void tflm_sin_f32(const tflm_size_f32_t *params, const uint8_t *input, uint8_t *output) {
    map(params, input, output, tflm_sin_bits);
}

void tflm_cos_f32(const tflm_size_f32_t *params, const uint8_t *input, uint8_t *output) {
    map(params, input, output, tflm_cos_bits);
}

void tflm_tanh_f32(const tflm_size_f32_t *params, const uint8_t *input, uint8_t *output) {
    map(params, input, output, tanh_bits);
}

void tflm_elu_f32(const tflm_size_f32_t *params, const uint8_t *input, uint8_t *output) {
    map(params, input, output, elu_bits);
}

void tflm_logistic_f32(const tflm_size_f32_t *params, const uint8_t *input, uint8_t *output) {
    map(params, input, output, tflm_logistic_inline);
}
