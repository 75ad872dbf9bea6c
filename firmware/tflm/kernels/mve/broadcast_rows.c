// MUL of int8, four pairs at a time where both inputs lie side by side.
#include "../common/broadcast_rows.h"

#define tflm_mul_row_s8 mul_row_plain
static void mul_row_plain(const tflm_product_t *params, const tflm_row_t *row, const int8_t *a,
    const int8_t *b, int8_t *output);
#include "../common/plain_broadcast_rows.h"
#undef tflm_mul_row_s8

#include "requantize_lanes.h"

void tflm_mul_row_s8(const tflm_product_t *params, const tflm_row_t *row, const int8_t *a,
    const int8_t *b, int8_t *output) {
    int32_t i = 0;
    if (row->step1 == 1 && row->step2 == 1 && params->shift <= 0) {
        const int32_t offset1 = params->input1_offset, offset2 = params->input2_offset;
        const int32_t offset = params->output_offset;
        const int32x4_t multiplier = vdupq_n_s32(params->multiplier);
        const int32x4_t shift = vdupq_n_s32(params->shift);
        const int32x4_t minimum = vdupq_n_s32(params->activation_min);
        const int32x4_t maximum = vdupq_n_s32(params->activation_max);
        const int32_t end = row->length - 3;
        for (; i < end; i += 4) {
            const int32x4_t x = vaddq_n_s32(vldrbq_s32(a + i), offset1);
            const int32x4_t y = vaddq_n_s32(vldrbq_s32(b + i), offset2);
            const int32x4_t scaled = tflm_scale_four(vmulq_s32(x, y), multiplier, shift);
            const int32x4_t z = vaddq_n_s32(scaled, offset);
            vstrbq_s32(output + i, vminq_s32(vmaxq_s32(z, minimum), maximum));
        }
    }
    const tflm_row_t rest = {.length = row->length - i, .step1 = row->step1, .step2 = row->step2};
    mul_row_plain(params, &rest, a + i * row->step1, b + i * row->step2, output + i);
}
