// Four channels at a time.
#include "../common/pool_area.h"

#include "../common/simd.h"

void tflm_pool_maximum(const tflm_pool_area_t *area, int32_t depth, int8_t *output) {
    int32_t c = 0;
    for (; c + 4 <= depth; c += 4) {
        const int8_t *row = area->first + c;
        uint32_t largest = 0x80808080;
        for (int32_t y = area->rows; y > 0; y--, row += area->row) {
            const int8_t *at = row;
            for (int32_t x = area->columns; x > 0; x--, at += area->pixel) {
                largest = tflm_larger4(largest, tflm_load4(at));
            }
        }
        memcpy(output + c, &largest, sizeof(largest));
    }
    for (; c < depth; c++) {
        const int8_t *row = area->first + c;
        int32_t largest = INT8_MIN;
        for (int32_t y = area->rows; y > 0; y--, row += area->row) {
            const int8_t *at = row;
            for (int32_t x = area->columns; x > 0; x--, at += area->pixel) {
                largest = *at > largest ? *at : largest;
            }
        }
        output[c] = (int8_t)largest;
    }
}
