// The kept and the reduced axes of a reduction.
#ifndef TFLM_REDUCED_H
#define TFLM_REDUCED_H

#include <stdint.h>

// A set of dimensions of the input: dims[] holds pairs (extent, step in elements).
typedef struct {
    const int32_t *dims;
    int32_t count;
} tflm_axes_t;

static inline int32_t tflm_positions(tflm_axes_t axes) {
    int32_t product = 1;
    for (int32_t i = 0; i < axes.count; i++) {
        product *= axes.dims[2 * i];
    }
    return product;
}

// Returns how far position `index` in row-major order over the axes lies from the first.
static inline int32_t tflm_distance(tflm_axes_t axes, int32_t index) {
    int32_t elements = 0;
    for (int32_t i = axes.count - 1; i >= 0; i--) {
        elements += index % axes.dims[2 * i] * axes.dims[2 * i + 1];
        index /= axes.dims[2 * i];
    }
    return elements;
}

// Where the elements of one output lie: rows of `length` elements, `step` apart.
typedef struct {
    tflm_axes_t outer;  // of the rows
    int32_t rows, length, step;
} tflm_reduced_t;

static inline tflm_reduced_t tflm_reduced(const int32_t *dims, int32_t count) {
    tflm_reduced_t reduced = {{dims, count}, 1, 1, 0};
    if (count > 0) {
        reduced.outer.count--;
        reduced.length = dims[2 * count - 2];
        reduced.step = dims[2 * count - 1];
    }
    reduced.rows = tflm_positions(reduced.outer);
    return reduced;
}

#endif
