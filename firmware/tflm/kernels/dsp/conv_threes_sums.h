// Sums of two channels at three positions side by side, with filters of 8 bits.
#ifndef TFLM_DSP_CONV_THREES_SUMS_H
#define TFLM_DSP_CONV_THREES_SUMS_H

#include "conv_widen.h"
#include "constants.h"

enum { TFLM_THREE = 12 };  // values for each four taps of three windows

// Words; conv_threes_sums.c knows their order. Windows have, for each four taps k..k+3, of each of the
// three positions the pair (k, k+2), then of each the pair (k+1, k+3).
typedef struct {
    const int16_t *window;
    int8_t *output;                     // of the first channel at the first position
    int32_t depth;                      // bytes to the next position's
    const int8_t *output_end;           // behind the first position's last
    int32_t advance;                    // this and the next two: 0 before the first call
    const tflm_dsp_channel_t *channel;  // the first; their number is even and not 0
    uintptr_t enter, finish;
    const int16_t *window_end;
    const int8_t *filter;               // of the first channel
    int32_t step;                       // bytes from one channel's filter to the next's, and taps
    int32_t form;                       // of the channels
} tflm_dsp_threes_t;

// Widens three windows that lie `advance` bytes from each other.
void tflm_dsp_widen_three(
    int16_t *to, const int8_t *first, int32_t advance, const tflm_runs_t *runs);

// Writes the outputs of all channels at three positions.
void tflm_dsp_threes(tflm_dsp_threes_t *threes);

#endif
