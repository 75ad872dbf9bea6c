// PAD and PADV2. Source: tensorflow/lite/kernels/internal/reference/pad.h.
#include <string.h>

#include "../../layout.h"

// One dimension, as dims[] has them.
typedef struct {
    int32_t before;
    int32_t extent;  // of the input
    int32_t after;
} dim_t;

static int32_t padded(dim_t dim) {
    return dim.before + dim.extent + dim.after;
}

// Returns where element `index` of the input lies in the output.
static int32_t position_of(const dim_t *dims, int32_t rank, int32_t index) {
    int32_t position = 0;
    int32_t step = 1;
    for (int32_t i = rank - 1; i >= 0; i--) {
        position += (dims[i].before + index % dims[i].extent) * step;
        index /= dims[i].extent;
        step *= padded(dims[i]);
    }
    return position;
}

// input   [extents], outermost first
// output  [extents with padding]
void tflm_pad_s8(const tflm_pad_t *params, const int8_t *input, int8_t *output) {
    const dim_t *dims = (const void *)params->dims;
    int32_t total = 1;
    int32_t elements = 1;
    int32_t row = 1;  // elements of the last dimension
    for (int32_t i = 0; i < params->rank; i++) {
        total *= padded(dims[i]);
        row = dims[i].extent;
        elements *= row;
    }
    memset(output, params->pad_value, (size_t)total);
    for (int32_t i = 0; i < elements; i += row) {
        memcpy(output + position_of(dims, params->rank, i), input + i, (size_t)row);
    }
}
