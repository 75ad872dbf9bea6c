// Depthwise windows three columns wide at 3 to 6 positions of a row side by side, on a Cortex-M0.
//
// Of one channel after the other: the sums of all positions lie in registers, and each row of the
// window is walked once. An input meets the taps of all windows that it is in, so it is loaded
// once a row, and its weights too.
#ifndef TFLM_ARMV6M_CONV_DEPTHWISE_SEGMENT_H
#define TFLM_ARMV6M_CONV_DEPTHWISE_SEGMENT_H

#include "finish.h"

// What the loop over rows is made for: stride, positions, and the columns that may be outside the
// image, where the input is the zero point: of a segment's columns only the first and the last.
typedef enum {
    TFLM_M0_STRIDE1_3_OUTSIDE,  // both are outside
    TFLM_M0_STRIDE1_5_OUTSIDE,
    TFLM_M0_STRIDE1_6_OUTSIDE,
    TFLM_M0_STRIDE1_6_INSIDE,  // neither is
    TFLM_M0_STRIDE1_4,         // as `left` and `right` say
    TFLM_M0_STRIDE1_6,
    TFLM_M0_STRIDE2_3,
    TFLM_M0_STRIDE2_6,
} tflm_m0_segment_kind_t;

// In the order of the assembly's stack.
typedef struct {
    const int8_t *input;  // `depth` before the first column that is inside, of the first channel
    const tflm_m0_channel_t *channels;
    int32_t depth;         // bytes from a column to the next, of inputs, taps and outputs
    const int8_t *filter;  // `depth` before the first tap of the first row that is inside
    int8_t *output;
    int32_t filter_span;  // bytes of the filter's rows that are inside
    int32_t input_step;   // bytes from the last column but one, in a row, to `input` of the next row
    int32_t zero_point;
    int32_t left;   // whether the first column is inside
    int32_t right;  // and the last
    int32_t outside;  // bytes from `filter` to the only row of the filter that is outside, or 0
    const tflm_m0_channel_t *end;
    int32_t rounding;  // see tflm_m0_rounding()
    int32_t minimum;
    int32_t maximum;
    int32_t positions;
    tflm_m0_segment_kind_t kind;
} tflm_m0_segment_t;

// Write all channels (at least one) at the segment's positions.
void tflm_m0_segment_exact(const tflm_m0_segment_t *segment);
void tflm_m0_segment_linear(const tflm_m0_segment_t *segment);

#endif
