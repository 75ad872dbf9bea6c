// Sums of two channels at four positions, from the stream of conv_wide.h.
#ifndef TFLM_DSP_WIDE_FOUR_H
#define TFLM_DSP_WIDE_FOUR_H

#include "conv_wide.h"

enum {
    TFLM_WIDE_LEFT = 4,
    TFLM_WIDE_APART = 128,     // values from the windows of two positions to those of the next two
    TFLM_WIDE_FOURS_MAX = 16,  // fours of a window for which that is enough room
};

// Words; wide_four.c knows their order.
typedef struct {
    const int16_t *begin;   // of the first two positions' windows, which end at a multiple of
                            // TFLM_WIDE_APART values; the first call moves it
    int32_t left;           // TFLM_WIDE_LEFT for each channel: a multiple of four, not 0
    const int32_t *stream;  // of the first channel
    int8_t *output;         // of the first position
    int32_t depth;          // bytes to the next one's
    int32_t skip;           // this and the next two: 0 before the first call, which writes them
    uintptr_t enter, finish;
    int32_t fours;          // of a window
    int32_t form;
} tflm_dsp_wide_four_t;

// Writes the outputs of all channels at four positions.
void tflm_dsp_wide_four(tflm_dsp_wide_four_t *wide);

#endif
