// SVDF. Source: tensorflow/lite/micro/kernels/svdf_common.cc.
#include <string.h>

#include "../../layout.h"
#include "../dot.h"
#include "../requantize.h"

// The newest element of one filter's memory: the filtered input, clamped to the state's type
// before the zero point is added.
static int32_t feature(const tflm_svdf_t *params, const int8_t *input, const int8_t *weights,
    int32_t minimum, int32_t maximum) {
    const uint32_t sum = tflm_dot(input, weights, params->input_depth, params->input_offset);
    const int32_t x = tflm_scale((int32_t)sum, params->feature_multiplier, params->feature_shift);
    return tflm_wrapping_add(tflm_clamp(x, minimum, maximum), params->state_zero_point);
}

// Moves every state one step towards its oldest element, all in one go: what a state's last
// element gets from its neighbour is overwritten next.
static void age(void *states, size_t size, int32_t count) {
    memmove(states, (uint8_t *)states + size, size * (size_t)(count - 1));
}

// Sums `rank` filters to a unit, adds the unit's bias and requantises. Sums wrap as TFLM's do.
static void reduce_units(const tflm_svdf_t *params, const uint8_t *bias, const int32_t *scratch,
    int32_t *output_scratch, int8_t *output) {
    const tflm_range_t range = {params->output_offset, INT8_MIN, INT8_MAX};
    const tflm_factor_t factor = {params->time_multiplier, params->time_shift};
    const int32_t units = params->filters / params->rank;
    for (int32_t i = 0; i < params->batches * units; i++) {
        uint32_t sum = (uint32_t)tflm_bias(bias, i % units);
        for (int32_t j = 0; j < params->rank; j++) {
            sum += (uint32_t)*scratch++;
        }
        output_scratch[i] = (int32_t)sum;
        output[i] = tflm_requantize(sum, factor, range);
    }
}

// input            [batches, input_depth]
// weights_feature  [filters, input_depth]
// weights_time     [filters, memory]
// bias             int32 [filters / rank] or NULL
// state            [batches, filters, memory], oldest first, memory at least 1;
//                  kept from one call to the next
// output           [batches, filters / rank]
// scratch          [batches, filters]
// output_scratch   [batches, filters / rank]
void tflm_svdf_s8(const tflm_svdf_t *params, const int8_t *input, const int8_t *weights_feature,
    const int8_t *weights_time, const uint8_t *bias, int8_t *state, int8_t *output,
    int32_t *scratch, int32_t *output_scratch) {
    const int32_t memory = params->memory;
    const int32_t time_offset = tflm_wrapping_sub(0, params->state_zero_point);
    const int32_t rows = params->batches * params->filters;
    age(state, sizeof(*state), rows * memory);
    for (int32_t row = 0; row < rows; row++, state += memory) {
        const int32_t filter = row % params->filters;
        const int8_t *x = input + row / params->filters * params->input_depth;
        const int8_t *w = weights_feature + filter * params->input_depth;
        state[memory - 1] = (int8_t)feature(params, x, w, INT8_MIN, INT8_MAX);
        scratch[row] =
            (int32_t)tflm_dot(state, weights_time + filter * memory, memory, time_offset);
    }
    reduce_units(params, bias, scratch, output_scratch, output);
}

// As above, with an int16 state. weights_time: int16 at any alignment
void tflm_svdf_s16(const tflm_svdf_t *params, const int8_t *input, const int8_t *weights_feature,
    const uint8_t *weights_time, const uint8_t *bias, int16_t *state, int8_t *output,
    int32_t *scratch, int32_t *output_scratch) {
    const int32_t memory = params->memory;
    const int32_t rows = params->batches * params->filters;
    age(state, sizeof(*state), rows * memory);
    for (int32_t row = 0; row < rows; row++, state += memory) {
        const int32_t filter = row % params->filters;
        const int8_t *x = input + row / params->filters * params->input_depth;
        const int8_t *w = weights_feature + filter * params->input_depth;
        state[memory - 1] = (int16_t)feature(params, x, w, INT16_MIN, INT16_MAX);
        const uint8_t *time = weights_time + 2 * filter * memory;
        uint32_t sum = 0;
        for (int32_t i = 0; i < memory; i++) {
            const uint32_t value = (uint32_t)state[i] - (uint32_t)params->state_zero_point;
            sum += (uint32_t)tflm_load16(time + 2 * i) * value;
        }
        scratch[row] = (int32_t)sum;
    }
    reduce_units(params, bias, scratch, output_scratch, output);
}
