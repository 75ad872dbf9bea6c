// Sixteen channels at a time.
#include "../common/pool_area.h"
#include "vectors.h"

void tflm_pool_maximum(const tflm_pool_area_t *area, int32_t depth, int8_t *output) {
    for (int32_t c = 0; c < depth; c += 16) {
        const mve_pred16_t used = vctp8q((uint32_t)(depth - c));
        const int8_t *row = area->first + c;
        int8x16_t largest = vdupq_n_s8(INT8_MIN);
        for (int32_t y = area->rows; y > 0; y--, row += area->row) {
            const int8_t *at = row;
            for (int32_t x = area->columns; x > 0; x--, at += area->pixel) {
                largest = vmaxq_s8(largest, vldrbq_z_s8(at, used));
            }
        }
        vstrbq_p_s8(output + c, largest, used);
    }
}
