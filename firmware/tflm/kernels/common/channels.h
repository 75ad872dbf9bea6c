// What an output channel of a convolution needs besides its filter: made once a layer, into scratch.
#ifndef TFLM_CHANNELS_H
#define TFLM_CHANNELS_H

#include "requantize.h"

// 16 bytes: ops/conv.py requests that much for each channel, for whatever a core makes of them.
typedef struct {
    int32_t bias;
    tflm_factor_t factor;
    int32_t unused;
} tflm_channel_constants_t;

// Fills constants[0..channels-1]. scales: float32 of the filter, scale_step bytes from one channel's
// to the next.
static inline void tflm_load_channels(tflm_channel_constants_t *constants, int32_t channels,
    const uint8_t *bias, const uint8_t *scales, int32_t scale_step, int32_t input_scale,
    int32_t output_scale) {
    const tflm_scales_t both = tflm_scales(input_scale, output_scale);
    for (int32_t c = 0; c < channels; c++) {
        constants[c].bias = tflm_bias(bias, c);
        constants[c].factor = tflm_factor(&both, tflm_load32(scales + c * scale_step));
    }
}

// Words of scratch before the channels' constants, for a window of `taps` values.
static inline int32_t tflm_window_words(int32_t taps) {
    return (taps + 3) & ~3;
}

#endif
