// MEAN and SUM of int16. Source: as of int8.
#include "generated/layout.h"
#include "../common/fixed_point.h"
#include "../common/reduced.h"

// As in reduce.c; zero points are 0, and the sum wraps, as TFLM's does.
void tflm_mean_s16(const tflm_mean_t *params, const uint8_t *input, int16_t *output) {
    const tflm_axes_t kept = {params->dims, params->kept};
    const tflm_reduced_t reduced =
        tflm_reduced(params->dims + 2 * params->kept, params->reduced);
    const int32_t outputs = tflm_positions(kept);
    for (int32_t i = 0; i < outputs; i++) {
        const uint8_t *first = input + 2 * tflm_distance(kept, i);
        uint32_t sum = (uint32_t)params->bias;
        for (int32_t r = 0; r < reduced.rows; r++) {
            const uint8_t *element = first + 2 * tflm_distance(reduced.outer, r);
            for (int32_t j = 0; j < reduced.length; j++, element += 2 * reduced.step) {
                sum += (uint32_t)tflm_load16(element);
            }
        }
        const int32_t scaled = tflm_scale((int32_t)sum, params->multiplier, params->shift);
        const int32_t y = tflm_wrapping_add(scaled, params->output_offset);
        output[i] = (int16_t)tflm_clamp(y, INT16_MIN, INT16_MAX);
    }
}
