// One window of a convolution, at any place: the path for borders, groups and dilation.
#ifndef TFLM_CONV_WINDOW_H
#define TFLM_CONV_WINDOW_H

#include "generated/layout.h"
#include "dot.h"

// Returns the products of one filter and the window whose first tap lies at (top, left), summed
// modulo 2^32. Taps outside the image add nothing. A coordinate left or above the image, or
// one that overflows, is a large unsigned number: outside as well.
static inline uint32_t tflm_conv_window(const tflm_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, uint32_t top, uint32_t left) {
    const int32_t depth = params->filter_depth;
    const uint32_t height = (uint32_t)params->input_height;
    const uint32_t width = (uint32_t)params->input_width;
    uint32_t sum = 0;
    for (int32_t i = 0; i < params->filter_height; i++) {
        const uint32_t y = top + (uint32_t)i * (uint32_t)params->dilation_height;
        for (int32_t j = 0; j < params->filter_width; j++, filter += depth) {
            const uint32_t x = left + (uint32_t)j * (uint32_t)params->dilation_width;
            if (y < height && x < width) {
                const int8_t *pixel = input + (y * width + x) * (uint32_t)params->input_depth;
                sum += tflm_dot(pixel, filter, depth, params->input_offset);
            }
        }
    }
    return sum;
}

#endif
