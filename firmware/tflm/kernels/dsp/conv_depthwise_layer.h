// DEPTHWISE_CONV_2D for cores with the DSP extension: a layer, and the three ways to run one.
#ifndef TFLM_DSP_CONV_DEPTHWISE_LAYER_H
#define TFLM_DSP_CONV_DEPTHWISE_LAYER_H

#include "generated/layout.h"
#include "conv_depthwise_rows.h"
#include "constants.h"

enum { TFLM_DSP_SHARED_WORDS = 248 };  // on the stack, for a convolution's window and filters

typedef struct {
    const tflm_depthwise_conv_2d_t *params;
    tflm_range_t range;
    const int8_t *input, *filter;
    const tflm_dsp_channel_t *channels;
    int32_t form;
    int8_t *output;
} tflm_dsp_depthwise_t;

// 3x3 windows, columns side by side, a stride of one or two columns and padding of at most one;
// four neighbouring channels, at least, have neighbouring inputs or one. `fours`: what a prepared
// model has for each four channels, lanes and factors of tflm_dsp_fours_t, or NULL.
void tflm_dsp_depthwise_3x3(const tflm_dsp_depthwise_t *layer, const int32_t *fours);

// Any windows with an output a channel, of at least four channels.
void tflm_dsp_depthwise_any(const tflm_dsp_depthwise_t *layer);

// Whether a window of `taps` and the filters of one input channel fit the words above.
int32_t tflm_dsp_depthwise_fits(const tflm_depthwise_conv_2d_t *params, int32_t taps);

// Any windows whose filters fit. channels: to be given their last taps, or NULL where
// layer->channels have them.
void tflm_dsp_depthwise_shared(
    const tflm_dsp_depthwise_t *layer, tflm_dsp_channel_t *channels, int32_t taps);

#endif
