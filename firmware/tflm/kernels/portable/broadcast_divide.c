// DIV of int8. Source: tensorflow/lite/kernels/internal/reference/div.h.
#include "generated/layout.h"
#include "../common/fixed_point.h"
#include "../common/strided.h"

// x / 2^exponent, nearest, ties away from zero, with an exponent of up to 71: TFLM's mask has 64
// bits of which 32 are kept, and x86 counts shifts modulo 64 and 32.
static int32_t divided(int32_t x, int32_t exponent) {
    const int32_t bits = exponent & 63;
    const int32_t mask = bits > 31 ? -1 : (int32_t)((1u << bits) - 1);
    return (x >> (exponent & 31)) + ((x & mask) > (mask >> 1) + (x < 0));
}

static int32_t quotient(const tflm_product_t *params, int32_t a, int32_t b) {
    int32_t bits;
    if (b == 0) {
        return 0;
    }
    if (b < 0) {
        a = tflm_wrapping_sub(0, a);
        b = tflm_wrapping_sub(0, b);
    }
    const int32_t reciprocal = tflm_reciprocal((uint32_t)b, 31, &bits);
    const int32_t headroom = tflm_leading_zeros((uint32_t)(a ^ a >> 31)) - 1;
    const int32_t unscaled = tflm_high_mul((int32_t)((uint32_t)a << headroom), reciprocal);
    return divided(
        tflm_high_mul(unscaled, params->multiplier), bits + headroom - params->shift);
}

// input1, input2  any shapes that broadcast to the output's
// output          written in order; the zero point where input2 is 0
// What prepare sees to: both input offsets are -127..128, so that a dividend has a headroom of 23
// bits or more; the shift is no larger.
void tflm_div_s8(
    const tflm_product_t *params, const int8_t *input1, const int8_t *input2, int8_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const int8_t *a = input1 + row.start1, *b = input2 + row.start2;
        for (int32_t i = row.length; i > 0; i--, a += row.step1, b += row.step2) {
            const int32_t y = quotient(params, tflm_wrapping_add(*a, params->input1_offset),
                tflm_wrapping_add(*b, params->input2_offset));
            *output++ = (int8_t)tflm_clamp(tflm_wrapping_add(y, params->output_offset),
                params->activation_min, params->activation_max);
        }
    }
}
