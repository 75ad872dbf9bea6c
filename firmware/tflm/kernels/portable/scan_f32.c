// CUMSUM of float32. Source: tensorflow/lite/kernels/internal/reference/cumsum.h.
#include "generated/layout.h"
#include "../common/float32.h"

// input   float32 [outer, extent, inner]
// output  float32, the same: sums of what lies before along the axis, unless exclusive of itself too
void tflm_cumsum_f32(const tflm_cumsum_f32_t *params, const uint8_t *input, uint8_t *output) {
    const int32_t extent = params->extent, inner = params->inner, step = 4 * params->step;
    for (int32_t o = 0; o < params->outer; o++) {
        for (int32_t i = 0; i < inner; i++) {
            int32_t at = 4 * (o * extent * inner + i + params->first);
            float sum = 0;
            for (int32_t k = 0; k < extent; k++, at += step) {
                const float next = sum + tflm_load_f32(input + at);
                tflm_store_f32(output + at, params->exclusive ? sum : next);
                sum = next;
            }
        }
    }
}
