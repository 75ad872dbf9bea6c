// SHAPE and ZEROS_LIKE: nothing is read.
#include "../bytes.h"
#include "generated/layout.h"

// output  int32 [rank]
void tflm_shape(const tflm_shape_t *params, const uint8_t *input, int32_t *output) {
    (void)input;
    for (int32_t i = 0; i < params->rank; i++) {
        output[i] = params->dims[i];
    }
}

void tflm_zeros(const tflm_zeros_t *params, const uint8_t *input, uint8_t *output) {
    (void)input;
    tflm_fill(output, 0, (size_t)params->nbytes);
}
