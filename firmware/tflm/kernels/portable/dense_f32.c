// FULLY_CONNECTED in float32. Source: tensorflow/lite/kernels/internal/reference/fully_connected.h.
#include "generated/layout.h"
#include "../float32.h"
#include "../load.h"

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
    const int32_t row = 4 * params->input_depth;  // bytes
    for (int32_t b = 0; b < params->batches; b++, input += row) {
        const uint8_t *weights = filter;
        for (int32_t c = 0; c < params->output_depth; c++, weights += row, output += 4) {
            float sum = 0.0f;
            for (int32_t i = 0; i < row; i += 4) {
                sum += tflm_load_f32(input + i) * tflm_load_f32(weights + i);
            }
            sum += tflm_float(tflm_bias(bias, c));
            tflm_store_f32(output, tflm_clamp_f32(sum, minimum, maximum));
        }
    }
}
