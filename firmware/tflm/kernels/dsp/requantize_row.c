// From sums to outputs as in constants.h, whatever the sums are: where twice a sum would leave 32
// bits it saturates, and the output is at the end of its range either way.
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

#include "constants.h"

enum { RIGHT_MAX = 20 };  // a saturated sum is still far outside of int8

static inline int32_t addend_of(int32_t right, int32_t output_offset) {
    return (1 << (right - 1)) + output_offset * (1 << right);
}

// right: 1 to RIGHT_MAX
static inline int32_t output_of(
    uint32_t value, int32_t multiplier, int32_t addend, int32_t right) {
    const int32_t sum = tflm_saturating_double((int32_t)value);
    const int32_t t = tflm_add_high(sum, multiplier, addend);
    return tflm_saturate8((t + (sum >> 31)) >> right);
}

void tflm_requantize_row(const uint32_t *sums, int32_t count, tflm_factor_t factor,
    int32_t output_offset, int8_t *output) {
    const int32_t right = -factor.shift;
    if (right < 1 || right > RIGHT_MAX) {
        tflm_requantize_row_plain(sums, count, factor, output_offset, output);
        return;
    }
    const int32_t addend = addend_of(right, output_offset);
    for (int32_t i = 0; i < count; i++) {
        output[i] = (int8_t)output_of(sums[i], factor.multiplier, addend, right);
    }
}

void tflm_requantize_channels(const uint32_t *sums, const tflm_channel_constants_t *channels,
    int32_t count, tflm_range_t range, int8_t *output) {
    for (int32_t i = 0; i < count; i++) {
        const int32_t right = -channels[i].factor.shift;
        if (right < 1 || right > RIGHT_MAX) {
            tflm_requantize_channels_plain(sums + i, channels + i, 1, range, output + i);
            continue;
        }
        const int32_t addend = addend_of(right, range.offset);
        output[i] = (int8_t)output_of(sums[i], channels[i].factor.multiplier, addend, right);
    }
    tflm_dsp_clamp(output, count, range);
}
