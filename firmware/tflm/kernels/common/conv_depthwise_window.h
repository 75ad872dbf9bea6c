// One window of one channel of a depthwise convolution, at any place.
#ifndef TFLM_CONV_DEPTHWISE_WINDOW_H
#define TFLM_CONV_DEPTHWISE_WINDOW_H

#include "generated/layout.h"

// Returns the products of one channel's filter and the window whose first tap lies at (top,
// left), summed modulo 2^32. input and filter point at the channel. Taps outside the image add
// nothing; see conv_window.h on coordinates.
static inline uint32_t tflm_depthwise_window(const tflm_depthwise_conv_2d_t *params,
    const int8_t *input, const int8_t *filter, uint32_t top, uint32_t left) {
    const uint32_t height = (uint32_t)params->input_height;
    const uint32_t width = (uint32_t)params->input_width;
    const uint32_t offset = (uint32_t)params->input_offset;
    uint32_t sum = 0;
    for (int32_t i = 0; i < params->filter_height; i++) {
        const uint32_t y = top + (uint32_t)i * (uint32_t)params->dilation_height;
        for (int32_t j = 0; j < params->filter_width; j++, filter += params->output_depth) {
            const uint32_t x = left + (uint32_t)j * (uint32_t)params->dilation_width;
            if (y < height && x < width) {
                const int8_t value = input[(y * width + x) * (uint32_t)params->input_depth];
                sum += (uint32_t)*filter * ((uint32_t)value + offset);
            }
        }
    }
    return sum;
}

#endif
