// Convolutions of float32, for some channels of the output at a time.
#ifndef TFLM_CONV_F32_H
#define TFLM_CONV_F32_H

#include "generated/layout.h"

void tflm_conv_2d_f32_channels(const tflm_conv_2d_f32_t *params, const uint8_t *input,
    const uint8_t *filter, const uint8_t *bias, uint8_t *output, int32_t first, int32_t last);

void tflm_depthwise_conv_2d_f32_channels(const tflm_conv_2d_f32_t *params, const uint8_t *input,
    const uint8_t *filter, const uint8_t *bias, uint8_t *output, int32_t first, int32_t last);

#endif
