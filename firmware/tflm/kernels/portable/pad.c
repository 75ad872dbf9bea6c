// PAD and PADV2. Source: tensorflow/lite/kernels/internal/reference/pad.h.
#include <stdbool.h>
#include <string.h>

#include "../../layout.h"

// One dimension: dims[] holds triples (elements before, extent of the input, elements after).
typedef struct {
    int32_t before, extent, after;
} dim_t;

static int32_t padded(const dim_t *dim) {
    return dim->before + dim->extent + dim->after;
}

// Tells whether row `index` of the output holds elements of the input, not only padding.
static bool holds_input(const dim_t *dims, int32_t rank, int32_t index) {
    for (const dim_t *dim = dims + rank - 2; dim >= dims; dim--) {
        const int32_t position = index % padded(dim) - dim->before;
        index /= padded(dim);
        if (position < 0 || position >= dim->extent) {
            return false;
        }
    }
    return true;
}

// input   [extents], outermost first; rank at least 1
// output  [extents with padding], written in order, row by row of the last dimension
void tflm_pad_s8(const tflm_pad_t *params, const int8_t *input, int8_t *output) {
    const dim_t *dims = (const void *)params->dims;
    const dim_t *inner = dims + params->rank - 1;
    int32_t rows = 1;
    for (const dim_t *dim = dims; dim < inner; dim++) {
        rows *= padded(dim);
    }
    for (int32_t r = 0; r < rows; r++, output += padded(inner)) {
        memset(output, params->pad_value, (size_t)padded(inner));
        if (holds_input(dims, params->rank, r)) {
            memcpy(output + inner->before, input, (size_t)inner->extent);
            input += inner->extent;
        }
    }
}
