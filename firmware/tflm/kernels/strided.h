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

static inline int32_t tflm_rows(tflm_broadcast_t shape) {
    int32_t rows = 1;
    for (int32_t i = 0; i < shape.rank - 1; i++) {
        rows *= shape.dims[3 * i];
    }
    return rows;
}

// Returns where row `index` of the output takes its elements from.
static inline tflm_row_t tflm_row(tflm_broadcast_t shape, int32_t index) {
    tflm_row_t row = {1, 0, 0, 0, 0};
    if (shape.rank > 0) {
        const int32_t *inner = shape.dims + 3 * (shape.rank - 1);
        row = (tflm_row_t){inner[0], 0, inner[1], 0, inner[2]};
    }
    for (int32_t i = shape.rank - 2; i >= 0; i--) {
        const int32_t *dim = shape.dims + 3 * i;
        const int32_t position = index % dim[0];
        index /= dim[0];
        row.start1 += position * dim[1];
        row.start2 += position * dim[2];
    }
    return row;
}

#endif
