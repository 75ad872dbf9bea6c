// MUL. Source: tensorflow/lite/kernels/internal/reference/integer_ops/mul.h.
#include "generated/layout.h"
#include "../requantize.h"
#include "../strided.h"

// input1, input2  any shapes that broadcast to the output's
// output          written in order
// What prepare sees to: both input offsets are -127..128, as zero points are int8, so no product is
// above 255 * 255.
void tflm_mul_s8(
    const tflm_mul_t *params, const int8_t *input1, const int8_t *input2, int8_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    const uint32_t offset1 = (uint32_t)params->input1_offset;
    const uint32_t offset2 = (uint32_t)params->input2_offset;
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const int8_t *a = input1 + row.start1;
        const int8_t *b = input2 + row.start2;
        for (int32_t i = 0; i < row.length; i++, a += row.step1, b += row.step2) {
            *output++ = tflm_requantize(
                ((uint32_t)*a + offset1) * ((uint32_t)*b + offset2), factor, range);
        }
    }
}
