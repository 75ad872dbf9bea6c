// Positions in tensors that are walked in another tensor's order.
#ifndef TFLM_STRIDED_H
#define TFLM_STRIDED_H

#include <stdint.h>

// The dimensions of a broadcast operation: `rank` triples (extent, step of input1, step of
// input2), outermost first. Its output is written in order, row by row of the last dimension.
typedef struct {
    const int32_t *dims;
    int32_t rank;
} tflm_broadcast_t;

typedef struct {
    int32_t length, start1, step1, start2, step2;
} tflm_row_t;

int32_t tflm_rows(tflm_broadcast_t shape);

// Returns where row `index` of the output takes its elements from.
tflm_row_t tflm_row(tflm_broadcast_t shape, int32_t index);

#endif
