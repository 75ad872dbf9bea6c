// im2col: windows of a convolution, widened to 16 bits, two positions side by side.
//
// Four values k..k+3 of both positions are 16 bytes: pairs (0: k, k+2), (1: k, k+2), (0: k+1,
// k+3), (1: k+1, k+3), as SXTB16 takes them out of a word. Every value is twice input plus input
// offset, 0 outside the image; zeros fill up the last four.
#ifndef TFLM_DSP_CONV_WIDEN_H
#define TFLM_DSP_CONV_WIDEN_H

#include "generated/layout.h"
#include "../common/simd.h"

enum { TFLM_FOUR = 8, TFLM_ODD = 4, TFLM_SLOT = 2 };  // in values of 16 bits

// The window of one position.
typedef struct {
    const int8_t *image;  // of one batch
    int32_t top, left;    // may lie outside the image
} tflm_window_t;

static inline void tflm_put(int16_t *to, uint32_t pair) {
    memcpy(to, &pair, sizeof(pair));
}

static inline int32_t tflm_place(int32_t k) {
    return k / 4 * TFLM_FOUR + (k & 1) * TFLM_ODD + (k >> 1 & 1);
}

static inline uint32_t tflm_twice_even(uint32_t offsets, uint32_t word) {
    return tflm_add_even(tflm_add_even(offsets, word), word);
}

static inline uint32_t tflm_twice_odd(uint32_t offsets, uint32_t word) {
    return tflm_add_odd(tflm_add_odd(offsets, word), word);
}

// Four values of both positions, bytes of a word each.
static inline void tflm_put_both(int16_t *to, uint32_t offsets, uint32_t one, uint32_t two) {
    tflm_put(to, tflm_twice_even(offsets, one));
    tflm_put(to + TFLM_SLOT, tflm_twice_even(offsets, two));
    tflm_put(to + TFLM_ODD, tflm_twice_odd(offsets, one));
    tflm_put(to + TFLM_ODD + TFLM_SLOT, tflm_twice_odd(offsets, two));
}

// Rows of `run` values, a multiple of four and not 0, `skip` bytes apart. Words; conv_widen.c knows
// their order.
typedef struct {
    int32_t run, skip, rows;
    uint32_t offsets;
} tflm_runs_t;

// Both positions: their values lie alike.
void tflm_dsp_widen_both(
    int16_t *to, const int8_t *first, const int8_t *second, const tflm_runs_t *runs);

// Values k..k+count-1 of one position.
static inline void tflm_widen(
    int16_t *to, int32_t k, const int8_t *x, int32_t count, uint32_t offsets) {
    const int32_t o0 = tflm_place(k), o1 = tflm_place(k + 1), o2 = tflm_place(k + 2);
    const int32_t o3 = tflm_place(k + 3), is_four = k % 4 == 0;
    const int32_t places[] = {o0, o1, o2};
    for (; is_four && count >= 4; count -= 4, x += 4, to += TFLM_FOUR) {
        const uint32_t word = tflm_load4(x);
        tflm_put(to + o0, tflm_twice_even(offsets, word));
        tflm_put(to + o0 + TFLM_ODD, tflm_twice_odd(offsets, word));
    }
    for (; count >= 4; count -= 4, x += 4, to += TFLM_FOUR) {
        const uint32_t word = tflm_load4(x);
        const uint32_t even = tflm_twice_even(offsets, word), odd = tflm_twice_odd(offsets, word);
        to[o0] = (int16_t)even;
        to[o1] = (int16_t)odd;
        to[o2] = (int16_t)(even >> 16);
        to[o3] = (int16_t)(odd >> 16);
    }
    for (int32_t i = 0; i < count; i++) {
        to[places[i]] = (int16_t)(2 * x[i] + (int16_t)offsets);
    }
}

static inline void tflm_leave_out(int16_t *to, int32_t k, int32_t count) {
    for (; ((k | count) & 3) != 0 && count > 0; count--, k++) {
        to[tflm_place(k)] = 0;
    }
    for (to += tflm_place(k); count > 0; count -= 4, to += TFLM_FOUR) {
        tflm_put(to, 0);
        tflm_put(to + TFLM_ODD, 0);
    }
}

// One row of a window, whose values lie side by side; `taps` of them may be outside.
static inline void tflm_widen_row(int16_t *to, const tflm_conv_2d_t *params,
    const tflm_window_t *window, int32_t k, const int8_t *row, uint32_t offsets) {
    const int32_t depth = params->filter_depth, taps = params->filter_width;
    int32_t first = window->left < 0 ? -window->left : 0;
    first = first < taps ? first : taps;
    int32_t end = params->input_width - window->left;
    end = end < taps ? end : taps;
    end = end < first ? first : end;
    tflm_leave_out(to, k, first * depth);
    if (first < end) {
        tflm_widen(to, k + first * depth,
            row + (window->left + first) * params->input_depth, (end - first) * depth, offsets);
    }
    tflm_leave_out(to, k + end * depth, (taps - end) * depth);
}

// The window of one position, at `to` the first or TFLM_SLOT on the second, wherever it lies,
// `skip` channels into the image. is_plain: rows of it lie in one piece. A coordinate that
// overflows is a large unsigned number: outside.
static inline void tflm_gather_window(int16_t *to, const tflm_conv_2d_t *params,
    const tflm_window_t *window, int32_t skip, int32_t is_plain, uint32_t offsets) {
    const int32_t depth = params->filter_depth;
    const uint32_t height = (uint32_t)params->input_height, width = (uint32_t)params->input_width;
    const uint32_t step = (uint32_t)params->input_depth;
    int32_t k = 0;
    for (int32_t i = 0; i < params->filter_height; i++) {
        const uint32_t y = (uint32_t)window->top + (uint32_t)i * (uint32_t)params->dilation_height;
        if (y >= height) {
            tflm_leave_out(to, k, params->filter_width * depth);
            k += params->filter_width * depth;
            continue;
        }
        const int8_t *row = window->image + (uint32_t)skip + y * width * step;
        if (is_plain) {
            tflm_widen_row(to, params, window, k, row, offsets);
            k += params->filter_width * depth;
            continue;
        }
        uint32_t x = (uint32_t)window->left;
        for (int32_t j = 0; j < params->filter_width; j++, k += depth) {
            if (x < width) {
                tflm_widen(to, k, row + x * step, depth, offsets);
            } else {
                tflm_leave_out(to, k, depth);
            }
            x += (uint32_t)params->dilation_width;
        }
    }
}

#endif
