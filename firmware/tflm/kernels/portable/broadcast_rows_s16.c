#include "../broadcast_rows.h"

#include "../dot.h"
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

// tflm_high_mul of a product of two int16. With the DSP extension the high half of its double is
// one instruction; it takes away the negative double, which always fits into 32 bits.
static inline int32_t high_mul(int32_t product, int32_t multiplier) {
#if TFLM_HAS_DSP
    int32_t y;
    __asm__("smmlsr %0, %1, %2, %3" : "=r" (y) : "r" (-2 * product), "r" (multiplier), "r" (0));
    return y;
#else
    return tflm_high_mul(product, multiplier);
#endif
}

void tflm_mul_row_s16(const tflm_mul_t *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, int16_t *output) {
    const int32_t multiplier = params->multiplier, right = -params->shift;
    const int32_t minimum = params->activation_min, maximum = params->activation_max;
    const int32_t step1 = row->step1, step2 = row->step2;
    int16_t *const end = output + row->length;
    if (right <= 0) {  // left, or not at all
        for (; output < end; a += step1, b += step2) {
            const int32_t product = tflm_load16(a) * tflm_load16(b);
            const int32_t scaled = tflm_scale(product, multiplier, -right);
            *output++ = (int16_t)tflm_clamp(scaled, minimum, maximum);
        }
        return;
    }
    const int32_t half = 1 << (right - 1);
    for (; output < end; a += step1, b += step2) {
        const int32_t high = high_mul(tflm_load16(a) * tflm_load16(b), multiplier);  // below 2^30
        const int32_t scaled = (high + half + (high >> 31)) >> right;
        *output++ = (int16_t)tflm_clamp(scaled, minimum, maximum);
    }
}
