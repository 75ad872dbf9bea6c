// FULLY_CONNECTED for cores with the DSP extension; the plain twin is
// ../portable/fully_connected.c.
//
// Three outputs at a time: each word of input is loaded, widened and moved by the input offset once
// for all of them. Three, because a fourth would not leave enough registers.
#include "../dot.h"
#include "../filter_offset.h"
#include "../requantize.h"
#include "simd.h"

enum { ROWS = 3 };

typedef struct {
    uint32_t of[ROWS];
} sums_t;

// Returns the sums of w * (x + offset) over three rows of the filter, which lie one after another.
static sums_t three_rows(const int8_t *x, const int8_t *w, int32_t depth, int32_t offset) {
    const uint32_t offsets = tflm_both(offset);
    uint32_t s0 = 0, s1 = 0, s2 = 0;
    const int8_t *end = x + (depth & ~3);
    while (x != end) {
        const uint32_t word = tflm_load4(x);
        const uint32_t even = tflm_add16(tflm_even(word), offsets);
        const uint32_t odd = tflm_add16(tflm_odd(word), offsets);
        uint32_t v = tflm_load4(w + depth);
        s1 = tflm_smlad(tflm_odd(v), odd, tflm_smlad(tflm_even(v), even, s1));
        v = tflm_load4(w + 2 * depth);
        s2 = tflm_smlad(tflm_odd(v), odd, tflm_smlad(tflm_even(v), even, s2));
        v = tflm_load4(w);
        s0 = tflm_smlad(tflm_odd(v), odd, tflm_smlad(tflm_even(v), even, s0));
        x += 4;
        w += 4;
    }
    for (int32_t rest = depth & 3; rest > 0; rest--, w++) {
        const int32_t value = *x++ + offset;
        s0 += (uint32_t)(w[0] * value);
        s1 += (uint32_t)(w[depth] * value);
        s2 += (uint32_t)(w[2 * depth] * value);
    }
    return (sums_t) {{s0, s1, s2}};
}

// Returns the sums of rows c..c+count-1 of the filter; count is 1..3.
static sums_t sums_of(
    const int8_t *input, const int8_t *filter, int32_t depth, int32_t offset, int32_t count) {
    if (count == ROWS) {
        return three_rows(input, filter, depth, offset);
    }
    sums_t sums = {{0}};
    for (int32_t i = 0; i < count; i++) {
        sums.of[i] = tflm_dot(input, filter + i * depth, depth, offset);
    }
    return sums;
}

static int32_t rows_left(int32_t rows) {
    return rows < ROWS ? rows : ROWS;
}

// Arguments as in ../portable/fully_connected.c.
void tflm_fully_connected_s8(const tflm_fully_connected_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const int32_t *constants, int8_t *output) {
    (void)constants;
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    const int32_t depth = params->input_depth, outputs = params->output_depth;
    for (int32_t b = 0; b < params->batches; b++, input += depth) {
        const uint32_t start = tflm_filter_offset_term(params, input);
        for (int32_t c = 0; c < outputs; c += ROWS) {
            const int32_t count = rows_left(outputs - c);
            const sums_t sums =
                sums_of(input, filter + c * depth, depth, params->input_offset, count);
            for (int32_t i = 0; i < count; i++) {
                *output++ = tflm_requantize(
                    start + sums.of[i] + (uint32_t)tflm_bias(bias, c + i), factor, range);
            }
        }
    }
}

// Arguments as in ../portable/fully_connected.c.
void tflm_fully_connected_per_channel_s8(const tflm_fully_connected_per_channel_t *params,
    const int8_t *input, const int8_t *filter, const uint8_t *bias, const uint8_t *scales,
    const int32_t *constants, int8_t *output) {
    (void)constants;
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const int32_t depth = params->input_depth, outputs = params->output_depth;
    for (int32_t c = 0; c < outputs; c += ROWS) {
        const int32_t count = rows_left(outputs - c);
        tflm_factor_t factors[ROWS];
        for (int32_t i = 0; i < count; i++) {
            factors[i] = tflm_channel_factor(
                params->input_scale, tflm_load32(scales + 4 * (c + i)), params->output_scale);
        }
        for (int32_t b = 0; b < params->batches; b++) {
            const sums_t sums = sums_of(
                input + b * depth, filter + c * depth, depth, params->input_offset, count);
            for (int32_t i = 0; i < count; i++) {
                output[b * outputs + c + i] = tflm_requantize(
                    sums.of[i] + (uint32_t)tflm_bias(bias, c + i), factors[i], range);
            }
        }
    }
}
