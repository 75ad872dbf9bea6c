#include "broadcast_add_line.h"

int8_t tflm_add_exactly(const tflm_add_t *params, int32_t value1, int32_t value2, int32_t sign) {
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const tflm_factor_t factor = {params->output_multiplier, params->output_shift};
    const uint32_t moved1 = (uint32_t)tflm_wrapping_add(value1, params->input1_offset);
    const uint32_t moved2 = (uint32_t)tflm_wrapping_add(value2, params->input2_offset);
    const int32_t x = tflm_scale((int32_t)(moved1 << params->left_shift),
        params->input1_multiplier, params->input1_shift);
    const int32_t y = tflm_scale((int32_t)(moved2 << params->left_shift),
        params->input2_multiplier, params->input2_shift);
    return tflm_requantize((uint32_t)x + (uint32_t)y * (uint32_t)sign, factor, range);
}

enum { MOST_SHIFT = 22, LEAST_SHIFT = 12 };

static int32_t is_right_shift(int32_t shift) {
    return shift <= 0 && shift >= -30;
}

static int32_t is_zero_point(int32_t offset) {
    return offset >= -128 && offset <= 128;
}

// What 2^-down times a product of two multipliers is, rounded down; 2^32 - 1 if it is more.
static uint32_t slope_of(int32_t multiplier1, int32_t multiplier2, int32_t down) {
    const uint64_t product = (uint64_t)multiplier1 * (uint64_t)multiplier2;
    if (down > 63) {
        return 0;
    }
    const uint64_t slope = down < 0 ? UINT64_MAX : product >> down;
    return slope > UINT32_MAX ? UINT32_MAX : (uint32_t)slope;
}

// The output is the sum of both inputs, each times its slope in real numbers, and three roundings
// on the way. With v the value plus its offset, |v| <= 255:
//   an input is v * 2^left_shift * m / 2^31 / 2^right, off by half a unit of the high multiply and
//   half a unit of the shift at most: by 1;
//   the sum is off by 2 then; its high multiply by 2 * m / 2^31, and half a unit of its own: 2.5;
//   the last shift rounds to the nearest.
// A slope that is rounded down is off by less than 1, and so each product by less than 255.
// Here units are 2^-shift of the output, in which 2.5 is less than `roundings`, and 512 the rest.
// `low` is what may come out at least, plus half a unit of the output.
int32_t tflm_add_line(const tflm_add_t *params, int32_t sign, tflm_line_t *line) {
    if (!is_right_shift(params->input1_shift) || !is_right_shift(params->input2_shift)
        || !is_right_shift(params->output_shift) || !is_zero_point(params->input1_offset)
        || !is_zero_point(params->input2_offset) || !is_zero_point(params->output_offset)
        || params->input1_multiplier < 0 || params->input2_multiplier < 0
        || params->output_multiplier < 0 || params->left_shift != 20) {
        return 0;
    }
    const int32_t down = 62 - params->left_shift - params->output_shift;
    for (int32_t shift = MOST_SHIFT; shift >= LEAST_SHIFT; shift--) {
        const uint32_t slope1 = slope_of(params->input1_multiplier, params->output_multiplier,
            down - params->input1_shift - shift);
        const uint32_t slope2 = slope_of(params->input2_multiplier, params->output_multiplier,
            down - params->input2_shift - shift);
        const int32_t finer = shift + params->output_shift;
        const int32_t roundings = finer < 0 ? 3 : 3 << finer;
        const int32_t error = 512 + roundings;
        // 2^21 * 255 + 129 * 2^22 and an error of 2^21 leave room in 32 bits.
        if (slope1 < 1u << 20 && slope2 < 1u << 20 && error < 1 << (shift - 1)) {
            line->slope1 = (int32_t)slope1;
            line->slope2 = (int32_t)slope2 * sign;
            line->start = line->slope1 * params->input1_offset
                + line->slope2 * params->input2_offset + params->output_offset * (1 << shift)
                + (1 << (shift - 1)) - error;
            line->shift = shift;
            line->certain = ((1u << shift) - 2 * (uint32_t)error) << (32 - shift);
            return 1;
        }
    }
    return 0;
}
