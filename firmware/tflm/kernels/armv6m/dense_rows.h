// Four rows of a fully connected filter at a time: each input that is loaded serves four products.
#ifndef TFLM_ARMV6M_DENSE_ROWS_H
#define TFLM_ARMV6M_DENSE_ROWS_H

#include "finish.h"

enum { TFLM_M0_ROWS = 4 };

typedef struct {
    const int8_t *input;
    const int8_t *rows;
    int32_t depth;       // of input and rows, at least 1
    int32_t input_offset;
    uint32_t *sums, *end;  // one a row: at least four, and a multiple of four
    int32_t step;        // bytes from a row to the next
} tflm_m0_rows_t;

// Adds the products of row i and (input + input_offset) to sums[i], modulo 2^32.
void tflm_m0_rows(const tflm_m0_rows_t *job);
// The same where input_offset is 0.
void tflm_m0_rows_alone(const tflm_m0_rows_t *job);

// What turns sums into outputs.
typedef struct {
    int32_t step;   // bytes from one sum's channel to the next sum's: 0 where all share one
    int32_t count;  // of sums, at least 1
    int32_t minimum;
    int32_t maximum;
    int32_t rounding;  // see tflm_m0_rounding()
} tflm_m0_finish_t;

void tflm_m0_finish_plains(const uint32_t *sums, const tflm_m0_channel_t *channel, int8_t *output,
    const tflm_m0_finish_t *finish);
void tflm_m0_finish_exacts(const uint32_t *sums, const tflm_m0_channel_t *channel, int8_t *output,
    const tflm_m0_finish_t *finish);
void tflm_m0_finish_linears(const uint32_t *sums, const tflm_m0_channel_t *channel,
    int8_t *output, const tflm_m0_finish_t *finish);

#endif
