// Sums of windows in loops that compilers turn into vectors. Only PCs' libraries define
// TFLM_VECTORS: native.py compiles them with -O3. The sums, modulo 2^32, are those of the loops
// that they replace.
#ifndef TFLM_VECTORS_PC_H
#define TFLM_VECTORS_PC_H

#include "generated/layout.h"

enum {
    TFLM_WINDOW_MAX = 16384,  // values of a window on the stack; larger ones take plain loops
    TFLM_BLOCK = 64,          // channels of a depthwise convolution at a time
};

// Fills window with the values of the window whose first tap lies at (top, left), offset added, and
// with 0 outside the image; see conv_window.h on coordinates.
static inline void tflm_gather_window(const tflm_conv_2d_t *params, const int8_t *input,
    uint32_t top, uint32_t left, int16_t *window) {
    const int32_t depth = params->filter_depth;
    const int16_t offset = (int16_t)params->input_offset;
    for (int32_t i = 0; i < params->filter_height; i++) {
        const uint32_t y = top + (uint32_t)i * (uint32_t)params->dilation_height;
        for (int32_t j = 0; j < params->filter_width; j++, window += depth) {
            const uint32_t x = left + (uint32_t)j * (uint32_t)params->dilation_width;
            if (y < (uint32_t)params->input_height && x < (uint32_t)params->input_width) {
                const int8_t *pixel = input
                    + (y * (uint32_t)params->input_width + x) * (uint32_t)params->input_depth;
                for (int32_t k = 0; k < depth; k++) {
                    window[k] = (int16_t)(pixel[k] + offset);
                }
            } else {
                for (int32_t k = 0; k < depth; k++) {
                    window[k] = 0;
                }
            }
        }
    }
}

// Returns the sum of window[i] * filter[i] for i < count.
static inline uint32_t tflm_dot_window(const int16_t *window, const int8_t *filter, int32_t count) {
    uint32_t sum = 0;
    for (int32_t i = 0; i < count; i++) {
        sum += (uint32_t)(window[i] * (int16_t)filter[i]);
    }
    return sum;
}

// Fills sums with those of `count` channels, TFLM_BLOCK at most, of a depthwise convolution with
// as many outputs as inputs. input and filter point at the first channel.
static inline void tflm_depthwise_sums(const tflm_depthwise_conv_2d_t *params,
    const int8_t *input, const int8_t *filter, uint32_t top, uint32_t left, int32_t count,
    uint32_t *sums) {
    const int16_t offset = (int16_t)params->input_offset;
    for (int32_t k = 0; k < count; k++) {
        sums[k] = 0;
    }
    for (int32_t i = 0; i < params->filter_height; i++) {
        const uint32_t y = top + (uint32_t)i * (uint32_t)params->dilation_height;
        for (int32_t j = 0; j < params->filter_width; j++, filter += params->output_depth) {
            const uint32_t x = left + (uint32_t)j * (uint32_t)params->dilation_width;
            if (y < (uint32_t)params->input_height && x < (uint32_t)params->input_width) {
                const int8_t *pixel = input
                    + (y * (uint32_t)params->input_width + x) * (uint32_t)params->input_depth;
                for (int32_t k = 0; k < count; k++) {
                    sums[k] += (uint32_t)((int16_t)(pixel[k] + offset) * (int16_t)filter[k]);
                }
            }
        }
    }
}

#endif
