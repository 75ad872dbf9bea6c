// DEPTHWISE_CONV_2D for cores with vectors: a layer, its taps, and two ways to make a row of
// outputs.
#ifndef TFLM_MVE_CONV_DEPTHWISE_LAYER_H
#define TFLM_MVE_CONV_DEPTHWISE_LAYER_H

#include "generated/layout.h"
#include "requantize_lanes.h"

enum { TFLM_SIXTEEN = 16, TFLM_EIGHT = 8 };  // channels at a time

typedef struct {
    const tflm_depthwise_conv_2d_t *params;
    const int8_t *filter;
    tflm_lanes_t lanes;
    tflm_range_t range;
    int32_t is_in_order;  // the constants have the order of tflm_sixteen_constants_t
    int32_t is_near;  // no tap is an image or more from the next
    int32_t at_once;  // windows of tflm_mve_depthwise_columns
    int8_t zeros[TFLM_SIXTEEN];  // zero points of the input
} tflm_mve_depthwise_t;

// Writes row y of the outputs of an image, one output a channel.
void tflm_mve_depthwise_sixteen(
    const tflm_mve_depthwise_t *layer, const int8_t *input, int32_t y, int8_t *output);

// Writes the outputs of an image, for windows of at most three rows and four columns, none an image
// from the next.
void tflm_mve_depthwise_columns(
    const tflm_mve_depthwise_t *layer, const int8_t *input, int8_t *output);

int32_t tflm_mve_windows_at_once(const tflm_depthwise_conv_2d_t *params);

// Writes row y of the outputs of an image of one channel, at least four of it, no column left out.
void tflm_mve_depthwise_spread_columns(
    const tflm_mve_depthwise_t *layer, const int8_t *input, int32_t y, int8_t *output);

// Writes row y of the outputs of an image of one channel, at least eight outputs of it.
void tflm_mve_depthwise_spread(
    const tflm_mve_depthwise_t *layer, const int8_t *input, int32_t y, int8_t *output);

// Returns where the channels that begin at `channel`, `step` of them, begin in fact: the last ones
// early where `depth` is no multiple of `step`, so that some run twice.
static inline int32_t tflm_channels_from(int32_t channel, int32_t step, int32_t depth) {
    return channel + step <= depth || depth < step ? channel : depth - step;
}

// Returns where the tap at (y, x) lies, or `zeros` where that is outside the image.
static inline const int8_t *tflm_tap_at(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    uint32_t y, uint32_t x, const int8_t *zeros) {
    if (y < (uint32_t)params->input_height && x < (uint32_t)params->input_width) {
        return input + (y * (uint32_t)params->input_width + x) * (uint32_t)params->input_depth;
    }
    return zeros;
}

static inline uint32_t tflm_tap_row(
    const tflm_depthwise_conv_2d_t *params, int32_t top, int32_t i) {
    return (uint32_t)top + (uint32_t)i * (uint32_t)params->dilation_height;
}

static inline uint32_t tflm_tap_column(
    const tflm_depthwise_conv_2d_t *params, int32_t left, int32_t j) {
    return (uint32_t)left + (uint32_t)j * (uint32_t)params->dilation_width;
}

#endif
