// SVDF. Source: tensorflow/lite/micro/kernels/svdf_common.cc.
//
// The kernels of portable/svdf.c. A file of an ISA that replaces it includes this one, too, and
// gives its functions other names.
#ifndef TFLM_PLAIN_SVDF_H
#define TFLM_PLAIN_SVDF_H

#include "generated/layout.h"
#include "dot.h"
#include "requantize.h"

// The newest element of one filter's memory: the filtered input, clamped to the state's type
// before the zero point is added.
static __attribute__((noinline)) int32_t feature(const tflm_svdf_t *params, const int8_t *input,
    const int8_t *weights, int32_t minimum, int32_t maximum) {
    const uint32_t sum = tflm_dot(input, weights, params->input_depth, params->input_offset);
    const int32_t x = tflm_scale((int32_t)sum, params->feature_multiplier, params->feature_shift);
    return tflm_wrapping_add(tflm_clamp(x, minimum, maximum), params->state_zero_point);
}

// Moves the state of one filter a step towards its oldest element and adds the newest; returns the
// sum of its products with the filter's weights.
static uint32_t age_s8(
    int8_t *state, const int8_t *weights, int32_t memory, int32_t zero_point, int32_t newest) {
    const uint32_t offset = 0u - (uint32_t)zero_point;
    const int8_t *last = state + memory - 1;
    uint32_t sum = 0;
    for (; state != last; state++) {
        const int8_t value = state[1];
        *state = value;
        sum += tflm_product(*weights++, value, offset);
    }
    *state = (int8_t)newest;
    return sum + tflm_product(*weights, *state, offset);
}

// The same of int16. weights: at any alignment
static uint32_t age_s16(int16_t *state, const uint8_t *weights, int32_t memory,
    int32_t zero_point, int32_t newest) {
    const int16_t *last = state + memory - 1;
    uint32_t sum = 0;
    for (; state != last; state++, weights += 2) {
        const int16_t value = state[1];
        *state = value;
        sum += (uint32_t)tflm_load16(weights) * ((uint32_t)value - (uint32_t)zero_point);
    }
    *state = (int16_t)newest;
    return sum + (uint32_t)tflm_load16(weights) * ((uint32_t)*state - (uint32_t)zero_point);
}

// Sums `rank` filters to a unit and adds the unit's bias. Sums wrap as TFLM's do.
static void add_units(const uint8_t *bias, const int32_t *scratch, int32_t rank,
    int32_t *output_scratch, int32_t units) {
    for (int32_t i = 0; i < units; i++) {
        uint32_t sum = (uint32_t)tflm_bias(bias, i);
        for (int32_t j = 0; j < rank; j++) {
            sum += (uint32_t)*scratch++;
        }
        output_scratch[i] = (int32_t)sum;
    }
}

// Writes the outputs of one batch.
static __attribute__((noinline)) void finish_units(const tflm_svdf_t *params, const uint8_t *bias,
    const int32_t *scratch, int32_t *output_scratch, int8_t *output) {
    const tflm_range_t range = {params->output_offset, INT8_MIN, INT8_MAX};
    const tflm_factor_t factor = {params->time_multiplier, params->time_shift};
    const int32_t units = params->filters / params->rank;
    add_units(bias, scratch, params->rank, output_scratch, units);
    for (int32_t i = 0; i < units; i++) {
        output[i] = tflm_requantize((uint32_t)output_scratch[i], factor, range);
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
// What prepare sees to: rank divides filters; input_offset is -127..128, and state_zero_point lies
// in the state's type. Sums wrap.
void tflm_svdf_s8(const tflm_svdf_t *params, const int8_t *input, const int8_t *weights_feature,
    const int8_t *weights_time, const uint8_t *bias, int8_t *state, int8_t *output,
    int32_t *scratch, int32_t *output_scratch) {
    const int32_t depth = params->input_depth, memory = params->memory;
    for (int32_t b = 0; b < params->batches; b++, input += depth) {
        const int8_t *features = weights_feature, *times = weights_time;
        for (int32_t i = 0; i < params->filters; i++) {
            const int32_t newest = feature(params, input, features, INT8_MIN, INT8_MAX);
            scratch[i] = (int32_t)age_s8(state, times, memory, params->state_zero_point, newest);
            features += depth;
            times += memory;
            state += memory;
        }
        finish_units(params, bias, scratch, output_scratch, output);
        output += params->filters / params->rank;
    }
}

// As above, with an int16 state. weights_time: int16 at any alignment
void tflm_svdf_s16(const tflm_svdf_t *params, const int8_t *input, const int8_t *weights_feature,
    const uint8_t *weights_time, const uint8_t *bias, int16_t *state, int8_t *output,
    int32_t *scratch, int32_t *output_scratch) {
    const int32_t depth = params->input_depth, memory = params->memory;
    for (int32_t b = 0; b < params->batches; b++, input += depth) {
        const int8_t *features = weights_feature;
        const uint8_t *times = weights_time;
        for (int32_t i = 0; i < params->filters; i++) {
            const int32_t newest = feature(params, input, features, INT16_MIN, INT16_MAX);
            scratch[i] = (int32_t)age_s16(state, times, memory, params->state_zero_point, newest);
            features += depth;
            times += 2 * memory;
            state += memory;
        }
        finish_units(params, bias, scratch, output_scratch, output);
        output += params->filters / params->rank;
    }
}

#endif
