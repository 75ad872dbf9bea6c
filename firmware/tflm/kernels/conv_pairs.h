// CONV_2D in blocks of two channels and two positions, for cores with registers enough: each value
// of input and filter that is loaded serves two products. The plain twin is portable/conv.c.
//
// Whoever includes this file defines the three sums that it declares. Inside the image the input
// offset is folded into the bias: the sum of w * (x + offset) is that of w * x, plus offset times
// the sum of w. At its border, where taps are left out, it is added to the inputs instead.
// Walk: all positions of two channels, then the next two; the input is read until the end.
#ifndef TFLM_CONV_PAIRS_H
#define TFLM_CONV_PAIRS_H

#include "conv_window.h"
#include "finish.h"

// What stays the same while the positions of one output channel go by.
typedef struct {
    const int8_t *filter;
    int32_t depth;  // of the input, where the channel's group begins
    uint32_t bias;
    uint32_t start;  // bias, and the input offset times the sum of the filter
    tflm_channel_t finish;
} channel_t;

typedef struct {
    const tflm_conv_2d_t *params;
    tflm_range_t range;
    int32_t run;       // values of input and filter that lie side by side, in one filter row
    int32_t row;       // values from one filter row's input to the next
    int32_t second;    // 1, or 0 where one channel is left and paired with itself
    int32_t is_plain;  // runs are as long as filter rows: no groups, no gaps between taps
    int32_t is_exact;  // tflm_finish is good for both channels
    channel_t channel[2];
} pair_t;

typedef struct {
    uint32_t s00, s01, s10, s11;  // channel, position
} sums_t;

// Returns the sums over the windows of two channels at two positions, inside the image.
static sums_t two_by_two(const pair_t *pair, const int8_t *x0, const int8_t *x1);

// Adds the products of two channels over `count` values from `skip` on in either filter.
static inline void add_run(
    sums_t *sums, const pair_t *pair, const int8_t *x, int32_t skip, int32_t count);

// Returns the sum of count int8 values, modulo 2^32.
static inline uint32_t sum_of(const int8_t *values, int32_t count);

// Returns the sums of two channels at one position whose window the image may clip.
static sums_t clipped(const pair_t *pair, const int8_t *input, int32_t top, int32_t left) {
    const tflm_conv_2d_t *params = pair->params;
    sums_t sums = {pair->channel[0].bias, 0, pair->channel[1].bias, 0};
    if (!pair->is_plain) {
        for (int32_t i = 0; i < 2; i++) {
            const channel_t *channel = &pair->channel[i];
            *(i == 0 ? &sums.s00 : &sums.s10) += tflm_conv_window(params, input + channel->depth,
                channel->filter, (uint32_t)top, (uint32_t)left);
        }
        return sums;
    }
    const int32_t depth = params->input_depth;
    const int32_t first = left < 0 ? -left : 0;
    const int32_t room = params->input_width - left;
    const int32_t end = params->filter_width < room ? params->filter_width : room;
    for (int32_t i = 0, y = top; i < params->filter_height; i++, y += params->dilation_height) {
        if (y >= 0 && y < params->input_height) {
            const int8_t *x = input + (y * params->input_width + left + first) * depth;
            add_run(&sums, pair, x, i * pair->run + first * depth, (end - first) * depth);
        }
    }
    return sums;
}

// One output row of two channels.
static void run_row(const pair_t *pair, const int8_t *input, int32_t top, int8_t *output) {
    const tflm_conv_2d_t *params = pair->params;
    const int32_t last_top =
        params->input_height - (params->filter_height - 1) * params->dilation_height - 1;
    const int32_t last_left = params->input_width - params->filter_width;
    const int32_t stride = params->stride_width, depth = params->input_depth;
    const int32_t is_inside = pair->is_plain && pair->is_exact && top >= 0 && top <= last_top;
    const int8_t *row = input + top * params->input_width * depth;
    int32_t left = -params->pad_left;
    for (int32_t x = 0; x < params->output_width;) {
        int32_t step = 1;
        if (is_inside && left >= 0 && left <= last_left) {
            const int8_t *at = row + left * depth;
            step += x + 1 < params->output_width && left + stride <= last_left;
            int8_t *next = output + (step - 1) * params->output_depth;
            const sums_t sums = two_by_two(pair, at, at + (step - 1) * stride * depth);
            next[0] = tflm_finish(sums.s01, &pair->channel[0].finish, pair->range);
            next[pair->second] = tflm_finish(sums.s11, &pair->channel[1].finish, pair->range);
            output[0] = tflm_finish(sums.s00, &pair->channel[0].finish, pair->range);
            output[pair->second] = tflm_finish(sums.s10, &pair->channel[1].finish, pair->range);
        } else {
            const sums_t sums = clipped(pair, input, top, left);
            output[0] = tflm_requantize(sums.s00, pair->channel[0].finish.factor, pair->range);
            output[pair->second] =
                tflm_requantize(sums.s10, pair->channel[1].finish.factor, pair->range);
        }
        x += step;
        left += step * stride;
        output += step * params->output_depth;
    }
}

static channel_t channel_of(const tflm_conv_2d_t *params, const int8_t *filter,
    const uint8_t *bias, const uint8_t *scales, int32_t c) {
    const int32_t taps = params->filter_height * params->filter_width * params->filter_depth;
    const int32_t groups = params->input_depth / params->filter_depth;
    const int32_t start = tflm_bias(bias, c);
    const tflm_factor_t factor = tflm_channel_factor(params->input_scale,
        tflm_load32(scales + c * params->scale_step), params->output_scale);
    filter += c * taps;
    return (channel_t) {
        .filter = filter,
        .depth = c / (params->output_depth / groups) * params->filter_depth,
        .bias = (uint32_t)start,
        .start = (uint32_t)start + sum_of(filter, taps) * (uint32_t)params->input_offset,
        .finish = tflm_channel(factor, tflm_largest_sum(taps, start)),
    };
}

// A 1x1 convolution that leaves out nothing: its image is one long row.
static tflm_conv_2d_t flat(const tflm_conv_2d_t *params) {
    tflm_conv_2d_t row = *params;
    if (params->filter_height * params->filter_width * params->stride_height
        * params->stride_width == 1) {
        row.input_width = row.output_width =
            params->batches * params->input_height * params->input_width;
        row.batches = row.input_height = row.output_height = 1;
    }
    return row;
}

// Arguments as in ../portable/conv.c.
void tflm_conv_2d_s8(const tflm_conv_2d_t *original, const int8_t *input, const int8_t *filter,
    const uint8_t *bias, const uint8_t *scales, const int32_t *constants, int8_t *output,
    int32_t *scratch) {
    (void)constants;
    (void)scratch;
    const tflm_conv_2d_t params = flat(original);
    pair_t pair = {
        .params = &params,
        .range = {params.output_offset, params.activation_min, params.activation_max},
        .run = params.filter_width * params.filter_depth,
        .row = params.input_width * params.input_depth * params.dilation_height,
        .is_plain = params.filter_depth == params.input_depth
            && (params.dilation_width == 1 || params.filter_width == 1),
    };
    for (int32_t c = 0; c < params.output_depth; c += 2) {
        pair.second = c + 1 < params.output_depth;
        pair.channel[0] = channel_of(&params, filter, bias, scales, c);
        pair.channel[1] = channel_of(&params, filter, bias, scales, c + pair.second);
        pair.is_exact = pair.channel[0].finish.exact && pair.channel[1].finish.exact;
        const int8_t *source = input;
        int8_t *target = output + c;
        for (int32_t b = 0; b < params.batches; b++) {
            int32_t top = -params.pad_top;
            for (int32_t y = 0; y < params.output_height; y++, top += params.stride_height) {
                run_row(&pair, source, top, target);
                target += params.output_width * params.output_depth;
            }
            source += params.input_height * params.input_width * params.input_depth;
        }
    }
}

#endif
