// QUANTIZE. Source: tensorflow/lite/kernels/internal/reference/quantize.h, requantize.h.
#include "generated/layout.h"
#include "../common/clamp.h"
#include "../common/quantize_f32.h"
#include "../common/requantize.h"
#include "../common/table.h"

// input   float32 [size]
// output  int8 [size] = round(input / scale) + zero_point, saturated
// What prepare sees to: the scale is a positive normal number; zero_point is int8.
void tflm_quantize_f32_s8(const tflm_quantize_t *params, const uint8_t *input, int8_t *output) {
    const tflm_divisor_t divisor = tflm_divisor(tflm_float(params->scale));
    const int32_t size = params->size, zero_point = params->zero_point;
    for (int32_t i = 0; i < size; i++) {
        const int32_t steps = tflm_steps(tflm_load32(input + 4 * i), &divisor);
        output[i] = (int8_t)tflm_clamp8(tflm_wrapping_add(steps, zero_point));
    }
}

static void requantize(const void *record, const int8_t *input, int8_t *output, int32_t count) {
    const tflm_requantize_t *params = record;
    const tflm_range_t range = {params->output_offset, INT8_MIN, INT8_MAX};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    for (int32_t i = 0; i < count; i++) {
        const uint32_t value = (uint32_t)input[i] + (uint32_t)params->input_offset;
        output[i] = tflm_requantize(value, factor, range);
    }
}

// input   int8 [size]
// output  int8 [size], another scale and zero point
// Here and below, zero points lie in their tensors' types, as prepare sees to.
void tflm_requantize_s8(const tflm_requantize_t *params, const int8_t *input, int8_t *output) {
    tflm_by_table(requantize, params, input, output, params->size);
}
// input   int16 [size]
// output  int8 [size], another scale and zero point
void tflm_requantize_s16_s8(const tflm_requantize_t *params, const int16_t *input, int8_t *output) {
    const tflm_range_t range = {params->output_offset, INT8_MIN, INT8_MAX};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    for (int32_t i = 0; i < params->size; i++) {
        const uint32_t value = (uint32_t)input[i] + (uint32_t)params->input_offset;
        output[i] = tflm_requantize(value, factor, range);
    }
}

// input   int16 [size]
// output  int32 [size], another scale and zero point; 32-bit sums wrap
void tflm_requantize_s16_s32(
    const tflm_requantize_t *params, const int16_t *input, int32_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        const int32_t value = tflm_wrapping_add(input[i], params->input_offset);
        const int32_t scaled = tflm_scale(value, params->multiplier, params->shift);
        output[i] = tflm_wrapping_add(scaled, params->output_offset);
    }
}

static void requantize_s8_u8(
    const void *record, const int8_t *input, int8_t *output, int32_t count) {
    const tflm_requantize_t *params = record;
    for (int32_t i = 0; i < count; i++) {
        const int32_t value = tflm_wrapping_add(input[i], params->input_offset);
        const int32_t scaled = tflm_scale(value, params->multiplier, params->shift);
        const int32_t y = tflm_wrapping_add(scaled, params->output_offset);
        output[i] = (int8_t)(uint8_t)tflm_clamp(y, 0, UINT8_MAX);
    }
}

// input   int8 [size]
// output  uint8 [size], another scale and zero point
void tflm_requantize_s8_u8(const tflm_requantize_t *params, const int8_t *input, uint8_t *output) {
    tflm_by_table(requantize_s8_u8, params, input, (void *)output, params->size);
}

static void requantize_u8_s8(
    const void *record, const int8_t *input, int8_t *output, int32_t count) {
    const tflm_requantize_t *params = record;
    const tflm_range_t range = {params->output_offset, INT8_MIN, INT8_MAX};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    for (int32_t i = 0; i < count; i++) {
        const uint32_t value = (uint32_t)(uint8_t)input[i] + (uint32_t)params->input_offset;
        output[i] = tflm_requantize(value, factor, range);
    }
}

// input   uint8 [size]
// output  int8 [size], another scale and zero point
void tflm_requantize_u8_s8(const tflm_requantize_t *params, const uint8_t *input, int8_t *output) {
    tflm_by_table(requantize_u8_s8, params, (const void *)input, output, params->size);
}
