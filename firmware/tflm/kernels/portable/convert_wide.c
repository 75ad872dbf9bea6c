// QUANTIZE to and from int16 and int32; sources as in convert.c.
#include "generated/layout.h"
#include "../common/quantize_f32.h"
#include "../common/requantize.h"

// input   float32 [size]
// output  int16 [size] = round(input / scale) + zero_point, saturated
// What prepare sees to: the scale is a positive normal number; zero_point is int16.
void tflm_quantize_f32_s16(const tflm_quantize_t *params, const uint8_t *input, int16_t *output) {
    const float scale = tflm_float(params->scale);
    for (int32_t i = 0; i < params->size; i++) {
        const int32_t steps = tflm_round_away(tflm_load_f32(input + 4 * i) / scale);
        const int32_t y = tflm_wrapping_add(steps, params->zero_point);
        output[i] = (int16_t)tflm_clamp(y, INT16_MIN, INT16_MAX);
    }
}

// Scales x; sums wrap.
static int32_t rescale(const tflm_requantize_t *params, int32_t x) {
    const int32_t value = tflm_wrapping_add(x, params->input_offset);
    const int32_t scaled = tflm_scale(value, params->multiplier, params->shift);
    return tflm_wrapping_add(scaled, params->output_offset);
}

static int16_t rescale_s16(const tflm_requantize_t *params, int32_t x) {
    return (int16_t)tflm_clamp(rescale(params, x), INT16_MIN, INT16_MAX);
}

// input   [size]
// output  [size], another scale and zero point; that of each is in its tensor's type
void tflm_requantize_s8_s16(
    const tflm_requantize_t *params, const int8_t *input, int16_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        output[i] = rescale_s16(params, input[i]);
    }
}

void tflm_requantize_s8_s32(
    const tflm_requantize_t *params, const int8_t *input, int32_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        output[i] = rescale(params, input[i]);
    }
}

void tflm_requantize_s16(const tflm_requantize_t *params, const uint8_t *input, int16_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        output[i] = rescale_s16(params, tflm_load16(input + 2 * i));
    }
}

void tflm_requantize_s32_s8(
    const tflm_requantize_t *params, const uint8_t *input, int8_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        const int32_t y = rescale(params, tflm_load32(input + 4 * i));
        output[i] = (int8_t)tflm_clamp(y, INT8_MIN, INT8_MAX);
    }
}

void tflm_requantize_s32_s16(
    const tflm_requantize_t *params, const uint8_t *input, int16_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        output[i] = rescale_s16(params, tflm_load32(input + 4 * i));
    }
}
