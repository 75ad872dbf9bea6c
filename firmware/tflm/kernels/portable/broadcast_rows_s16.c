#include "../broadcast_rows.h"

#include "../fixed_point.h"

void tflm_sum_row_s16(const tflm_add_t *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, int16_t *output, int32_t sign) {
    const int32_t one = 1 << 15;
    for (int32_t i = 0; i < row->length; i++, a += row->step1, b += row->step2) {
        const int32_t x =
            tflm_scale(tflm_load16(a) * one, params->input1_multiplier, params->input1_shift);
        const int32_t y =
            tflm_scale(tflm_load16(b) * one, params->input2_multiplier, params->input2_shift);
        const int32_t sum = sign > 0 ? tflm_wrapping_add(x, y) : tflm_wrapping_sub(x, y);
        const int32_t scaled =
            tflm_scale(sum, params->output_multiplier, params->output_shift);
        output[i] = (int16_t)tflm_clamp(scaled, params->activation_min, params->activation_max);
    }
}

void tflm_mul_row_s16(const tflm_mul_t *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, int16_t *output) {
    for (int32_t i = 0; i < row->length; i++, a += row->step1, b += row->step2) {
        const int32_t product = tflm_load16(a) * tflm_load16(b);
        const int32_t scaled = tflm_scale(product, params->multiplier, params->shift);
        output[i] = (int16_t)tflm_clamp(scaled, params->activation_min, params->activation_max);
    }
}
