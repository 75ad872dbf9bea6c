// Elements taken along other axes: TRANSPOSE, STRIDED_SLICE and the like.
#include "../common/bytes.h"
#include "generated/layout.h"

// input   of elements of so many bytes each
// output  [extents of dims], written in order; elements come from byte `start` of the input on, by
//         steps that may be negative, or 0
void tflm_strided(const tflm_strided_t *params, const uint8_t *input, uint8_t *output) {
    const uint8_t *from = input + params->start;
    tflm_gather(output, from, (size_t)params->element, params->dims, params->rank);
}
