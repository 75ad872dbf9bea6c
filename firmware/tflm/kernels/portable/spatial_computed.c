// SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND with blocks and margins that a run computes.
#include <stdbool.h>

#include "../common/bytes.h"
#include "../common/computed.h"
#include "generated/layout.h"

// Whether so many places of `extent` pixels, interleaved, are an image's `pixels` and its margins.
static bool fits(int32_t block, int32_t extent, const int32_t *margins, int32_t pixels) {
    const int64_t all = (int64_t)pixels + margins[0] + margins[1];
    return block > 0 && margins[0] >= 0 && margins[1] >= 0 && (int64_t)block * extent == all;
}

// input    as of the kernel called
// sizes    int32, of a block along each of `axes`
// margins  int32 [axes, 2], before and after
// output   as of that kernel; zeros where they do not give its shape
// What prepare sees to: axes is 1 or 2; where it is 1, image_width and width are 1.
void tflm_blocks_at(const tflm_blocks_at_t *params, const uint8_t *input, const uint8_t *sizes,
    const uint8_t *margins, uint8_t *output) {
    int32_t block[2] = {1, 1}, edges[4] = {0, 0, 0, 0};
    for (int32_t i = 0; i < params->axes; i++) {
        block[i] = tflm_load32(sizes + 4 * i);
        edges[2 * i] = tflm_load32(margins + 8 * i);
        edges[2 * i + 1] = tflm_load32(margins + 8 * i + 4);
    }
    if (!fits(block[0], params->height, edges, params->image_height)
        || !fits(block[1], params->width, edges + 2, params->image_width)
        || (int64_t)block[0] * block[1] != params->shifts) {
        tflm_fill(output, 0, (size_t)params->nbytes);
        return;
    }
    const tflm_blocks_t same = {.batches = params->batches,
        .image_height = params->image_height,
        .image_width = params->image_width,
        .height = params->height,
        .width = params->width,
        .block_height = block[0],
        .block_width = block[1],
        .top = edges[0],
        .left = edges[2],
        .pixel = params->pixel,
        .pad_value = params->pad_value};
    if (params->to_batch) {
        tflm_space_to_batch(&same, input, output);
    } else {
        tflm_batch_to_space(&same, input, output);
    }
}
