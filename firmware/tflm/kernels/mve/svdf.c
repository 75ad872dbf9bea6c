// SVDF with an int8 state for cores with vectors: four filters at a time.
#include "generated/layout.h"

// The portable kernel runs layers of fewer filters, or shifted to the left.
#include "../common/cold_svdf.h"

#include "requantize_lanes.h"
#include "svdf_states.h"

enum { LANES = 4 };

// The last four start early where there is no multiple of four: some run twice.
static int32_t first_of_four(int32_t i, int32_t count) {
    return i + LANES <= count ? i : count - LANES;
}

// Writes the newest element of all filters' memories; newest: that of the first.
static void write_newest(const tflm_svdf_t *params, const int8_t *input, const int8_t *weights,
    int8_t *newest) {
    const int32_t depth = params->input_depth, memory = params->memory;
    const int32_t offset = params->input_offset;
    const tflm_range_t range = {params->state_zero_point, INT8_MIN, INT8_MAX};
    const tflm_four_t four = tflm_four(vdupq_n_s32(params->feature_multiplier),
        vdupq_n_s32(params->feature_shift), range);
    for (int32_t i = 0; i < params->filters; i += LANES) {
        const int32_t f = first_of_four(i, params->filters);
        const int8_t *w = weights + f * depth;
        const tflm_two_t a = tflm_dot_two(input, w, depth, depth);
        const tflm_two_t b = tflm_dot_two(input, w + 2 * depth, depth, depth);
        const int32x4_t dots = tflm_vector_of(a.dot0, a.dot1, b.dot0, b.dot1);
        const int32x4_t sums = tflm_vector_of(a.sum0, a.sum1, b.sum0, b.sum1);
        const int32x4_t x =
            tflm_scale_four(vmlaq_n_s32(dots, sums, offset), four.multiplier, four.shift);
        const int32x4_t clamped = vminq_s32(vmaxq_s32(x, four.minimum), four.maximum);
        tflm_scatter_four(newest + f * memory, memory, vaddq_s32(clamped, four.offset));
    }
}

static void write_outputs(const tflm_svdf_t *params, const int32_t *sums, int8_t *output) {
    const int32_t units = params->filters / params->rank;
    const tflm_range_t range = {params->output_offset, INT8_MIN, INT8_MAX};
    const tflm_four_t four = tflm_four(
        vdupq_n_s32(params->time_multiplier), vdupq_n_s32(params->time_shift), range);
    for (int32_t i = 0; i < units; i += LANES) {
        const int32_t c = first_of_four(i, units);
        tflm_finish_four(output + c, vldrwq_s32(sums + c), &four);
    }
}

// Arguments as in ../common/plain_svdf.h.
void tflm_svdf_s8(const tflm_svdf_t *params, const int8_t *input, const int8_t *weights_feature,
    const int8_t *weights_time, const uint8_t *bias, int8_t *state, int8_t *output,
    int32_t *scratch, int32_t *output_scratch) {
    const int32_t filters = params->filters, units = filters / params->rank;
    const int32_t memory = params->memory;
    if (params->feature_shift > 0 || params->time_shift > 0 || units < LANES) {
        tflm_svdf_s8_plain(params, input, weights_feature, weights_time, bias, state, output,
            scratch, output_scratch);
        return;
    }
    for (int32_t b = 0; b < params->batches; b++, input += params->input_depth) {
        // All states move one step towards their oldest element, in one go: what a state's last
        // element gets from its neighbour is overwritten next.
        tflm_copy_bytes(state, state + 1, filters * memory - 1);
        write_newest(params, input, weights_feature, state + memory - 1);
        tflm_dot_rows(state, weights_time, memory, filters, params->state_zero_point, scratch);
        add_units(bias, scratch, params->rank, output_scratch, units);
        write_outputs(params, output_scratch, output);
        state += filters * memory;
        output += units;
    }
}
