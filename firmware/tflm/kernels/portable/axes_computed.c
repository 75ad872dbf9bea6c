// REVERSE_V2 of axes that a run computes. Source: tensorflow/lite/micro/kernels/reverse.cc.
#include <stdbool.h>

#include "../common/bytes.h"
#include "../common/computed.h"
#include "generated/layout.h"

// As TFLM has it, they are so many as they name and lie side by side.
static bool is_run(int32_t mask, int32_t count) {
    while (mask && !(mask & 1)) {
        mask >>= 1;
    }
    return mask + 1 == 1 << count;
}

// input   of elements of so many bytes each
// axes    int32, so many as `named`, at most 6
// output  as the input, with these axes reversed; zeros where TFLM refuses them
// What prepare sees to: rank is 1 to 6; extents are positive.
void tflm_reverse_at(
    const tflm_reverse_at_t *params, const uint8_t *input, const uint8_t *axes, uint8_t *output) {
    const int32_t rank = params->rank;
    const int32_t mask = tflm_named_axes(axes, params->named, rank);
    int32_t dims[2 * (TFLM_MAX_COMPUTED + 1)] = {1, 0}, step = params->element;
    for (int32_t i = rank - 1; i >= 0; i--) {
        const int32_t extent = params->shape[i];
        const bool is_back = mask >> i & 1;
        dims[2 * i + 2] = extent;
        dims[2 * i + 3] = is_back ? -step : step;
        step *= extent;
    }
    if (mask < 0 || !is_run(mask, params->named)) {
        tflm_fill(output, 0, (size_t)step);
        return;
    }
    for (int32_t i = 1; i <= rank; i++) {
        input -= dims[2 * i + 1] < 0 ? (dims[2 * i] - 1) * dims[2 * i + 1] : 0;
    }
    tflm_gather(output, input, (size_t)params->element, dims, rank + 1);
}
