// FULLY_CONNECTED of int16 with int8 filters. Source: tensorflow/lite/kernels/internal/reference/
// integer_ops/fully_connected.h.
#include "generated/layout.h"
#include "../common/channels_s16.h"
#include "../common/dense_sums.h"

enum { CHUNK = 16 };  // channels at a time

// input   int16 [batches, input_depth]
// filter  int8 [output_depth, input_depth]
// bias    integers of bias_bytes [output_depth] or NULL
// scales  float32 of the filter
// output  int16 [batches, output_depth]
// What prepare sees to: zero points are 0.
void tflm_fully_connected_s16(const tflm_fully_connected_s16_t *params, const int16_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, int16_t *output) {
    const tflm_channels_s16_t from = {bias, params->bias_bytes, scales, params->scale_step,
        params->is_wide, tflm_scales(params->input_scale, params->output_scale)};
    const tflm_finish_s16_t finish = tflm_finish_of_s16(
        params->is_wide, params->activation_min, params->activation_max);
    const int32_t depth = params->input_depth, outputs = params->output_depth;
    tflm_dense_s16_t dense = {input, filter, depth, depth};
    int32_t count;
    for (int32_t c = 0; c < outputs; c += count) {
        tflm_channel_s16_t channels[CHUNK];
        count = outputs - c < CHUNK ? outputs - c : CHUNK;
        tflm_load_channels_s16(&from, c, count, channels);
        dense.rows = filter + c * depth;
        for (int32_t b = 0; b < params->batches; b++) {
            uint64_t sums[CHUNK] = {0};
            dense.values = input + b * depth;
            tflm_dense_sums_s16(&dense, sums, count);
            for (int32_t k = 0; k < count; k++) {
                output[b * outputs + c + k] = tflm_finish_s16(sums[k], &channels[k], &finish);
            }
        }
    }
}
