// Depthwise 3x3 windows of four neighbouring channels, one channel after the other along a row.
#ifndef TFLM_DSP_CONV_DEPTHWISE_ROWS_H
#define TFLM_DSP_CONV_DEPTHWISE_ROWS_H

#include "constants.h"

enum {
    TFLM_LANES = 4,
    TFLM_DSP_PAIRS = 13,                  // of columns that are widened at once
    TFLM_PAIR = 3,                        // words of a channel's two columns
    TFLM_PLANE = TFLM_DSP_PAIRS * TFLM_PAIR,
    TFLM_BEFORE = 2,                      // words that sums need before the first plane
    TFLM_PLANES = TFLM_BEFORE + TFLM_LANES * TFLM_PLANE,
    TFLM_LINEAR_FACTORS = 2 * TFLM_LANES,
};

// The taps of one channel, in 16 bits: of each column (first row, second row); of the last row the
// columns (0, 1) and (1, 2). All 0 where the row is outside the image.
typedef struct {
    uint32_t pairs[3];
    uint32_t last[2];
    int32_t start;
} tflm_lane_t;

// Where a row of outputs is in the columns that were widened.
typedef enum {
    TFLM_BY_ONE,      // stride 1
    TFLM_BY_TWO,      // stride 2, windows begin at even columns
    TFLM_BY_TWO_ODD,  // stride 2, the first one begins a column before them
} tflm_dsp_way_t;

// A row of outputs of `groups` times four channels. Words; conv_depthwise_rows.c knows their
// order, and changes them.
typedef struct {
    uint32_t *planes;        // TFLM_PLANE words a channel: of two columns a and b the pairs (first
                             // row, second row) of a and of b, then (a, b) of the last row
    const int8_t *input;     // the first column, in the first row
    int32_t second, third;   // bytes from there to the other rows
    int32_t step;            // to the next column
    const uint32_t *whole;   // the first plane behind pairs of columns that are in the image
    uint32_t offsets;        // twice what is added to inputs
    int32_t odd;             // 1: one column more, whose partner is zeros
    int32_t pairs;           // of columns in a plane
    const tflm_lane_t *lanes;
    const uint32_t *sums;    // where that of the first output will be
    int8_t *output;
    int32_t depth;           // bytes from one output to the next
    const uint32_t *sums_end;
    const int32_t *factors;  // four tflm_dsp_channel_t; where linear, multipliers, then addends
    int32_t way, form;
    int32_t groups;
    int32_t lanes_step, factors_step;  // bytes from those of four channels to the next
    const int8_t *filter;    // of which lanes are to be made in `room`, or NULL
    tflm_lane_t *room;
    const tflm_lane_t *source;  // where rows are outside, lanes that are copied to `room`, or NULL
    int32_t source_step;     // bytes from behind four to the next
    uint32_t pairs_inside, last_inside;  // masks of their words
} tflm_dsp_fours_t;

// Widens the columns, if any, and writes the outputs.
void tflm_dsp_fours(tflm_dsp_fours_t *fours);

// Widens the columns of one channel of the input, for each of four.
void tflm_dsp_spread(const tflm_dsp_fours_t *fours);

#endif
