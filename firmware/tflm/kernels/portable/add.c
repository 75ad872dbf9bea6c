// ADD and SUB. Source: tensorflow/lite/kernels/internal/reference/integer_ops/add.h, sub.h, add.h.
#include "../../layout.h"
#include "../float32.h"
#include "../requantize.h"
#include "../strided.h"

static int32_t rescale(int32_t value, int32_t left_shift, int32_t multiplier, int32_t shift) {
    return tflm_scale((int32_t)((uint32_t)value << left_shift), multiplier, shift);
}

// The sum of two int8 inputs, or their difference where `sign` is -1. Both are brought to twice
// the larger scale and left_shift more bits, where their sum fits 32 bits.
static void add_or_subtract(const tflm_add_t *params, const int8_t *input1, const int8_t *input2,
    int8_t *output, int32_t sign) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const tflm_factor_t factor = {params->output_multiplier, params->output_shift};
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const int8_t *a = input1 + row.start1;
        const int8_t *b = input2 + row.start2;
        for (int32_t i = 0; i < row.length; i++, a += row.step1, b += row.step2) {
            const int32_t x = rescale(tflm_wrapping_add(*a, params->input1_offset),
                params->left_shift, params->input1_multiplier, params->input1_shift);
            const int32_t y = rescale(tflm_wrapping_add(*b, params->input2_offset),
                params->left_shift, params->input2_multiplier, params->input2_shift);
            const uint32_t sum = (uint32_t)x + (uint32_t)y * (uint32_t)sign;
            *output++ = tflm_requantize(sum, factor, range);
        }
    }
}

// input1, input2  any shapes that broadcast to the output's
// output          written in order
void tflm_add_s8(
    const tflm_add_t *params, const int8_t *input1, const int8_t *input2, int8_t *output) {
    add_or_subtract(params, input1, input2, output, 1);
}

void tflm_sub_s8(
    const tflm_add_t *params, const int8_t *input1, const int8_t *input2, int8_t *output) {
    add_or_subtract(params, input1, input2, output, -1);
}

// float32 inputs of any shapes that broadcast to the output's
void tflm_add_f32(const tflm_add_f32_t *params, const uint8_t *input1, const uint8_t *input2,
    uint8_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const float minimum = tflm_float(params->activation_min);
    const float maximum = tflm_float(params->activation_max);
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const uint8_t *a = input1 + 4 * row.start1;
        const uint8_t *b = input2 + 4 * row.start2;
        for (int32_t i = 0; i < row.length; i++, a += 4 * row.step1, b += 4 * row.step2) {
            const float sum = tflm_load_f32(a) + tflm_load_f32(b);
            tflm_store_f32(output, tflm_clamp_f32(sum, minimum, maximum));
            output += 4;
        }
    }
}
