// SPLIT, SPLIT_V, UNPACK. Source: tensorflow/lite/micro/kernels/split.cc, split_v.cc, unpack.cc.
#include "../common/bytes.h"
#include "generated/layout.h"

// input    [outer, sum of sizes] in bytes
// outputs  count tensors [outer, sizes[i]]
void tflm_share(const tflm_share_t *params, const uint8_t *input, const tflm_args_t *outputs) {
    int32_t row = 0;
    for (int32_t i = 0; i < params->count; i++) {
        row += params->sizes[i];
    }
    for (int32_t i = 0; i < params->count; i++) {
        const int32_t size = params->sizes[i];
        tflm_move_rows(tflm_output(outputs, i), size, input, row, (size_t)size, params->outer);
        input += size;
    }
}
