// What lies elsewhere as it is: RESHAPE and the like, CONCATENATION, PACK, PAD.
// Source: tensorflow/lite/kernels/internal/reference/concatenation.h, pad.h.
#include <string.h>

#include "../bytes.h"
#include "generated/layout.h"

// input, output  nbytes bytes, at any places: they may overlap, or be the same, and then there is
//                nothing to do
void tflm_copy(const tflm_copy_t *params, const uint8_t *input, uint8_t *output) {
    tflm_move(output, input, (size_t)params->nbytes);
}

// inputs  count tensors [outer, sizes[i]] in bytes
// output  [outer, sum of sizes]; an input may already lie in its place
void tflm_concatenation(
    const tflm_concatenation_t *params, const tflm_args_t *inputs, uint8_t *output) {
    int32_t row = 0;
    for (int32_t i = 0; i < params->count; i++) {
        row += params->sizes[i];
    }
    for (int32_t i = 0; i < params->count; i++) {
        const int32_t size = params->sizes[i];
        const uint8_t *input = tflm_argument(inputs, i);
        for (int32_t r = 0; r < params->outer; r++) {
            tflm_move(output + r * row, input + r * size, (size_t)size);
        }
        output += size;
    }
}

// One dimension of PAD, as dims[] has them.
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

// What prepare sees to: before and after are 0 or more, pad_value is int8.
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
