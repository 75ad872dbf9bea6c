// DEPTHWISE_CONV_2D for Cortex-M0 and M0+; the plain twin is ../portable/depthwise_conv.c.
//
// One channel at a time, its taps widened to words beside each other first. Inside the image the
// input offset is folded into the bias: the sum of w * (x + offset) is that of w * x, plus offset
// times the sum of w. Where the image clips the window it is added to the inputs.
// Walk: all positions of one channel, then the next; the input is read until the end.
#include "../depthwise_window.h"
#include "../finish.h"

enum { TAPS_MAX = 128 };  // 512 bytes of stack

typedef struct {
    const tflm_depthwise_conv_2d_t *params;
    tflm_range_t range;
    int32_t index;         // of the output channel
    const int8_t *filter;  // its first tap
    uint32_t bias;
    uint32_t start;  // bias, and the input offset times the sum of the filter
    tflm_channel_t finish;
    int32_t is_short;  // the taps fit below, and tflm_finish is good for the channel
    int32_t taps[TAPS_MAX];
} channel_t;

static void load_channel(channel_t *channel, const uint8_t *bias, const uint8_t *scales) {
    const tflm_depthwise_conv_2d_t *params = channel->params;
    const int32_t count = params->filter_height * params->filter_width;
    const int32_t start = tflm_bias(bias, channel->index);
    const tflm_factor_t factor = tflm_channel_factor(params->input_scale,
        tflm_load32(scales + channel->index * params->scale_step), params->output_scale);
    channel->finish = tflm_channel(factor, tflm_largest_sum(count, start));
    channel->is_short = count <= TAPS_MAX && channel->finish.exact;
    channel->bias = (uint32_t)start;
    uint32_t sum = 0;
    for (int32_t i = 0; i < count && i < TAPS_MAX; i++) {
        channel->taps[i] = channel->filter[i * params->output_depth];
        sum += (uint32_t)channel->taps[i];
    }
    channel->start = (uint32_t)start + sum * (uint32_t)params->input_offset;
}

static uint32_t window_of_3x3(const channel_t *channel, const int8_t *x, int32_t step, int32_t row) {
    const int32_t *w = channel->taps;
    uint32_t sum = channel->start;
    for (int32_t i = 0; i < 3; i++, x += row, w += 3) {
        sum += (uint32_t)w[0] * (uint32_t)x[0];
        sum += (uint32_t)w[1] * (uint32_t)x[step];
        sum += (uint32_t)w[2] * (uint32_t)x[2 * step];
    }
    return sum;
}

// The part of a window that lies inside the image, in taps.
typedef struct {
    int32_t top, bottom, left, right;  // rows top..bottom-1, columns left..right-1
} taps_t;

// x: where the window's first tap is, or would be.
static uint32_t window_clipped(
    const channel_t *channel, const int8_t *x, taps_t taps, int32_t step, int32_t row) {
    const uint32_t offset = (uint32_t)channel->params->input_offset;
    uint32_t sum = channel->bias;
    for (int32_t i = taps.top; i < taps.bottom; i++) {
        const int8_t *at = x + i * row + taps.left * step;
        const int32_t *w = channel->taps + i * channel->params->filter_width + taps.left;
        for (int32_t j = taps.left; j < taps.right; j++, at += step) {
            sum += (uint32_t)*w++ * ((uint32_t)*at + offset);
        }
    }
    return sum;
}

// One output row of a channel. input points at the channel's first value.
static void run_row(const channel_t *channel, const int8_t *input, int32_t top, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = channel->params;
    const int32_t step = params->dilation_width * params->input_depth;
    const int32_t row = params->dilation_height * params->input_width * params->input_depth;
    const int32_t end_x = params->input_width - (params->filter_width - 1) * params->dilation_width;
    taps_t taps = {
        .top = tflm_first_tap(top, params->dilation_height),
        .bottom = tflm_end_tap(
            top, params->dilation_height, params->filter_height, params->input_height),
    };
    const int32_t is_3x3 = params->filter_height == 3 && params->filter_width == 3
        && taps.top == 0 && taps.bottom == 3;
    const int8_t *line = input + top * params->input_width * params->input_depth;
    int32_t left = -params->pad_left;
    for (int32_t x = 0; x < params->output_width; x++, left += params->stride_width) {
        const int8_t *at = line + left * params->input_depth;
        uint32_t sum;
        if (is_3x3 && left >= 0 && left < end_x) {
            sum = window_of_3x3(channel, at, step, row);
        } else {
            taps.left = tflm_first_tap(left, params->dilation_width);
            taps.right = tflm_end_tap(
                left, params->dilation_width, params->filter_width, params->input_width);
            sum = window_clipped(channel, at, taps, step, row);
        }
        *output = tflm_finish(sum, &channel->finish, channel->range);
        output += params->output_depth;
    }
}

// Windows of more taps, or of a channel that tflm_finish is not good for.
static void run_plain_row(
    const channel_t *channel, const int8_t *input, int32_t top, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = channel->params;
    int32_t left = -params->pad_left;
    for (int32_t x = 0; x < params->output_width; x++, left += params->stride_width) {
        const uint32_t sum = tflm_depthwise_window(
            params, input, channel->filter, (uint32_t)top, (uint32_t)left);
        *output = tflm_requantize(channel->bias + sum, channel->finish.factor, channel->range);
        output += params->output_depth;
    }
}

// Arguments as in ../portable/depthwise_conv.c.
void tflm_depthwise_conv_2d_s8(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, const int32_t *constants,
    int8_t *output, int32_t *scratch) {
    (void)constants;
    (void)scratch;
    const int32_t in_image = params->input_height * params->input_width * params->input_depth;
    channel_t channel;
    channel.params = params;
    channel.range =
        (tflm_range_t) {params->output_offset, params->activation_min, params->activation_max};
    for (int32_t c = 0; c < params->output_depth; c++) {
        channel.index = c;
        channel.filter = filter + c;
        load_channel(&channel, bias, scales);
        const int8_t *source = input + c / params->depth_multiplier;
        int8_t *target = output + c;
        for (int32_t b = 0; b < params->batches; b++, source += in_image) {
            int32_t top = -params->pad_top;
            for (int32_t y = 0; y < params->output_height; y++, top += params->stride_height) {
                (channel.is_short ? run_row : run_plain_row)(&channel, source, top, target);
                target += params->output_width * params->output_depth;
            }
        }
    }
}
