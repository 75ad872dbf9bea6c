// The windows of two output positions, wherever they lie, into a convolution's scratch.
#ifndef TFLM_DSP_CONV_GATHER_H
#define TFLM_DSP_CONV_GATHER_H

#include "conv_widen.h"

enum { TFLM_COPY_BYTES = 96 };  // the longest window that is copied before it is widened

// How windows lie in an image, and in scratch. Where `rest` is not 0, the whole fours of all rows
// come first, then what is left of all rows, in one piece; otherwise values are in order.
typedef struct {
    const tflm_conv_2d_t *params;
    int16_t *to;
    uint32_t offsets;
    int32_t taps;          // of a window of one group
    int32_t run;           // values of a window's row
    int32_t rest;          // of a run: 0 unless the order is the one above
    int32_t is_plain;      // a window's row lies in one piece
    int32_t is_direct;     // and is widened where it is
    uint32_t tops, lefts;  // of windows inside the image: 0..tops-1, 0..lefts-1
    tflm_runs_t image;     // whole fours of a window in the image, where it is direct
    tflm_runs_t copied;    // the same in `copies`
    int8_t *copies;        // of two windows, or NULL where they are longer
} tflm_view_t;

// Sets *view. copies: twice TFLM_COPY_BYTES. has_rests: values are in the order of rests.
void tflm_dsp_view(tflm_view_t *view, const tflm_conv_2d_t *params, int16_t *to, int8_t *copies,
    int32_t has_rests);

// Where a window inside the image begins.
static inline const int8_t *tflm_view_first(const tflm_view_t *view, const tflm_window_t *window) {
    const tflm_conv_2d_t *params = view->params;
    const int32_t pixel = window->top * params->input_width + window->left;
    return window->image + pixel * params->input_depth;
}

// Widens what whole fours leave of each row. The last four may end in anything: its taps are 0.
void tflm_dsp_gather_rests(const tflm_view_t *view, int16_t *to, const int8_t *first,
    const int8_t *second, const tflm_runs_t *runs);

// Two windows whose whole fours lie in `runs`. Zeros that fill up the last four are there already.
static inline void tflm_dsp_gather_rows(const tflm_view_t *view, int16_t *to, const int8_t *first,
    const int8_t *second, const tflm_runs_t *runs) {
    if (runs->run != 0) {
        tflm_dsp_widen_both(to, first, second, runs);
    }
    if (view->rest != 0) {
        tflm_dsp_gather_rests(view, to, first, second, runs);
    }
}

// Two windows, wherever they lie, `skip` channels into the image.
void tflm_dsp_gather_any(
    const tflm_view_t *view, const tflm_window_t windows[2], int32_t skip);

#endif
