// SVDF with an int8 state for Cortex-M0, M0+ and M3.
#include <string.h>

#include "generated/layout.h"

// The portable kernel runs layers for whose features the short arithmetic is not exact.
#include "../common/cold_svdf.h"

#include "dense_rows.h"
#include "svdf_states.h"

// The products of so many inputs stay below TFLM_M0_SAFE_SUM.
enum { DEPTH_MAX = TFLM_M0_SAFE_SUM / (128 * 255) - 1 };

static int32_t is_short(tflm_factor_t factor) {
    return factor.shift <= -1 && factor.shift >= -TFLM_M0_RIGHT_MAX;
}

// Writes the dots of the input with all filters.
static void filter_input(
    const tflm_svdf_t *params, const int8_t *input, const int8_t *weights, uint32_t *dots) {
    const int32_t depth = params->input_depth, offset = params->input_offset;
    const int32_t fours = params->filters & -TFLM_M0_ROWS;
    if (fours > 0) {
        const tflm_m0_rows_t job = {input, weights, depth, offset, dots, dots + fours, depth};
        memset(dots, 0, (size_t)fours * sizeof(*dots));
        tflm_m0_rows(&job);
    }
    for (int32_t i = fours; i < params->filters; i++) {
        dots[i] = tflm_dot(input, weights + i * depth, depth, offset);
    }
}

// From sums to int8; these may lie where the sums do.
static void requantize(const int32_t *sums, int32_t count, tflm_factor_t factor, int32_t offset,
    int32_t all_short, int8_t *output) {
    const tflm_m0_channel_t channel = {0, 0, factor.multiplier, -factor.shift};
    const tflm_m0_finish_t finish = {0, count, INT8_MIN, INT8_MAX, tflm_m0_rounding(offset)};
    (all_short ? tflm_m0_finish_exacts : tflm_m0_finish_plains)(
        (const uint32_t *)sums, &channel, output, &finish);
}

static int32_t are_safe(const int32_t *sums, int32_t count) {
    uint32_t sizes = 0;
    for (int32_t i = 0; i < count; i++) {
        sizes |= (uint32_t)sums[i] + TFLM_M0_SAFE_SUM / 2;
    }
    return sizes < TFLM_M0_SAFE_SUM;
}

// Arguments as in ../common/plain_svdf.h.
void tflm_svdf_s8(const tflm_svdf_t *params, const int8_t *input, const int8_t *weights_feature,
    const int8_t *weights_time, const uint8_t *bias, int8_t *state, int8_t *output,
    int32_t *scratch, int32_t *output_scratch) {
    const tflm_factor_t feature = {params->feature_multiplier, params->feature_shift};
    const tflm_factor_t time = {params->time_multiplier, params->time_shift};
    const int32_t filters = params->filters, units = filters / params->rank;
    const int32_t memory = params->memory;
    if (!is_short(feature) || params->input_depth > DEPTH_MAX || params->input_offset < INT8_MIN
        || params->input_offset > -INT8_MIN) {
        tflm_svdf_s8_plain(params, input, weights_feature, weights_time, bias, state, output,
            scratch, output_scratch);
        return;
    }
    int8_t *newest = (int8_t *)scratch;
    tflm_m0_states_t states = {NULL, weights_time + (filters - 1) * memory, memory,
        params->state_zero_point, newest, scratch, filters};
    for (int32_t b = 0; b < params->batches; b++, input += params->input_depth) {
        filter_input(params, input, weights_feature, (uint32_t *)scratch);
        requantize(scratch, filters, feature, 0, 1, newest);
        states.state = state + (filters - 1) * memory;
        tflm_m0_age(&states);
        add_units(bias, scratch, params->rank, output_scratch, units);
        const int32_t all_short = is_short(time) && are_safe(output_scratch, units);
        requantize(output_scratch, units, time, params->output_offset, all_short, output);
        state += filters * memory;
        output += units;
    }
}
