// CONV_2D for cores with the DSP extension: two positions by two channels.
#include "generated/layout.h"

// The portable kernel runs layers whose sums or factors the fast code is not exact for. Those are rare:
// `cold` builds it for size.
#define tflm_conv_2d_s8 tflm_conv_2d_s8_plain
__attribute__((cold)) void tflm_conv_2d_s8(const tflm_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, const int32_t *constants,
    int8_t *output, int32_t *scratch);
#include "../common/plain_conv.h"
#undef tflm_conv_2d_s8

#include "conv_positions.h"
#include "conv_winograd.h"

// Makes the constants of all channels. Returns false where the fast code is not exact for one.
static bool make_channels(const tflm_conv_2d_t *params, const int8_t *filter, const uint8_t *bias,
    const uint8_t *scales, int32_t taps, tflm_dsp_channel_t *channels) {
    const tflm_dsp_layer_t layer = {
        .input_scale = params->input_scale,
        .output_scale = params->output_scale,
        .scale_step = params->scale_step,
        .input_offset = params->input_offset,
        .range = {params->output_offset, params->activation_min, params->activation_max},
        .channels = params->output_depth,
        .taps = taps,
        .filter = filter,
        .tap_step = 1,
        .channel_step = taps,
    };
    if (!tflm_dsp_channels(channels, &layer, bias, scales)) {
        return false;
    }
    tflm_dsp_last_taps(channels, params->output_depth, filter, taps);
    return true;
}

// All positions. Windows of three and four of them are on the stack: the arena has room for two.
static __attribute__((noinline)) void run(tflm_dsp_convolution_t *conv) {
    const tflm_conv_2d_t *params = conv->params;
    union {
        uint32_t aligned;
        int16_t values[TFLM_ROOM];
    } windows;
    conv->room = windows.values;
    tflm_dsp_convolve(conv, 0, params->batches * params->output_height * params->output_width);
}

// Arguments as in ../common/plain_conv.h.
void tflm_conv_2d_s8(const tflm_conv_2d_t *params, const int8_t *input, const int8_t *filter,
    const uint8_t *bias, const uint8_t *scales, const int32_t *constants, int8_t *output,
    int32_t *scratch) {
    const int32_t taps = params->filter_height * params->filter_width * params->filter_depth;
    const tflm_dsp_constants_t *prepared = (const void *)constants;
    tflm_dsp_channel_t *channels = (void *)(scratch + tflm_window_words(taps));
    if (prepared == NULL && !make_channels(params, filter, bias, scales, taps, channels)) {
        tflm_conv_2d_s8_plain(params, input, filter, bias, scales, constants, output, scratch);
        return;
    }
    if (prepared != NULL && prepared->form & TFLM_WINOGRAD) {
        tflm_dsp_winograd(params, input, prepared, output, scratch);
        return;
    }
    const int32_t streams = TFLM_FOURS | TFLM_WIDE;
    tflm_dsp_convolution_t conv = {
        .params = params,
        .input = input,
        .filter = filter,
        .channels = prepared == NULL ? channels : prepared->channels,
        .stream = prepared != NULL && prepared->form & streams ? constants + 1 : NULL,
        .form = prepared == NULL ? TFLM_EXACT : prepared->form & ~streams,
        .has_fours = prepared != NULL && prepared->form & TFLM_FOURS,
        .output = output,
        .window = (void *)scratch,
        .end_group = params->input_depth / params->filter_depth,
        // Prepared for a chip with a flash cache, a large filter has no constants (waiting.py).
        .has_slabs = prepared == NULL && params->input_depth == params->filter_depth,
    };
    run(&conv);
}
