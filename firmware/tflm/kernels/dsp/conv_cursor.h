// The output positions of a convolution, one after another.
#ifndef TFLM_DSP_CONV_CURSOR_H
#define TFLM_DSP_CONV_CURSOR_H

#include "conv_widen.h"

typedef struct {
    int32_t x, y;
    tflm_window_t window;
} tflm_cursor_t;

static inline tflm_cursor_t tflm_cursor_at(
    const tflm_conv_2d_t *params, const int8_t *input, int32_t position) {
    const int32_t row = position / params->output_width;
    const int32_t batch = row / params->output_height;
    const int32_t x = position - row * params->output_width;
    const int32_t y = row - batch * params->output_height;
    const int32_t bytes = params->input_height * params->input_width * params->input_depth;
    return (tflm_cursor_t) {x, y, {
        .image = input + batch * bytes,
        .top = y * params->stride_height - params->pad_top,
        .left = x * params->stride_width - params->pad_left,
    }};
}

static inline void tflm_cursor_step(tflm_cursor_t *cursor, const tflm_conv_2d_t *params) {
    cursor->window.left += params->stride_width;
    if (++cursor->x < params->output_width) {
        return;
    }
    cursor->x = 0;
    cursor->window.left = -params->pad_left;
    cursor->window.top += params->stride_height;
    if (++cursor->y == params->output_height) {
        cursor->y = 0;
        cursor->window.top = -params->pad_top;
        cursor->window.image += params->input_height * params->input_width * params->input_depth;
    }
}

#endif
