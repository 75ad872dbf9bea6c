// As a grouped convolution: the filters of channels that share an input are turned on the stack.
#include "conv_depthwise_layer.h"
#include "conv_positions.h"

static tflm_conv_2d_t convolution_of(const tflm_depthwise_conv_2d_t *params) {
    return (tflm_conv_2d_t) {
        .batches = params->batches,
        .input_height = params->input_height,
        .input_width = params->input_width,
        .input_depth = params->input_depth,
        .filter_height = params->filter_height,
        .filter_width = params->filter_width,
        .filter_depth = 1,
        .output_height = params->output_height,
        .output_width = params->output_width,
        .output_depth = params->output_depth,
        .stride_height = params->stride_height,
        .stride_width = params->stride_width,
        .dilation_height = params->dilation_height,
        .dilation_width = params->dilation_width,
        .pad_top = params->pad_top,
        .pad_left = params->pad_left,
        .input_offset = params->input_offset,
        .output_offset = params->output_offset,
        .activation_min = params->activation_min,
        .activation_max = params->activation_max,
    };
}

int32_t tflm_dsp_depthwise_fits(const tflm_depthwise_conv_2d_t *params, int32_t taps) {
    return taps < TFLM_DSP_SHARED_WORDS / 2
        && (taps + 3) / 4 * 4 + (taps * params->depth_multiplier + 3) / 4 <= TFLM_DSP_SHARED_WORDS;
}

// Lays the filters of channels first..end-1 out as a convolution's, taps side by side.
static void turn_filters(
    int8_t *to, const tflm_dsp_depthwise_t *layer, int32_t taps, int32_t first, int32_t end) {
    for (int32_t c = first; c < end; c++) {
        const int8_t *from = layer->filter + c;
        for (int32_t k = 0; k < taps; k++, from += layer->params->output_depth) {
            *to++ = *from;
        }
    }
}

// As a convolution with a group for each input channel: as many groups at a time as the buffer
// holds filters of; a row at a time where these are not all.
void tflm_dsp_depthwise_shared(
    const tflm_dsp_depthwise_t *layer, tflm_dsp_channel_t *channels, int32_t taps) {
    const tflm_conv_2d_t params = convolution_of(layer->params);
    const int32_t per_group = layer->params->depth_multiplier, groups = params.input_depth;
    const int32_t window = (taps + 3) / 4 * 4;
    const int32_t room = (TFLM_DSP_SHARED_WORDS - window) * 4 / (taps * per_group);
    const int32_t batch = room < groups ? room : groups;
    const int32_t rows = params.batches * params.output_height;
    int32_t buffer[TFLM_DSP_SHARED_WORDS];
    int8_t *filters = (int8_t *)(buffer + window);
    tflm_dsp_convolution_t conv = {
        .params = &params,
        .input = layer->input,
        .channels = layer->channels,
        .form = layer->form,
        .output = layer->output,
        .window = (int16_t *)buffer,
    };
    for (int32_t row = 0; row < rows; row = batch == groups ? rows : row + 1) {
        for (int32_t group = 0; group < groups; group = conv.end_group) {
            conv.first_group = group;
            conv.end_group = group + batch < groups ? group + batch : groups;
            const int32_t first = group * per_group, end = conv.end_group * per_group;
            turn_filters(filters, layer, taps, first, end);
            conv.filter = filters;
            if (row == 0 && channels != NULL) {
                tflm_dsp_last_taps(channels + first, end - first, filters, taps);
            }
            tflm_dsp_convolve(&conv, row * params.output_width,
                (batch == groups ? rows : row + 1) * params.output_width);
        }
    }
}
