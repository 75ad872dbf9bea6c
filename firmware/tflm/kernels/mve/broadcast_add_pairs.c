// The loop of ADD and SUB for cores with vectors, four pairs at a time; the portable form is
// ../portable/broadcast_add_pairs.c.
#include "../common/broadcast_add_line.h"
#include "requantize_lanes.h"

static int32x4_t moved(int32x4_t values, int32_t offset, int32_t up, tflm_factor_t factor) {
    const int32x4_t sums = vshlq_s32(vaddq_n_s32(values, offset), vdupq_n_s32(up));
    return tflm_scale_four(sums, vdupq_n_s32(factor.multiplier), vdupq_n_s32(factor.shift));
}

// What tflm_add_exactly gives, where no shift is positive, as there is a line.
static __attribute__((noinline)) void add_four(
    const tflm_sum_t *sum, const int8_t *a, const int8_t *b, int8_t *output) {
    const tflm_add_t *params = sum->params;
    const int32x4_t x = moved(vldrbq_s32(a), params->input1_offset, params->left_shift,
        (tflm_factor_t) {params->input1_multiplier, params->input1_shift});
    const int32x4_t y = moved(vldrbq_s32(b), params->input2_offset, params->left_shift,
        (tflm_factor_t) {params->input2_multiplier, params->input2_shift});
    const tflm_range_t range = {params->output_offset, sum->minimum, sum->maximum};
    const tflm_four_t four = tflm_four(
        vdupq_n_s32(params->output_multiplier), vdupq_n_s32(params->output_shift), range);
    tflm_finish_four(output, vmlaq_n_s32(x, y, sum->sign), &four);
}

// Arguments as in ../portable/broadcast_add_pairs.c.
void tflm_add_pairs(const tflm_sum_t *sum, const int8_t *input1, const int8_t *input2,
    int32_t count, int8_t *output) {
    const tflm_line_t line = sum->line;
    const int32x4_t right = vdupq_n_s32(-line.shift), left = vdupq_n_s32(32 - line.shift);
    const int32x4_t minimum = vdupq_n_s32(sum->minimum), maximum = vdupq_n_s32(sum->maximum);
    int32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        int32x4_t low = vmlaq_n_s32(
            vdupq_n_s32(line.start), vldrbq_s32(input1 + i), line.slope1);
        low = vmlaq_n_s32(low, vldrbq_s32(input2 + i), line.slope2);
        if (tflm_all_below(vshlq_s32(low, left), line.certain)) {
            const int32x4_t y = vshlq_s32(low, right);
            vstrbq_s32(output + i, vminq_s32(vmaxq_s32(y, minimum), maximum));
        } else {
            add_four(sum, input1 + i, input2 + i, output + i);
        }
    }
    for (; i < count; i++) {
        output[i] = tflm_add_pair(sum, input1[i], input2[i]);
    }
}
