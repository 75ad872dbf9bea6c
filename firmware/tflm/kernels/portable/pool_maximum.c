#include "../common/pool_area.h"

void tflm_pool_maximum(const tflm_pool_area_t *area, int32_t depth, int8_t *output) {
    for (int32_t c = 0; c < depth; c++) {
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
