// All channels of a 3x3 depthwise convolution at two positions side by side, stride 1 or 2, where a
// column or a row of the windows lies outside the image, or none. Not on a Cortex-M0.
//
// What is outside counts as the zero point, -input_offset, so all sums begin with the channel's
// start.
#ifndef TFLM_ARMV6M_CONV_DEPTHWISE_EDGES_H
#define TFLM_ARMV6M_CONV_DEPTHWISE_EDGES_H

#include "conv_depthwise_taps.h"

// The column that lies outside. `columns` of a job: one of these, 3 more for stride 2.
enum { TFLM_M3_NO_EDGE, TFLM_M3_LEFT_EDGE, TFLM_M3_RIGHT_EDGE, TFLM_M3_EDGES };

// job: `input` at the first column and row inside, `filter` at the first column of that row; two or
// three `rows`. outside: where there are two, bytes from `filter` to the other row; else 0.
void tflm_m3_edges_exact(const tflm_m0_taps_t *job, int32_t outside);
void tflm_m3_edges_linear(const tflm_m0_taps_t *job, int32_t outside);

#endif
