// PRELU of int8 and int16. Source: tensorflow/lite/kernels/internal/reference/prelu.h.
#include "generated/layout.h"
#include "../common/fixed_point.h"
#include "../common/strided.h"

static inline int32_t prelu(const tflm_prelu_t *params, int32_t input, int32_t alpha) {
    const int32_t x = tflm_wrapping_add(input, params->input1_offset);
    int32_t scaled;
    if (x >= 0) {
        scaled = tflm_scale(x, params->identity_multiplier, params->identity_shift);
    } else {
        const uint32_t slope = (uint32_t)alpha + (uint32_t)params->input2_offset;
        scaled = tflm_scale((int32_t)((uint32_t)x * slope), params->alpha_multiplier,
            params->alpha_shift);
    }
    return tflm_wrapping_add(scaled, params->output_offset);
}

// input   of the output's shape
// alpha   int8, any shape that broadcasts to it
// output  written in order
void tflm_prelu_s8(
    const tflm_prelu_t *params, const int8_t *input, const int8_t *alpha, int8_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const int8_t *x = input + row.start1, *a = alpha + row.start2;
        for (int32_t i = 0; i < row.length; i++, x += row.step1, a += row.step2) {
            *output++ = (int8_t)tflm_clamp(prelu(params, *x, *a), INT8_MIN, INT8_MAX);
        }
    }
}

void tflm_prelu_s16(
    const tflm_prelu_t *params, const uint8_t *input, const int8_t *alpha, int16_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const uint8_t *x = input + 2 * row.start1;
        const int8_t *a = alpha + row.start2;
        for (int32_t i = 0; i < row.length; i++, x += 2 * row.step1, a += row.step2) {
            *output++ = (int16_t)tflm_clamp(
                prelu(params, tflm_load16(x), *a), INT16_MIN, INT16_MAX);
        }
    }
}
