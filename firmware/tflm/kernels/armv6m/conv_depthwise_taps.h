// All channels of a depthwise convolution at one or two positions, taps at most three wide.
//
// Inputs and taps of a channel lie the same `depth` bytes apart. Inside the image the input offset
// is part of the channel's start; where the image clips a window the sum begins with the bias and
// the offset is added to each input.
#ifndef TFLM_ARMV6M_CONV_DEPTHWISE_TAPS_H
#define TFLM_ARMV6M_CONV_DEPTHWISE_TAPS_H

#include "finish.h"

typedef struct {
    const int8_t *input;  // the first tap's, of the first channel
    const int8_t *filter;
    const tflm_m0_channel_t *channels;
    int8_t *output;
    int32_t second;  // bytes to the second position's output
    int32_t count;   // of channels, at least 1
    int32_t depth;
    int32_t input_row;   // bytes from a row of the window to the next
    int32_t filter_row;  // the same of the filter
    int32_t rounding;    // see tflm_m0_rounding()
    int32_t minimum;
    int32_t maximum;
    int32_t rows;     // at least 1
    int32_t columns;  // 1 to 3
    int32_t input_offset;
} tflm_m0_taps_t;

// 3 x 3 taps at two positions side by side, stride 1. On a Cortex-M3; see conv_depthwise_segment.h.
void tflm_m0_taps_pair_exact(const tflm_m0_taps_t *job);
void tflm_m0_taps_pair_linear(const tflm_m0_taps_t *job);
// rows x 3 taps at one position; `columns` is not read.
void tflm_m0_taps_inside_exact(const tflm_m0_taps_t *job);
void tflm_m0_taps_inside_linear(const tflm_m0_taps_t *job);
// rows x columns taps at one position.
void tflm_m0_taps_clipped_exact(const tflm_m0_taps_t *job);
void tflm_m0_taps_clipped_linear(const tflm_m0_taps_t *job);

#endif
