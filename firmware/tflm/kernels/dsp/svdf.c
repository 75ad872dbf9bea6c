// SVDF with an int8 state for cores with the DSP extension.
#include "generated/layout.h"

// The portable kernel runs layers whose factors or offsets the fast code is not exact for.
#include "../common/cold_svdf.h"

#include "dense_rows.h"

enum { CHANNELS = 16 };  // filters at a time: a multiple of TFLM_ROWS

typedef struct {
    const tflm_svdf_t *params;
    tflm_dsp_channel_t features[CHANNELS];  // all the same
    tflm_dsp_channel_t outputs;
} layer_t;

// Returns false where the fast code is not exact.
static bool load(layer_t *layer, const tflm_svdf_t *params) {
    const tflm_factor_t feature = {params->feature_multiplier, params->feature_shift};
    const tflm_factor_t output = {params->time_multiplier, params->time_shift};
    const tflm_range_t range = {params->output_offset, INT8_MIN, INT8_MAX};
    const uint32_t largest = tflm_dsp_largest(params->input_depth, 0);
    layer->params = params;
    if (!tflm_dsp_offsets(params->input_offset, range)
        || params->state_zero_point != (int8_t)params->state_zero_point
        || !tflm_dsp_channel(&layer->features[0], feature, 0, largest, 0)
        || !tflm_dsp_channel(&layer->outputs, output, 0, TFLM_SUM_MAX - 1, range.offset)) {
        return false;
    }
    for (int32_t i = 1; i < CHANNELS; i++) {
        layer->features[i] = layer->features[0];
    }
    return true;
}

// The newest elements of `count` filters, at most CHANNELS, before the zero point is added.
static void filter_input(const layer_t *layer, const int8_t *input, const int8_t *weights,
    int32_t count, int8_t *newest) {
    const tflm_svdf_t *params = layer->params;
    const int32_t depth = params->input_depth;
    const int32_t fours = depth % 4 == 0 ? count & ~(TFLM_ROWS - 1) : 0;
    if (fours > 0) {
        tflm_dsp_dense_t dense;  // set one by one: an initializer would clear all of it first
        dense.values = input;
        dense.channel = layer->features;
        dense.rows = weights;
        dense.step = depth;
        dense.output = newest;
        dense.end = newest + fours;
        dense.offsets = tflm_both(params->input_offset);
        dense.is_wide = false;
        dense.count = depth;
        dense.form = TFLM_EXACT;
        tflm_dsp_dense(&dense);
    }
    for (int32_t i = fours; i < count; i++) {
        const uint32_t sum = tflm_dot(input, weights + i * depth, depth, params->input_offset);
        newest[i] = tflm_dsp_output(2 * sum, layer->features);
    }
}

// One word of a state and one of weights.
static inline uint32_t add_word(uint32_t sum, uint32_t word, const int8_t *weights, uint32_t by) {
    const uint32_t taps = tflm_load4(weights);
    sum = tflm_smlad(tflm_even(taps), tflm_add_even(by, word), sum);
    return tflm_smlad(tflm_odd(taps), tflm_add_odd(by, word), sum);
}

// As age_s8(), of `count` filters one after another, a word at a time.
static void age_words(const tflm_svdf_t *params, int8_t *state, const int8_t *weights,
    int32_t count, const int8_t *newest, int32_t *dots) {
    const int32_t memory = params->memory, zero_point = params->state_zero_point;
    const uint32_t by = tflm_both(-zero_point);
    const int32_t whole = (memory - 1) & ~3, rest = memory - whole;  // rest: one to four
    for (const int8_t *end = newest + count; newest != end; newest++) {
        const int32_t last = *newest + zero_point;
        uint32_t sum = 0;
        for (const int8_t *to = state + whole; state != to; state += 4, weights += 4) {
            const uint32_t word = tflm_load4(state + 1);
            memcpy(state, &word, sizeof(word));
            sum = add_word(sum, word, weights, by);
        }
        if (rest == 4) {
            const uint32_t word = tflm_load4(state) >> 8 | (uint32_t)last << 24;
            memcpy(state, &word, sizeof(word));
            sum = add_word(sum, word, weights, by);
        } else {
            sum += age_s8(state, weights, rest, zero_point, last);
        }
        state += rest;
        weights += rest;
        *dots++ = (int32_t)sum;
    }
}

// Writes the outputs of one batch.
static void write_outputs(
    const layer_t *layer, const int32_t *sums, int32_t units, int8_t *output) {
    const tflm_svdf_t *params = layer->params;
    const tflm_range_t range = {params->output_offset, INT8_MIN, INT8_MAX};
    const tflm_factor_t factor = {params->time_multiplier, params->time_shift};
    const tflm_dsp_channel_t channel = layer->outputs;
    for (int32_t i = 0; i < units; i++) {
        const uint32_t sum = (uint32_t)sums[i];
        output[i] = sum + TFLM_SUM_MAX - 1 < 2u * TFLM_SUM_MAX - 1
            ? tflm_dsp_output(2 * sum, &channel) : tflm_requantize(sum, factor, range);
    }
}

// Arguments as in ../common/plain_svdf.h.
void tflm_svdf_s8(const tflm_svdf_t *params, const int8_t *input, const int8_t *weights_feature,
    const int8_t *weights_time, const uint8_t *bias, int8_t *state, int8_t *output,
    int32_t *scratch, int32_t *output_scratch) {
    const int32_t filters = params->filters, units = filters / params->rank;
    const int32_t depth = params->input_depth, memory = params->memory;
    layer_t layer;
    if (!load(&layer, params)) {
        tflm_svdf_s8_plain(params, input, weights_feature, weights_time, bias, state, output,
            scratch, output_scratch);
        return;
    }
    for (int32_t b = 0; b < params->batches; b++, input += depth, output += units) {
        const int8_t *features = weights_feature, *times = weights_time;
        for (int32_t f = 0; f < filters; f += CHANNELS) {
            const int32_t count = filters - f < CHANNELS ? filters - f : CHANNELS;
            int8_t newest[CHANNELS];
            filter_input(&layer, input, features, count, newest);
            age_words(params, state, times, count, newest, scratch + f);
            features += count * depth;
            times += count * memory;
            state += count * memory;
        }
        add_units(bias, scratch, params->rank, output_scratch, units);
        write_outputs(&layer, output_scratch, units, output);
    }
}
