// Two windows of a convolution at a time, over channels in blocks of four.
#ifndef TFLM_MVE_CONV_PAIRS_H
#define TFLM_MVE_CONV_PAIRS_H

#include "vectors.h"

enum { TFLM_PAIR_TAPS = 16 };

// Words; conv_pairs.c knows their order.
typedef struct {
    const int32_t *words;      // blocks: starts, multipliers, shifts of four channels; shifts <= 0
    int32_t taps;              // a multiple of TFLM_PAIR_TAPS, not 0
    int8_t *output[2];         // of the first channel
    const int8_t *output_end;  // behind the first window's; a multiple of four channels, not 0
    uintptr_t enter, leave, finish;  // 0 before the first call, which writes them
    const int8_t *window[2];
    const int8_t *filter;      // of the first channel
    tflm_range_t range;
    int32_t is_simple;         // tflm_range_is_simple
} tflm_mve_pairs_t;

// Writes the outputs of all channels of both windows.
void tflm_mve_pairs(tflm_mve_pairs_t *pairs);

#endif
