// The input's terms of conv_winograd.h, for two pairs of neighbouring outputs.
//
// Each four input channels k..k+3 of a row of the window are 64 bytes: for each kind of terms, m1,
// m2, m3 and m0, the pairs (first outputs: k, k+2), (second outputs: k, k+2), and of both k+1, k+3.
#ifndef TFLM_DSP_CONV_WINOGRAD_TERMS_H
#define TFLM_DSP_CONV_WINOGRAD_TERMS_H

#include "conv_widen.h"

enum {
    TFLM_KINDS = 4,
    TFLM_TILES = 2,       // pairs of outputs
    TFLM_KIND_WORDS = 4,  // from a kind of terms to the next
    TFLM_FOUR_WORDS = TFLM_KINDS * TFLM_KIND_WORDS,
};

// Writes the terms of a window of three rows and six columns, which may lie outside the image.
// zeros: the input's zero point, once for each input channel.
void tflm_dsp_terms(uint32_t *to, const tflm_conv_2d_t *params, const tflm_window_t *window,
    const int8_t *zeros);

#endif
