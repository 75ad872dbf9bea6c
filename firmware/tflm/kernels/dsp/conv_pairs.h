// Sums of two channels at two positions, over the im2col windows of conv_widen.h.
#ifndef TFLM_DSP_CONV_PAIRS_H
#define TFLM_DSP_CONV_PAIRS_H

#include "constants.h"

// Words; conv_pairs.c knows their order.
typedef struct {
    const int16_t *window;              // both positions
    int8_t *output[2];                  // of the first channel
    const int8_t *output_end;           // behind the first position's last
    int32_t advance;                    // as `lead`
    const tflm_dsp_channel_t *channel;  // the first; their number is even and not 0
    uintptr_t enter, loop;              // as `lead`
    int32_t form;                       // of the channels
    const int16_t *window_end;          // behind the last whole four
    const int8_t *filter;               // of the first channel
    int32_t lead;                       // 0 before the first call, as is `loop`; that one writes
    int32_t step;                       // bytes from one channel's filter to the next's
    int32_t rest;                       // taps that fill no word: 0..3
} tflm_dsp_pairs_t;

// Writes the outputs of all channels at both positions.
void tflm_dsp_pairs(tflm_dsp_pairs_t *pairs);

#endif
