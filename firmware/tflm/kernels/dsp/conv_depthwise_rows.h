// Depthwise 3x3 windows of four neighbouring channels, over rows that were widened before.
#ifndef TFLM_DSP_CONV_DEPTHWISE_ROWS_H
#define TFLM_DSP_CONV_DEPTHWISE_ROWS_H

#include "constants.h"

enum { TFLM_LANES = 4, TFLM_COLUMN = 6 };

// A column of three rows and four channels, in 16 bits: (channels 0, 2) of the last row, its (1,
// 3); then pairs (first row, second row) of channels 2, 3, 0, 1.
typedef struct {
    uint32_t words[TFLM_COLUMN];
} tflm_column_t;

// The constants of four channels, side by side: as long as four tflm_dsp_channel_t.
typedef struct {
    int32_t start[TFLM_LANES];
    // Multipliers, addends, rights; where the form is linear, of two channels: multipliers, low
    // words, high words; then of the others.
    int32_t factors[3 * TFLM_LANES];
} tflm_lane_constants_t;

// Four channels at one row of outputs, in the order in which they are read.
typedef struct {
    int32_t start[TFLM_LANES];
    tflm_column_t taps[3];  // twice the filter; 0 where a row is outside the image
    int32_t factors[3 * TFLM_LANES];
} tflm_lanes_t;

// Writes count > 0 columns, `step` bytes apart in each of three rows, from `skip` bytes on;
// offsets are added.
void tflm_dsp_widen3(tflm_column_t *to, const int8_t *const rows[3], int32_t count, int32_t step,
    uint32_t offsets, int32_t skip);

// Fills lanes with the constants and the taps, doubled, of rows of a filter.
void tflm_dsp_lanes3(tflm_lanes_t *lanes, const int8_t *const rows[3],
    const tflm_lane_constants_t *constants, int32_t step, int32_t skip);

// A row of outputs: from columns x, x + 1, x + 2, then from x + stride on. Words;
// conv_depthwise_rows.c knows their order.
typedef struct {
    const tflm_column_t *columns;
    const tflm_lanes_t *lanes;
    int32_t advance;  // bytes from the columns' end to the next output's: (stride - 3) columns
    int8_t *output, *end;
    int32_t depth;    // bytes from one output to the next
    int32_t form;
    uintptr_t finish;  // 0 before the first call, which writes it
} tflm_dsp_row3_t;

// Writes at least one output of all four channels.
void tflm_dsp_row3(tflm_dsp_row3_t *row);

#endif
