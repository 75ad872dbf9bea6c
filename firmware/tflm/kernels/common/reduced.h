// The kept and the reduced axes of a reduction.
#ifndef TFLM_REDUCED_H
#define TFLM_REDUCED_H

#include <stdint.h>

// A set of dimensions of the input: dims[] holds pairs (extent, step in elements).
typedef struct {
    const int32_t *dims;
    int32_t count;
} tflm_axes_t;

int32_t tflm_positions(tflm_axes_t axes);

// Returns how far position `index` in row-major order over the axes lies from the first.
int32_t tflm_distance(tflm_axes_t axes, int32_t index);

// Where the elements of one output lie: rows of `length` elements, `step` apart.
typedef struct {
    tflm_axes_t outer;  // of the rows
    int32_t rows, length, step;
} tflm_reduced_t;

tflm_reduced_t tflm_reduced(const int32_t *dims, int32_t count);

#endif
