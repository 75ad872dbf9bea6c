// FULLY_CONNECTED of float32 with a filter of int8, of which some rows at a time are widened.
#include "generated/layout.h"
#include "../common/widen_f32.h"

// filter   int8 [output_depth, input_depth]
// scales   float32, scale_step bytes from a row's to the next
// widened  [TFLM_WIDENED, input_depth]
// All else as in dense_f32.c.
void tflm_fully_connected_hybrid(const tflm_fully_connected_hybrid_t *params,
    const uint8_t *input, const int8_t *filter, const uint8_t *bias, const uint8_t *scales,
    uint8_t *output, float *widened) {
    const int32_t depth = params->input_depth, channels = params->output_depth;
    for (int32_t c = 0; c < channels; c += TFLM_WIDENED) {
        const int32_t count = channels - c < TFLM_WIDENED ? channels - c : TFLM_WIDENED;
        const tflm_fully_connected_f32_t rows = {
            1, depth, count, params->activation_min, params->activation_max};
        for (int32_t k = 0; k < count; k++, filter += depth, scales += params->scale_step) {
            tflm_widen_f32(filter, depth, tflm_load_f32(scales), widened + k * depth);
        }
        for (int32_t b = 0; b < params->batches; b++) {
            tflm_fully_connected_f32(&rows, input + 4 * b * depth, (const void *)widened,
                bias == NULL ? NULL : bias + 4 * c, output + 4 * (b * channels + c));
        }
    }
}
