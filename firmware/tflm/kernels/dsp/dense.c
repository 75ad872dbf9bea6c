// FULLY_CONNECTED for cores with the DSP extension: four outputs at a time.
#include "generated/layout.h"

// The portable kernels run layers whose factors or offsets the fast code is not exact for. Those are rare:
// `cold` builds them for size.
#define tflm_fully_connected_s8 tflm_fully_connected_s8_plain
#define tflm_fully_connected_per_channel_s8 tflm_fully_connected_per_channel_s8_plain
__attribute__((cold)) void tflm_fully_connected_s8(const tflm_fully_connected_t *params,
    const int8_t *input, const int8_t *filter, const uint8_t *bias, const int32_t *constants,
    int8_t *output);
__attribute__((cold)) void tflm_fully_connected_per_channel_s8(
    const tflm_fully_connected_per_channel_t *params,
    const int8_t *input, const int8_t *filter, const uint8_t *bias, const uint8_t *scales,
    const int32_t *constants, int8_t *output);
#include "../common/plain_dense.h"
#undef tflm_fully_connected_s8
#undef tflm_fully_connected_per_channel_s8

#include "dense_rows.h"

#define SPECIALISED static inline __attribute__((always_inline))

enum {
    WIDE_VALUES = 640,   // the longest vector that is widened once for all outputs
    CHANNELS = 16,       // whose constants are made at a time: a multiple of TFLM_ROWS
    PRODUCTS_MAX = 1 << 29,  // a bound of all but the bias of a sum, and of the biases taken
};

typedef struct {
    int32_t depth, outputs;
    int32_t input_offset;
    tflm_range_t range;
    const int8_t *filter;
    const uint8_t *bias;
    const uint8_t *scales;  // NULL where all channels have one factor
    const tflm_scales_t *both;  // of input and output, where there are scales
    tflm_factor_t factor;       // else
    const tflm_dsp_constants_t *prepared;  // or NULL
} layer_t;

static const uint8_t no_bias[4];

// Tells whether the products of a sum stay below PRODUCTS_MAX, and offsets and range are those of
// int8.
static bool is_small(const layer_t *layer, int32_t filter_offset) {
    const int32_t weight = filter_offset == 0 ? TFLM_WEIGHT_MAX : 255;
    return layer->depth < PRODUCTS_MAX / (TFLM_INPUT_MAX * weight) && filter_offset >= -127
        && filter_offset <= 128 && tflm_dsp_offsets(layer->input_offset, layer->range);
}

static bool is_small_start(int32_t start) {
    return start <= PRODUCTS_MAX && start >= -PRODUCTS_MAX;
}

// Makes a channel of an unprepared model with one factor, except its start. Returns false where the fast
// code is not exact.
static bool common_channel(tflm_dsp_channel_t *channel, const layer_t *layer) {
    return tflm_dsp_channel(
        channel, layer->factor, 0, 2 * PRODUCTS_MAX - 1, layer->range.offset);
}

// Makes channels c..c+count-1 of such a model.
static bool load_common(
    tflm_dsp_channel_t *channels, const layer_t *layer, int32_t c, int32_t count) {
    const int32_t step = layer->bias == NULL ? 0 : 4;
    const uint8_t *bias = step == 0 ? no_bias : layer->bias + 4 * c;
    tflm_dsp_channel_t channel;
    if (!common_channel(&channel, layer)) {
        return false;
    }
    for (; count > 0; count--, bias += step) {
        const int32_t start = tflm_load32(bias);
        if (!is_small_start(start)) {
            return false;
        }
        channel.start = 2 * start;
        *channels++ = channel;
    }
    return true;
}

// The same of any model.
static bool load(tflm_dsp_channel_t *channels, const layer_t *layer, int32_t c, int32_t count) {
    if (layer->prepared != NULL) {
        memcpy(channels, layer->prepared->channels + c, (size_t)count * sizeof(*channels));
        return true;
    }
    if (layer->scales == NULL) {
        return load_common(channels, layer, c, count);
    }
    for (int32_t i = 0; i < count; i++) {
        const int32_t start = tflm_bias(layer->bias, c + i);
        const tflm_factor_t factor =
            tflm_factor(layer->both, tflm_load32(layer->scales + 4 * (c + i)));
        if (!tflm_dsp_channel(&channels[i], factor, start, tflm_dsp_largest(layer->depth, start),
                layer->range.offset)) {
            return false;
        }
    }
    return true;
}

// Returns the sum of w * (x + offset).
static inline uint32_t short_dot(
    const int8_t *x, const int8_t *w, int32_t count, int32_t offset) {
    uint32_t sum = 0;
    for (; count > 0; count--) {
        sum += tflm_product(*w++, *x++, (uint32_t)offset);
    }
    return sum;
}

// The same, two products an instruction.
static uint32_t long_dot(const int8_t *x, const int8_t *w, int32_t count, int32_t offset) {
    const uint32_t offsets = tflm_both(offset);
    uint32_t sum = 0;
    for (; count >= 4; count -= 4, x += 4, w += 4) {
        const uint32_t word = tflm_load4(x), taps = tflm_load4(w);
        sum = tflm_smlad(tflm_even(taps), tflm_add_even(offsets, word), sum);
        sum = tflm_smlad(tflm_odd(taps), tflm_add_odd(offsets, word), sum);
    }
    return sum + short_dot(x, w, count, offset);
}

// The same, without a call for the shortest.
static inline uint32_t dot(const int8_t *x, const int8_t *w, int32_t count, int32_t offset) {
    return count < 4 ? short_dot(x, w, count, offset) : long_dot(x, w, count, offset);
}

static tflm_factor_t factor_of(const layer_t *layer, int32_t c) {
    return layer->scales == NULL
        ? layer->factor : tflm_factor(layer->both, tflm_load32(layer->scales + 4 * c));
}

// Widens and doubles a vector that is not too long. Returns whether it did.
static bool widen(uint32_t *to, const layer_t *layer, const int8_t *input) {
    if (layer->depth > WIDE_VALUES || layer->outputs <= TFLM_ROWS) {
        return false;
    }
    const uint32_t offsets = tflm_both(2 * layer->input_offset);
    for (int32_t i = layer->depth >> 2; i > 0; i--, input += 4) {
        const uint32_t word = tflm_load4(input);
        *to++ = tflm_add_even(tflm_add_even(offsets, word), word);
        *to++ = tflm_add_odd(tflm_add_odd(offsets, word), word);
    }
    return true;
}

// Adds to starts what the fours leave out: the last products, and the term.
static void add_rest(tflm_dsp_channel_t *channels, const layer_t *layer, int32_t c, int32_t count,
    const int8_t *input, uint32_t term) {
    const int32_t rest = layer->depth & 3, whole = layer->depth - rest;
    for (int32_t i = 0; i < count; i++) {
        const int8_t *row = layer->filter + (c + i) * layer->depth;
        const uint32_t sum =
            term + short_dot(input + whole, row + whole, rest, layer->input_offset);
        channels[i].start = (int32_t)((uint32_t)channels[i].start + 2 * sum);
    }
}

// Writes four by four outputs of one batch, as far as the fast code goes; returns how many.
static int32_t run_fours(
    const layer_t *layer, const int8_t *input, uint32_t term, int8_t *output) {
    uint32_t wide[WIDE_VALUES / 2];
    tflm_dsp_channel_t channels[CHANNELS];
    const int32_t fours = layer->outputs & ~(TFLM_ROWS - 1);
    const bool has_rest = (layer->depth & 3) != 0 || term != 0;
    const bool is_ready = layer->prepared != NULL && !has_rest;
    tflm_dsp_dense_t dense;  // set one by one: an initializer would clear all of it first
    dense.values = input;
    dense.rows = layer->filter;
    dense.step = layer->depth;
    dense.offsets = tflm_both(layer->input_offset);
    dense.is_wide = widen(wide, layer, input);
    dense.count = layer->depth & ~3;
    dense.form = layer->prepared == NULL ? TFLM_EXACT : layer->prepared->form;
    if (dense.is_wide) {
        dense.values = wide;
    }
    int32_t c = 0;
    for (int32_t count; c < fours; c += count) {
        count = is_ready || fours - c < CHANNELS ? fours - c : CHANNELS;
        if (is_ready) {
            dense.channel = layer->prepared->channels;
        } else {
            dense.channel = channels;
            if (!load(channels, layer, c, count)) {
                break;
            }
            if (has_rest) {
                add_rest(channels, layer, c, count, input, term);
            }
        }
        dense.rows = layer->filter + c * layer->depth;
        dense.output = output + c;
        dense.end = dense.output + count;
        tflm_dsp_dense(&dense);
    }
    return c;
}

// Writes outputs c.. up to the last, one by one, of a prepared model. Inlined, as the next one is,
// so that a depth of 1 leaves no loop.
SPECIALISED void prepared_singles(const layer_t *layer, const int8_t *input, uint32_t term,
    int8_t *output, int32_t c, int32_t depth, int32_t form) {
    const int32_t offset = layer->input_offset;
    const tflm_dsp_channel_t *channel = layer->prepared->channels + c;
    const int8_t *row = layer->filter + c * depth;
    for (int8_t *end = output + layer->outputs, *at = output + c; at != end; row += depth) {
        const uint32_t sum = term + dot(input, row, depth, offset);
        *at++ = tflm_dsp_finish((uint32_t)channel->start + 2 * sum, channel, form);
        channel++;
    }
}

// The same for an unprepared model whose channels have one factor, up to one that is not exact; returns
// how many are done. What the loop needs is local, because outputs may lie anywhere.
SPECIALISED int32_t common_singles(const layer_t *layer, const int8_t *input, uint32_t term,
    int8_t *output, int32_t c, int32_t depth) {
    const int32_t outputs = layer->outputs, offset = layer->input_offset;
    const int32_t step = layer->bias == NULL ? 0 : 4;
    const uint8_t *bias = step == 0 ? no_bias : layer->bias + 4 * c;
    const int8_t *row = layer->filter + c * depth;
    tflm_dsp_channel_t made;
    if (!common_channel(&made, layer)) {
        return c;
    }
    for (; c < outputs; c++, row += depth, bias += step) {
        const int32_t start = tflm_load32(bias);
        if (!is_small_start(start)) {
            break;
        }
        const uint32_t sum = (uint32_t)start + term + dot(input, row, depth, offset);
        output[c] = tflm_dsp_output(2 * sum, &made);
    }
    return c;
}

// The same of any model.
static void run_singles(
    const layer_t *layer, const int8_t *input, uint32_t term, int8_t *output, int32_t c) {
    const int32_t depth = layer->depth;
    const int8_t value = depth == 1 ? *input : 0;  // that stays in a register
    if (layer->prepared != NULL) {
        const int32_t form = layer->prepared->form;
        if (depth == 1 && form != TFLM_EXACT) {
            prepared_singles(layer, &value, term, output, c, 1, form);
        } else {
            prepared_singles(layer, input, term, output, c, depth, form);
        }
        return;
    }
    if (layer->scales == NULL) {
        c = depth == 1 ? common_singles(layer, &value, term, output, c, 1)
                       : common_singles(layer, input, term, output, c, depth);
    }
    for (; c < layer->outputs; c++) {
        const uint32_t sum =
            term + dot(input, layer->filter + c * depth, depth, layer->input_offset);
        const uint32_t start = (uint32_t)tflm_bias(layer->bias, c);
        output[c] = tflm_requantize(start + sum, factor_of(layer, c), layer->range);
    }
}

static void run_batch(const layer_t *layer, const int8_t *input, uint32_t term, int8_t *output) {
    int32_t done = 0;
    if (layer->depth >= 4 && layer->outputs >= TFLM_ROWS) {
        done = run_fours(layer, input, term, output);
    }
    if (done < layer->outputs) {
        run_singles(layer, input, term, output, done);
    }
    tflm_dsp_clamp(output, layer->outputs, layer->range);
}

// Arguments as in ../common/plain_dense.h.
void tflm_fully_connected_s8(const tflm_fully_connected_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const int32_t *constants, int8_t *output) {
    const layer_t layer = {
        .depth = params->input_depth,
        .outputs = params->output_depth,
        .input_offset = params->input_offset,
        .range = {params->output_offset, params->activation_min, params->activation_max},
        .filter = filter,
        .bias = bias,
        .scales = NULL,
        .both = NULL,
        .factor = {params->multiplier, params->shift},
        .prepared = (const void *)constants,
    };
    if (!is_small(&layer, params->filter_offset)) {
        tflm_fully_connected_s8_plain(params, input, filter, bias, NULL, output);
        return;
    }
    for (int32_t b = 0; b < params->batches; b++) {
        run_batch(&layer, input, tflm_filter_offset_term(params, input), output);
        input += layer.depth;
        output += layer.outputs;
    }
}

// Arguments as in ../common/plain_dense.h.
void tflm_fully_connected_per_channel_s8(const tflm_fully_connected_per_channel_t *params,
    const int8_t *input, const int8_t *filter, const uint8_t *bias, const uint8_t *scales,
    const int32_t *constants, int8_t *output) {
    const tflm_scales_t both = tflm_scales(params->input_scale, params->output_scale);
    const layer_t layer = {
        .depth = params->input_depth,
        .outputs = params->output_depth,
        .input_offset = params->input_offset,
        .range = {params->output_offset, params->activation_min, params->activation_max},
        .filter = filter,
        .bias = bias,
        .scales = scales,
        .both = &both,
        .factor = {0, 0},
        .prepared = (const void *)constants,
    };
    if (!is_small(&layer, 0)) {
        tflm_fully_connected_per_channel_s8_plain(
            params, input, filter, bias, scales, NULL, output);
        return;
    }
    for (int32_t b = 0; b < params->batches; b++) {
        run_batch(&layer, input, 0, output);
        input += layer.depth;
        output += layer.outputs;
    }
}
