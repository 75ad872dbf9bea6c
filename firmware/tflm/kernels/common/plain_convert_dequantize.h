// DEQUANTIZE of integers. Source: tensorflow/lite/kernels/internal/reference/dequantize.h.
//
// The kernels of portable/convert_dequantize.c. A file of an ISA that replaces it includes this one, too, and
// gives its functions other names.
#ifndef TFLM_PLAIN_CONVERT_DEQUANTIZE_H
#define TFLM_PLAIN_CONVERT_DEQUANTIZE_H

#include "generated/layout.h"
#include "float32.h"

// What prepare sees to: the scale is a positive normal number; zero_point lies in the input's type,
// so the difference is exact in single precision.
static float dequantized(const tflm_dequantize_t *params, int32_t value) {
    const uint32_t steps = (uint32_t)value - (uint32_t)params->zero_point;
    return tflm_float(params->scale) * (float)(int32_t)steps;
}

// input   [size]
// output  float32 [size] = scale * (input - zero_point)
void tflm_dequantize_s8_f32(
    const tflm_dequantize_t *params, const int8_t *input, uint8_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        tflm_store_f32(output + 4 * i, dequantized(params, input[i]));
    }
}

void tflm_dequantize_u8_f32(
    const tflm_dequantize_t *params, const uint8_t *input, uint8_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        tflm_store_f32(output + 4 * i, dequantized(params, input[i]));
    }
}

void tflm_dequantize_s16_f32(
    const tflm_dequantize_t *params, const int16_t *input, uint8_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        tflm_store_f32(output + 4 * i, dequantized(params, input[i]));
    }
}

#endif
