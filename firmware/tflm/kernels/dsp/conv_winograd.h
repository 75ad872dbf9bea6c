// Convolutions of 3x3 by Winograd's F(2, 3): four products in place of six for two outputs.
//
// For two neighbouring outputs a row of the window has four columns d0..d3, a row of the filter
// three taps g0..g2. Twice the two outputs are, summed over rows and channels,
//
//     m1 + m2 + m0     m0 = (d0 - d2) * 2 g0
//     m1 - m2 + m3     m1 = (d1 + d2) * (g0 + g1 + g2)
//                      m2 = (d2 - d1) * (g0 - g1 + g2)
//                      m3 = (d3 - d1) * 2 g2
//
// All terms are integers of 16 bits and sums count modulo 2^32, so it is exact. Prepared models
// hold the filter's terms, 12 in place of 9, as one stream. For each four channels it has their
// four starts; then what the form needs of each channel: multiplier, addend, right; where it is
// linear, multiplier and addend; then the terms of m1, m2, m3 and m0. For each row of the filter
// and each four input channels k..k+3 these are the four channels' terms at k and k+2, four words,
// then those at k+1 and k+3. Scratch holds the terms of the input in the same order, of two pairs
// of outputs side by side.
#ifndef TFLM_DSP_CONV_WINOGRAD_H
#define TFLM_DSP_CONV_WINOGRAD_H

#include "generated/layout.h"
#include "constants.h"

// Writes the layer's outputs row by row, four columns at a time; the inputs of four are read before
// any is written. prepared: TFLM_WINOGRAD beside another form, then the stream above; scratch: room
// for 24 terms and a byte of each input channel.
void tflm_dsp_winograd(const tflm_conv_2d_t *params, const int8_t *input,
    const tflm_dsp_constants_t *prepared, int8_t *output, int32_t *scratch);

#endif
