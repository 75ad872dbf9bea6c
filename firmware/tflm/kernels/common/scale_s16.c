#include "scale_s16.h"

int32_t tflm_scale_s16_plain(uint32_t sum, tflm_factor_t factor) {
    return tflm_clamp16(tflm_scale((int32_t)sum, factor.multiplier, factor.shift));
}
