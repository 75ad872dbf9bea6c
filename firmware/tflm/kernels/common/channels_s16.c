#include "channels_s16.h"

static uint64_t bias_of(const tflm_channels_s16_t *from, int32_t c) {
    if (from->bias == NULL) {
        return 0;
    }
    const uint8_t *bias = from->bias + c * from->bias_bytes;
    if (from->bias_bytes == 2) {
        return (uint64_t)(int64_t)tflm_load16(bias);
    }
    const uint64_t low = (uint64_t)(int64_t)tflm_load32(bias);
    return from->bias_bytes == 4
        ? low : (low & UINT32_MAX) | (uint64_t)(uint32_t)tflm_load32(bias + 4) << 32;
}

static tflm_factor_t factor_of(const tflm_channels_s16_t *from, int32_t c) {
    const tflm_factor_t factor =
        tflm_factor(&from->both, tflm_load32(from->scales + c * from->scale_step));
    return from->is_wide ? tflm_wide_factor(factor) : factor;
}

void tflm_load_channels_s16(const tflm_channels_s16_t *from, int32_t first, int32_t count,
    tflm_channel_s16_t *channels) {
    tflm_factor_t factor;
    for (int32_t i = 0; i < count; i++) {
        const int32_t c = first + i;
        if (i == 0 || from->scale_step != 0) {
            factor = factor_of(from, c);
        }
        channels[i] = tflm_channel_s16(bias_of(from, c), factor, from->is_wide);
    }
}
