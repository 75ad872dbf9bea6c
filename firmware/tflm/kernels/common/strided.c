#include "strided.h"

int32_t tflm_rows(tflm_broadcast_t shape) {
    int32_t rows = 1;
    for (int32_t i = 0; i < shape.rank - 1; i++) {
        rows *= shape.dims[3 * i];
    }
    return rows;
}

tflm_row_t tflm_row(tflm_broadcast_t shape, int32_t index) {
    tflm_row_t row = {1, 0, 0, 0, 0};
    if (shape.rank > 0) {
        const int32_t *inner = shape.dims + 3 * (shape.rank - 1);
        row = (tflm_row_t){inner[0], 0, inner[1], 0, inner[2]};
    }
    for (int32_t i = shape.rank - 2; i >= 0; i--) {
        const int32_t *dim = shape.dims + 3 * i;
        const int32_t outer = i > 0 ? index / dim[0] : 0;  // of the outermost no division
        const int32_t position = index - outer * dim[0];
        row.start1 += position * dim[1];
        row.start2 += position * dim[2];
        index = outer;
    }
    return row;
}
