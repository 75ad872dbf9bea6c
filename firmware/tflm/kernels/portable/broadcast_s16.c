// ADD, SUB and MUL of int16. Source: tensorflow/lite/kernels/internal/reference/add.h, sub.h, mul.h.
#include "generated/layout.h"
#include "../requantize.h"
#include "../strided.h"

static inline int32_t scaled(int32_t value, int32_t left_shift, int32_t multiplier, int32_t shift) {
    return tflm_scale((int32_t)((uint32_t)value << left_shift), multiplier, shift);
}

// sign: -1 for a difference.
static inline __attribute__((always_inline)) void add_or_subtract(const tflm_add_t *params,
    const uint8_t *input1, const uint8_t *input2, int16_t *output, int32_t sign) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const tflm_factor_t factor = {params->output_multiplier, params->output_shift};
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const uint8_t *a = input1 + 2 * row.start1;
        const uint8_t *b = input2 + 2 * row.start2;
        for (int32_t i = 0; i < row.length; i++, a += 2 * row.step1, b += 2 * row.step2) {
            const int32_t x = scaled(tflm_load16(a), params->left_shift,
                params->input1_multiplier, params->input1_shift);
            const int32_t y = scaled(tflm_load16(b), params->left_shift,
                params->input2_multiplier, params->input2_shift);
            const uint32_t sum = (uint32_t)x + (sign < 0 ? 0u - (uint32_t)y : (uint32_t)y);
            *output++ = tflm_requantize_s16(sum, factor, range);
        }
    }
}

// input1, input2  any shapes that broadcast to the output's
// output          written in order
// What prepare sees to: zero points are 0; left_shift is 15, so moved inputs are at most 2^30; no
// shift of the three factors is positive and no input's factor is above a half, so no sum leaves
// 32 bits.
void tflm_add_s16(
    const tflm_add_t *params, const uint8_t *input1, const uint8_t *input2, int16_t *output) {
    add_or_subtract(params, input1, input2, output, 1);
}

void tflm_sub_s16(
    const tflm_add_t *params, const uint8_t *input1, const uint8_t *input2, int16_t *output) {
    add_or_subtract(params, input1, input2, output, -1);
}

void tflm_mul_s16(
    const tflm_mul_t *params, const uint8_t *input1, const uint8_t *input2, int16_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const uint8_t *a = input1 + 2 * row.start1;
        const uint8_t *b = input2 + 2 * row.start2;
        for (int32_t i = 0; i < row.length; i++, a += 2 * row.step1, b += 2 * row.step2) {
            const int32_t product = tflm_load16(a) * tflm_load16(b);
            *output++ = tflm_requantize_s16((uint32_t)product, factor, range);
        }
    }
}
