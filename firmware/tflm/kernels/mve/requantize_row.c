#include "../common/requantize_row.h"

#define tflm_requantize_row tflm_requantize_row_plain
#define tflm_requantize_channels tflm_requantize_channels_plain
static void tflm_requantize_row(const uint32_t *sums, int32_t count, tflm_factor_t factor,
    int32_t output_offset, int8_t *output);
static void tflm_requantize_channels(const uint32_t *sums,
    const tflm_channel_constants_t *channels, int32_t count, tflm_range_t range, int8_t *output);
#include "../common/plain_requantize_row.h"
#undef tflm_requantize_row
#undef tflm_requantize_channels

#include "requantize_lanes.h"

void tflm_requantize_row(const uint32_t *sums, int32_t count, tflm_factor_t factor,
    int32_t output_offset, int8_t *output) {
    int32_t i = 0;
    if (factor.shift <= 0) {
        const tflm_range_t range = {output_offset, INT8_MIN, INT8_MAX};
        const tflm_four_t four =
            tflm_four(vdupq_n_s32(factor.multiplier), vdupq_n_s32(factor.shift), range);
        for (; i + 4 <= count; i += 4) {
            tflm_finish_four(output + i, vldrwq_s32((const int32_t *)sums + i), &four);
        }
    }
    tflm_requantize_row_plain(sums + i, count - i, factor, output_offset, output + i);
}

_Static_assert(offsetof(tflm_channel_constants_t, factor) == 4
    && sizeof(tflm_channel_constants_t) == 16, "the words of four channels, taken apart below");

void tflm_requantize_channels(const uint32_t *sums, const tflm_channel_constants_t *channels,
    int32_t count, tflm_range_t range, int8_t *output) {
    int32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const int32x4x4_t words = vld4q_s32((const int32_t *)(channels + i));
        if (!tflm_all_below(vsubq_s32(vdupq_n_s32(0), words.val[2]), 32)) {
            break;  // a shift to the left
        }
        const tflm_four_t four = tflm_four(words.val[1], words.val[2], range);
        tflm_finish_four(output + i, vldrwq_s32((const int32_t *)sums + i), &four);
    }
    tflm_requantize_channels_plain(sums + i, channels + i, count - i, range, output + i);
}
