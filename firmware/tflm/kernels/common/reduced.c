#include "reduced.h"

int32_t tflm_positions(tflm_axes_t axes) {
    int32_t product = 1;
    for (int32_t i = 0; i < axes.count; i++) {
        product *= axes.dims[2 * i];
    }
    return product;
}

int32_t tflm_distance(tflm_axes_t axes, int32_t index) {
    int32_t elements = 0;
    for (int32_t i = axes.count - 1; i >= 0; i--) {
        const int32_t *dim = axes.dims + 2 * i;
        const int32_t outer = i > 0 ? index / dim[0] : 0;  // of the outermost no division
        elements += (index - outer * dim[0]) * dim[1];
        index = outer;
    }
    return elements;
}

tflm_reduced_t tflm_reduced(const int32_t *dims, int32_t count) {
    tflm_reduced_t reduced = {{dims, count}, 1, 1, 0};
    if (count > 0) {
        reduced.outer.count--;
        reduced.length = dims[2 * count - 2];
        reduced.step = dims[2 * count - 1];
    }
    reduced.rows = tflm_positions(reduced.outer);
    return reduced;
}
