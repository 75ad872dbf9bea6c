// FULLY_CONNECTED in float32. Source: tensorflow/lite/kernels/internal/reference/fully_connected.h.
#include "generated/layout.h"
#include "../common/dot_f32.h"

// input   float32 [batches, input_depth]
// filter  float32 [output_depth, input_depth]
// bias    float32 [output_depth] or NULL
// output  float32 [batches, output_depth]
// Summed in order, in single precision, the bias last. Values may be infinite or NaN; the bounds
// of the activation are finite.
void tflm_fully_connected_f32(const tflm_fully_connected_f32_t *params, const uint8_t *input,
    const uint8_t *filter, const uint8_t *bias, uint8_t *output) {
    const float minimum = tflm_float(params->activation_min);
    const float maximum = tflm_float(params->activation_max);
    const int32_t depth = params->input_depth, row = 4 * depth;  // bytes
    const int32_t most = tflm_are_aligned(input, filter) ? TFLM_DOTS : 1;
    for (int32_t b = 0; b < params->batches; b++, input += row) {
        int32_t count;
        for (int32_t c = 0; c < params->output_depth; c += count) {
            float sums[TFLM_DOTS] = {0};
            const uint8_t *weights = filter + c * row;
            count = params->output_depth - c >= most ? most : 1;
            if (count == TFLM_DOTS) {
                tflm_dots_f32(sums, input, weights, row, depth);
            } else {
                sums[0] = tflm_dot_f32(0.0f, input, weights, depth);
            }
            for (int32_t k = 0; k < count; k++, output += 4) {
                tflm_finish_f32(output, sums[k], tflm_bias(bias, c + k), minimum, maximum);
            }
        }
    }
}
