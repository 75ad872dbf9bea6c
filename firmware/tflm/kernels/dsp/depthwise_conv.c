// DEPTHWISE_CONV_2D for cores with the DSP extension; the plain twin is
// ../portable/depthwise_conv.c.
//
// Four neighbouring channels at a time: one word of the filter holds a tap of all four, and so
// does one word of the input where each has an input channel of its own; where all four share one
// (a depth multiplier of 4, 8, ...) its value stands in every lane. Inside the image the input
// offset is folded into the bias; where the image clips the window it is added to the inputs.
// Walk: all positions of four channels, then the next four; the input is read until the end.
#include "../depthwise_window.h"
#include "../finish.h"
#include "simd.h"

enum { LANES = 4 };

// Where `inputs` is a constant, the compiler must see it in every function down to the taps.
#define SPECIALISED static inline __attribute__((always_inline))

// How four channels find their inputs.
typedef enum { APART, NEIGHBOURS, SHARED } inputs_t;

typedef struct {
    const tflm_depthwise_conv_2d_t *params;
    tflm_range_t range;
    inputs_t inputs;
    int32_t count;         // of channels: 4, or less where there are not so many
    int32_t channel;       // the first of them
    const int8_t *filter;  // its first tap
    uint32_t bias[LANES];
    uint32_t start[LANES];  // bias, and the input offset times the sum of the filter
    tflm_channel_t finish[LANES];
} lanes_t;

// The part of a window that lies inside the image, in taps.
typedef struct {
    int32_t top, bottom, left, right;  // rows top..bottom-1, columns left..right-1
} taps_t;

static void load_lane(lanes_t *lanes, int32_t lane, const uint8_t *bias, const uint8_t *scales) {
    const tflm_depthwise_conv_2d_t *params = lanes->params;
    const int32_t c = lanes->channel + lane;
    const int32_t taps = params->filter_height * params->filter_width;
    const int32_t start = tflm_bias(bias, c);
    uint32_t sum = 0;
    for (int32_t i = 0; i < taps; i++) {
        sum += (uint32_t)lanes->filter[i * params->output_depth + lane];
    }
    const tflm_factor_t factor = tflm_channel_factor(params->input_scale,
        tflm_load32(scales + c * params->scale_step), params->output_scale);
    lanes->bias[lane] = (uint32_t)start;
    lanes->start[lane] = (uint32_t)start + sum * (uint32_t)params->input_offset;
    lanes->finish[lane] = tflm_channel(factor, tflm_largest_sum(taps, start));
}

static inputs_t inputs_of(const tflm_depthwise_conv_2d_t *params, int32_t channel) {
    if (params->output_depth >= LANES && params->depth_multiplier == 1) {
        return NEIGHBOURS;
    }
    return params->depth_multiplier % LANES == 0 && channel % LANES == 0 ? SHARED : APART;
}

typedef struct {
    uint32_t s0, s1, s2, s3;
} sums_t;

// Adds one tap of all four channels; offsets is added to the inputs where `moves` is set.
SPECIALISED sums_t add_tap(
    sums_t sums, const int8_t *x, const int8_t *w, inputs_t inputs, int moves, uint32_t offsets) {
    const uint32_t word = tflm_load4(w);
    const uint32_t values = inputs == SHARED ? tflm_both(*x) : tflm_load4(x);
    uint32_t even = inputs == SHARED ? values : tflm_even(values);
    uint32_t odd = inputs == SHARED ? values : tflm_odd(values);
    if (moves) {
        even = tflm_add16(even, offsets);
        odd = inputs == SHARED ? even : tflm_add16(odd, offsets);
    }
    sums.s0 = tflm_smlabb(tflm_even(word), even, sums.s0);
    sums.s2 = tflm_smlatt(tflm_even(word), even, sums.s2);
    sums.s1 = tflm_smlabb(tflm_odd(word), odd, sums.s1);
    sums.s3 = tflm_smlatt(tflm_odd(word), odd, sums.s3);
    return sums;
}

SPECIALISED void finish_four(const lanes_t *lanes, sums_t sums, int8_t *output) {
    output[0] = tflm_finish(sums.s0, &lanes->finish[0], lanes->range);
    output[1] = tflm_finish(sums.s1, &lanes->finish[1], lanes->range);
    output[2] = tflm_finish(sums.s2, &lanes->finish[2], lanes->range);
    output[3] = tflm_finish(sums.s3, &lanes->finish[3], lanes->range);
}

// One output of all four channels. input: where the window's first tap is, or would be; moves: the
// window is clipped, so the offset is added to each input.
SPECIALISED void four(const lanes_t *lanes, const int8_t *input, taps_t taps, inputs_t inputs,
    int moves, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = lanes->params;
    const int32_t row = params->dilation_height * params->input_width * params->input_depth;
    const int32_t step = params->dilation_width * params->input_depth;
    const int32_t depth = params->output_depth;
    const uint32_t offsets = tflm_both(params->input_offset);
    const uint32_t *from = moves ? lanes->bias : lanes->start;
    sums_t sums = {from[0], from[1], from[2], from[3]};
    for (int32_t i = taps.top; i < taps.bottom; i++) {
        const int8_t *x = input + i * row + taps.left * step;
        const int8_t *w = lanes->filter + (i * params->filter_width + taps.left) * depth;
        for (int32_t j = taps.left; j < taps.right; j++, x += step, w += depth) {
            sums = add_tap(sums, x, w, inputs, moves, offsets);
        }
    }
    finish_four(lanes, sums, output);
}

// One output of all four channels of a 3x3 window inside the image.
SPECIALISED void four_3x3(
    const lanes_t *lanes, const int8_t *input, inputs_t inputs, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = lanes->params;
    const int32_t step = params->dilation_width * params->input_depth;
    const int32_t row = params->dilation_height * params->input_width * params->input_depth;
    const int32_t depth = params->output_depth;
    const int8_t *w = lanes->filter;
    const int8_t *end = w + 9 * depth;
    sums_t sums = {lanes->start[0], lanes->start[1], lanes->start[2], lanes->start[3]};
    for (; w != end; w += 3 * depth, input += row) {
        sums = add_tap(sums, input, w, inputs, 0, 0);
        sums = add_tap(sums, input + step, w + depth, inputs, 0, 0);
        sums = add_tap(sums, input + 2 * step, w + 2 * depth, inputs, 0, 0);
    }
    finish_four(lanes, sums, output);
}

// Channels that do not share words of input, or that tflm_finish is not good for.
static void apart(
    const lanes_t *lanes, const int8_t *input, int32_t top, int32_t left, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = lanes->params;
    for (int32_t i = 0; i < lanes->count; i++) {
        const int8_t *x = input + (lanes->channel + i) / params->depth_multiplier;
        const uint32_t sum = tflm_depthwise_window(
            params, x, lanes->filter + i, (uint32_t)top, (uint32_t)left);
        output[i] = tflm_requantize(lanes->bias[i] + sum, lanes->finish[i].factor, lanes->range);
    }
}

// One output row of a group.
SPECIALISED void run_row(const lanes_t *lanes, const int8_t *input, int32_t top,
    inputs_t inputs, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = lanes->params;
    const int32_t end_x = params->input_width - (params->filter_width - 1) * params->dilation_width;
    taps_t taps = {
        .top = tflm_first_tap(top, params->dilation_height),
        .bottom = tflm_end_tap(top, params->dilation_height, params->filter_height, params->input_height),
    };
    const int32_t is_whole = taps.top == 0 && taps.bottom == params->filter_height;
    const int32_t is_3x3 = params->filter_height == 3 && params->filter_width == 3;
    const int8_t *row = input + top * params->input_width * params->input_depth
        + lanes->channel / params->depth_multiplier;
    int32_t left = -params->pad_left;
    for (int32_t x = 0; x < params->output_width; x++, left += params->stride_width) {
        const int8_t *at = row + left * params->input_depth;
        taps.left = 0;
        taps.right = params->filter_width;
        if (!is_whole || left < 0 || left >= end_x) {
            taps.left = tflm_first_tap(left, params->dilation_width);
            taps.right = tflm_end_tap(
                left, params->dilation_width, params->filter_width, params->input_width);
            four(lanes, at, taps, inputs, 1, output);
        } else if (is_3x3) {
            four_3x3(lanes, at, inputs, output);
        } else {
            four(lanes, at, taps, inputs, 0, output);
        }
        output += params->output_depth;
    }
}

static void run_rows(const lanes_t *lanes, const int8_t *input, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = lanes->params;
    int32_t top = -params->pad_top;
    for (int32_t y = 0; y < params->output_height; y++, top += params->stride_height) {
        if (lanes->inputs == NEIGHBOURS) {
            run_row(lanes, input, top, NEIGHBOURS, output);
        } else if (lanes->inputs == SHARED) {
            run_row(lanes, input, top, SHARED, output);
        } else {
            for (int32_t x = 0; x < params->output_width; x++) {
                apart(lanes, input, top, x * params->stride_width - params->pad_left,
                    output + x * params->output_depth);
            }
        }
        output += params->output_width * params->output_depth;
    }
}

// Arguments as in ../portable/depthwise_conv.c.
void tflm_depthwise_conv_2d_s8(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, const int32_t *constants,
    int8_t *output, int32_t *scratch) {
    (void)constants;
    (void)scratch;
    const int32_t depth = params->output_depth;
    const int32_t in_image = params->input_height * params->input_width * params->input_depth;
    const int32_t out_image = params->output_height * params->output_width * depth;
    for (int32_t c = 0; c < depth; c += LANES) {
        // The last group starts early where channels are no multiple of four: some run twice.
        const int32_t first = c + LANES <= depth ? c : depth < LANES ? 0 : depth - LANES;
        lanes_t lanes = {
            .params = params,
            .range = {params->output_offset, params->activation_min, params->activation_max},
            .inputs = inputs_of(params, first),
            .count = depth < LANES ? depth : LANES,
            .channel = first,
            .filter = filter + first,
        };
        for (int32_t i = 0; i < lanes.count; i++) {
            load_lane(&lanes, i, bias, scales);
            lanes.inputs = lanes.finish[i].exact ? lanes.inputs : APART;
        }
        for (int32_t b = 0; b < params->batches; b++) {
            run_rows(&lanes, input + b * in_image, output + first + b * out_image);
        }
    }
}
