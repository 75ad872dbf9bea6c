// What lies elsewhere as it is: RESHAPE and the like, CONCATENATION, PACK.
// Source: tensorflow/lite/kernels/internal/reference/concatenation.h.
#include "../common/bytes.h"
#include "generated/layout.h"

// input, output  nbytes bytes, at any places: they may overlap, or be the same, and then there is
//                nothing to do
void tflm_copy(const tflm_copy_t *params, const uint8_t *input, uint8_t *output) {
    tflm_move(output, input, (size_t)params->nbytes);
}

// input, output  nbytes bytes: a row; groups.c finds the input that has it
void tflm_rows_stack(const tflm_rows_stack_t *params, const uint8_t *input, uint8_t *output) {
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
        tflm_move_rows(output, row, input, size, (size_t)size, params->outer);
        output += size;
    }
}
