// ARG_MAX and ARG_MIN of float32. Source: tensorflow/lite/kernels/internal/reference/arg_min_max.h.
#include "generated/layout.h"
#include "../common/float32.h"

// input   float32 [outer, extent, inner]
// output  int32 [outer, inner]: where the first largest, or least, element is. A NaN at place 0
//         stays, because no number is larger.
void tflm_arg_f32(const tflm_arg_f32_t *params, const uint8_t *input, int32_t *output) {
    const int32_t step = 4 * params->inner;
    for (int32_t o = 0; o < params->outer; o++, input += params->extent * step) {
        for (int32_t i = 0; i < step; i += 4) {
            const uint8_t *element = input + i;
            float most = tflm_load_f32(element);
            int32_t place = 0;
            for (int32_t j = 1; j < params->extent; j++) {
                element += step;
                const float value = tflm_load_f32(element);
                if (params->is_minimum ? value < most : value > most) {
                    most = value;
                    place = j;
                }
            }
            *output++ = place;
        }
    }
}
