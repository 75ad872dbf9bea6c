// SIGN of int32. Source: tensorflow/lite/kernels/sign.cc.
#include "generated/layout.h"
#include "../common/load.h"

// input   int32 [size]
// output  int32 [size]: -1, 0 or 1
void tflm_sign_s32(const tflm_size_s32_t *params, const uint8_t *input, int32_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        const int32_t x = tflm_load32(input + 4 * i);
        output[i] = (x > 0) - (x < 0);
    }
}
