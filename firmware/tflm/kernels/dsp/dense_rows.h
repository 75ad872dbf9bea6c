// Dots of one vector with the rows of a matrix, four at a time, and the outputs that they give.
#ifndef TFLM_DSP_DENSE_ROWS_H
#define TFLM_DSP_DENSE_ROWS_H

#include "constants.h"

enum { TFLM_ROWS = 4 };

// Words; dense_rows.c knows their order.
typedef struct {
    const void *values;                 // int8; or each four as two words: twice what is meant, as
                                        // (0, 2) and (1, 3) of 16 bits
    const tflm_dsp_channel_t *channel;  // of the first row; moves on
    const int8_t *rows;
    int32_t step;                       // bytes from one row to the next
    int8_t *output, *end;               // a multiple of four outputs; moves on
    uint32_t offsets;                   // added to int8 values
    int32_t is_wide;                    // the values are words
    int32_t count;                      // of values: a multiple of four, not 0
    int32_t form;                       // of the channels
    uintptr_t enter, loop, finish;      // written by the function
} tflm_dsp_dense_t;

// Writes at least four outputs.
void tflm_dsp_dense(tflm_dsp_dense_t *dense);

#endif
