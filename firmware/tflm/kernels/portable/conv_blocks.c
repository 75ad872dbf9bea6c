// CONV_2D in blocks of channels, for layers whose constants take more than their images.
#include "generated/layout.h"
#include "../common/bytes.h"
#include "../common/channels.h"

enum { BLOCK = 32 };  // channels at a time, as in ops/conv.py

// As in conv.c, but:
// filter_depth is input_depth: there is one group
// output    lies apart from the input, which the last block reads all of
// scratch   for one block: what conv.c asks for, then its outputs at all positions
void tflm_conv_2d_s8_blocks(const tflm_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, int8_t *output,
    int32_t *scratch) {
    const int32_t taps = params->filter_height * params->filter_width * params->filter_depth;
    const int32_t channels = params->output_depth;
    const int32_t positions = params->batches * params->output_height * params->output_width;
    int8_t *const made = (void *)(scratch + tflm_window_words(taps)
        + BLOCK * sizeof(tflm_channel_constants_t) / sizeof(int32_t));
    tflm_conv_2d_t block = *params;
    for (int32_t c = 0; c < channels; c += BLOCK) {
        const int32_t count = channels - c < BLOCK ? channels - c : BLOCK;
        block.output_depth = count;
        tflm_conv_2d_s8(&block, input, filter + c * taps, bias != NULL ? bias + 4 * c : NULL,
            scales + c * params->scale_step, NULL, made, scratch);
        tflm_move_rows((void *)(output + c), channels, (void *)made, count, (size_t)count,
            positions);
    }
}
