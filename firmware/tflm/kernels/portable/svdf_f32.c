// SVDF in float32. Source: tensorflow/lite/micro/kernels/svdf_common.cc, activation_utils.h.
#include "generated/layout.h"
#include "../common/curves_f32.h"
#include "../common/dot_f32.h"

#include <string.h>

enum { NONE, RELU, RELU_N1_TO_1, RELU6, TANH, SIGN_BIT };  // fused activations

static float activated(float x, int32_t activation) {
    switch (activation) {
        case RELU:
            return x > 0.0f ? x : 0.0f;
        case RELU_N1_TO_1:
            x = x < 1.0f ? x : 1.0f;
            return x > -1.0f ? x : -1.0f;
        case RELU6:
            x = x < 6.0f ? x : 6.0f;
            return x > 0.0f ? x : 0.0f;
        case TANH:
            return tflm_tanh(x);
        case SIGN_BIT:
            return tflm_bits(x) < 0 ? 1.0f : 0.0f;
        default:
            return x;
    }
}

// input            float32 [batches, input_depth]
// weights_feature  float32 [filters, input_depth]
// weights_time     float32 [filters, memory]
// bias             float32 [filters / rank] or NULL
// state            [batches, filters, memory], oldest first, memory at least 1;
//                  kept from one call to the next
// output           float32 [batches, filters / rank]
void tflm_svdf_f32(const tflm_svdf_f32_t *params, const uint8_t *input,
    const uint8_t *weights_feature, const uint8_t *weights_time, const uint8_t *bias,
    float *state, float *output) {
    const int32_t depth = params->input_depth, memory = params->memory;
    const int32_t units = params->filters / params->rank;
    for (int32_t b = 0; b < params->batches; b++, input += 4 * depth) {
        const uint8_t *features = weights_feature, *times = weights_time;
        for (int32_t i = 0; i < units; i++) {
            float sum = tflm_float(tflm_bias(bias, i));
            for (int32_t j = 0; j < params->rank; j++) {
                memmove(state, state + 1, 4 * (size_t)(memory - 1));
                state[memory - 1] = tflm_dot_f32(0.0f, input, features, depth);
                sum += tflm_dot_f32(0.0f, (const void *)state, times, memory);
                features += 4 * depth;
                times += 4 * memory;
                state += memory;
            }
            *output++ = activated(sum, params->activation);
        }
    }
}
