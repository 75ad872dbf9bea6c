// CONCATENATION. Source: tensorflow/lite/kernels/internal/reference/concatenation.h.
#include <string.h>

#include "../../layout.h"

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
            memmove(output + r * row, input + r * size, (size_t)size);
        }
        output += size;
    }
}
