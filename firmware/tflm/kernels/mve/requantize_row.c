#include "../requantize_row.h"

#define tflm_requantize_row tflm_requantize_row_plain
static void tflm_requantize_row(const uint32_t *sums, int32_t count, tflm_factor_t factor,
    int32_t output_offset, int8_t *output);
#include "../portable/requantize_row.c"
#undef tflm_requantize_row

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
