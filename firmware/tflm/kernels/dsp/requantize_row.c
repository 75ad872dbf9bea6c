// From sums to outputs as in constants.h, whatever the sums are: where twice a sum would leave 32
// bits it saturates, and the output is at the end of its range either way.
#include "../requantize_row.h"

#define tflm_requantize_row tflm_requantize_row_plain
static void tflm_requantize_row(const uint32_t *sums, int32_t count, tflm_factor_t factor,
    int32_t output_offset, int8_t *output);
#include "../portable/requantize_row.c"
#undef tflm_requantize_row

#include "simd.h"

enum { RIGHT_MAX = 20 };  // a saturated sum is still far outside of int8

void tflm_requantize_row(const uint32_t *sums, int32_t count, tflm_factor_t factor,
    int32_t output_offset, int8_t *output) {
    const int32_t right = -factor.shift;
    if (right < 1 || right > RIGHT_MAX) {
        tflm_requantize_row_plain(sums, count, factor, output_offset, output);
        return;
    }
    const int32_t addend = (1 << (right - 1)) + output_offset * (1 << right);
    for (int32_t i = 0; i < count; i++) {
        const int32_t sum = tflm_saturating_double((int32_t)sums[i]);
        const int32_t t = tflm_add_high(sum, factor.multiplier, addend);
        output[i] = (int8_t)tflm_saturate8((t + (sum >> 31)) >> right);
    }
}
