// CUMSUM of int8. Source: tensorflow/lite/kernels/internal/reference/cumsum.h.
#include "generated/layout.h"
#include "../common/requantize.h"

// input   int8 [outer, extent, inner]
// output  int8, the same: the sum of what lies before it along the axis, and of itself unless
//         exclusive, in units of 2^19, which wraps; and of one element more, as TFLM has it, that
//         is zero before its zero point is taken off
void tflm_cumsum_s8(const tflm_cumsum_t *params, const int8_t *input, int8_t *output) {
    const tflm_range_t range = {params->output_offset, INT8_MIN, INT8_MAX};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    const int32_t extent = params->extent, inner = params->inner, step = params->step;
    for (int32_t o = 0; o < params->outer; o++) {
        for (int32_t i = 0; i < inner; i++) {
            int32_t at = o * extent * inner + i + params->first;
            uint32_t sum = (uint32_t)params->input_offset;
            for (int32_t k = 0; k < extent; k++, at += step) {
                const uint32_t next = sum + (uint32_t)input[at] + (uint32_t)params->input_offset;
                output[at] =
                    tflm_requantize((params->exclusive ? sum : next) << 19, factor, range);
                sum = next;
            }
        }
    }
}
