// A convolution with filters of consecutive taps, over any output positions of some groups.
#ifndef TFLM_DSP_CONV_POSITIONS_H
#define TFLM_DSP_CONV_POSITIONS_H

#include "convolution.h"

// Writes the groups' outputs at positions first..end-1, counted over batches, rows and columns:
// two to four at a time, so the inputs of all of these are read before any output is written.
void tflm_dsp_convolve(const tflm_dsp_convolution_t *conv, int32_t first, int32_t end);

#endif
