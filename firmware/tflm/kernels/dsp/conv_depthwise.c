// DEPTHWISE_CONV_2D for cores with the DSP extension.
//
// Which way a layer takes: 3x3 windows of four neighbouring channels, conv_depthwise_3x3.c; others
// with an output a channel, conv_depthwise_any.c; where channels share an input and filters fit a
// buffer on the stack, conv_depthwise_shared.c.
#include "generated/layout.h"

// The portable kernel runs layers whose sums or factors the fast code is not exact for. Those are rare:
// `cold` builds it for size.
#define tflm_depthwise_conv_2d_s8 tflm_depthwise_conv_2d_s8_plain
__attribute__((cold)) void tflm_depthwise_conv_2d_s8(const tflm_depthwise_conv_2d_t *params,
    const int8_t *input, const int8_t *filter, const uint8_t *bias, const uint8_t *scales,
    const int32_t *constants, int8_t *output, int32_t *scratch);
#include "../common/plain_conv_depthwise.h"
#undef tflm_depthwise_conv_2d_s8

#include "conv_depthwise_layer.h"

// Whether conv_depthwise_3x3.c takes the layer: four neighbouring channels have neighbouring inputs,
// or one.
static int32_t is_3x3(const tflm_depthwise_conv_2d_t *params, int32_t is_single) {
    const int32_t last = (params->output_width - 1) * params->stride_width - params->pad_left;
    return params->filter_height == 3 && params->filter_width == 3 && params->dilation_width == 1
        && params->stride_width <= 2 && params->pad_left <= 1 && last + 2 <= params->input_width
        && (is_single || params->depth_multiplier % TFLM_LANES == 0);
}

// Makes the constants of all channels. Returns false where the fast code is not exact for one.
static bool make_channels(const tflm_depthwise_conv_2d_t *params, const int8_t *filter,
    const uint8_t *bias, const uint8_t *scales, int32_t taps, tflm_dsp_channel_t *channels) {
    const tflm_dsp_layer_t layer = {
        .input_scale = params->input_scale,
        .output_scale = params->output_scale,
        .scale_step = params->scale_step,
        .input_offset = params->input_offset,
        .range = {params->output_offset, params->activation_min, params->activation_max},
        .channels = params->output_depth,
        .taps = taps,
        .filter = filter,
        .tap_step = params->output_depth,
        .channel_step = 1,
    };
    return tflm_dsp_channels(channels, &layer, bias, scales);
}

// Arguments as in ../common/plain_conv_depthwise.h.
void tflm_depthwise_conv_2d_s8(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, const int32_t *constants,
    int8_t *output, int32_t *scratch) {
    const int32_t taps = params->filter_height * params->filter_width;
    const tflm_dsp_constants_t *prepared = (const void *)constants;
    tflm_dsp_channel_t *channels = (void *)scratch;
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const int32_t is_single = params->depth_multiplier == 1 && params->output_depth >= TFLM_LANES;
    const int32_t by_fours = is_3x3(params, is_single);
    if (prepared == NULL
        && ((!is_single && !by_fours && !tflm_dsp_depthwise_fits(params, taps))
            || !make_channels(params, filter, bias, scales, taps, channels))) {
        tflm_depthwise_conv_2d_s8_plain(
            params, input, filter, bias, scales, constants, output, scratch);
        return;
    }
    const tflm_dsp_depthwise_t layer = {params, range, input, filter,
        prepared == NULL ? channels : prepared->channels,
        prepared == NULL ? TFLM_EXACT : prepared->form, output};
    if (by_fours) {
        tflm_dsp_depthwise_3x3(&layer, prepared == NULL ? NULL : (const void *)prepared->channels);
    } else if (is_single) {
        tflm_dsp_depthwise_any(&layer);
    } else {
        tflm_dsp_depthwise_shared(&layer, prepared == NULL ? channels : NULL, taps);
    }
}
