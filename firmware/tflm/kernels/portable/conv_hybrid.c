// CONV_2D and DEPTHWISE_CONV_2D of float32 with filters of int8. Some channels at a time, for whose
// filters there is scratch, so inputs are read until the last output is written.
#include "../common/conv_f32.h"
#include "../common/widen_f32.h"

// filter   int8 [output_depth, filter_height, filter_width, filter_depth]
// scales   float32, scale_step bytes from a channel's to the next
// widened  [TFLM_WIDENED, filter_height, filter_width, filter_depth]
// All else as in conv_f32.c.
void tflm_conv_2d_hybrid(const tflm_conv_2d_f32_t *params, const uint8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, uint8_t *output,
    float *widened) {
    const int32_t taps = params->filter_height * params->filter_width * params->filter_depth;
    int32_t last;
    for (int32_t c = 0; c < params->output_depth; c = last) {
        for (last = c; last < params->output_depth && last - c < TFLM_WIDENED; last++) {
            tflm_widen_f32(filter, taps, tflm_load_f32(scales), widened + (last - c) * taps);
            filter += taps;
            scales += params->scale_step;
        }
        tflm_conv_2d_f32_channels(
            params, input, (const void *)widened, bias, output, c, last);
    }
}

// filter   int8 [1, filter_height, filter_width, output_depth]
// widened  [filter_height, filter_width, TFLM_WIDENED]
void tflm_depthwise_conv_2d_hybrid(const tflm_conv_2d_f32_t *params, const uint8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, uint8_t *output,
    float *widened) {
    const int32_t taps = params->filter_height * params->filter_width;
    const int32_t channels = params->output_depth;
    for (int32_t c = 0; c < channels; c += TFLM_WIDENED) {
        const int32_t count = channels - c < TFLM_WIDENED ? channels - c : TFLM_WIDENED;
        for (int32_t k = 0; k < count; k++, scales += params->scale_step) {
            const float scale = tflm_load_f32(scales);
            for (int32_t i = 0; i < taps; i++) {
                widened[i * count + k] = (float)filter[i * channels + c + k] * scale;
            }
        }
        tflm_depthwise_conv_2d_f32_channels(
            params, input, (const void *)widened, bias, output, c, c + count);
    }
}
