#include "gather.h"

// How many places a window has inside the image, along one axis.
static uint32_t places(int32_t extent, int32_t taps, int32_t dilation) {
    const int64_t room = extent - (taps - 1) * (int64_t)dilation;
    return room > 0 && room <= extent ? (uint32_t)room : 0;
}

// Fills up pieces of two windows to whole fours, with what adds nothing.
static void fill_up(const tflm_conv_2d_t *params, int8_t *pieces, int32_t count) {
    for (; count % 4 != 0; count++) {
        pieces[count] = pieces[TFLM_COPY_BYTES + count] = (int8_t)-params->input_offset;
    }
}

tflm_view_t tflm_dsp_view(const tflm_conv_2d_t *params, int16_t *to, int8_t *copies,
    int32_t has_rests) {
    const int32_t run = params->filter_width * params->filter_depth;
    const int32_t taps = params->filter_height * run;
    const int32_t is_plain = params->filter_width == 1
        || (params->dilation_width == 1 && params->filter_depth == params->input_depth);
    const int32_t rest = has_rests ? run % 4 : 0;
    if (taps <= TFLM_COPY_BYTES) {
        fill_up(params, copies, taps);
        fill_up(params, copies + 2 * TFLM_COPY_BYTES, rest * params->filter_height);
    }
    return (tflm_view_t) {
        .params = params,
        .to = to,
        .offsets = tflm_both(2 * params->input_offset),
        .taps = taps,
        .run = run,
        .rest = rest,
        .row = (int32_t)((uint32_t)params->dilation_height
            * (uint32_t)(params->input_width * params->input_depth)),
        .is_plain = is_plain,
        .is_direct = is_plain && (has_rests || run % 4 == 0),
        .tops = places(params->input_height, params->filter_height, params->dilation_height),
        .lefts = places(params->input_width, params->filter_width, params->dilation_width),
        .copies = taps <= TFLM_COPY_BYTES ? copies : NULL,
    };
}

static int32_t is_inside(const tflm_view_t *view, const tflm_window_t *window) {
    return (uint32_t)window->top < view->tops && (uint32_t)window->left < view->lefts;
}

static inline void copy(int8_t *to, const int8_t *from, int32_t count) {
    for (; count >= 4; count -= 4, to += 4, from += 4) {
        memcpy(to, from, 4);
    }
    for (; count > 0; count--) {
        *to++ = *from++;
    }
}

// Copies the values of rows that lie in one piece.
static void copy_rows(
    const tflm_view_t *view, const tflm_window_t *window, int32_t skip, int8_t *to) {
    const tflm_conv_2d_t *params = view->params;
    const uint32_t height = (uint32_t)params->input_height;
    const int32_t first = window->left < 0 ? -window->left : 0;
    const int32_t room = params->input_width - window->left;
    const int32_t end = params->filter_width < room ? params->filter_width : room;
    const int32_t count = (end - first) * params->filter_depth;
    const int8_t *image = window->image + skip + (window->left + first) * params->input_depth;
    const uint32_t bytes = (uint32_t)(params->input_width * params->input_depth);
    uint32_t y = (uint32_t)window->top;
    to += first * params->filter_depth;
    for (int32_t i = params->filter_height; i > 0; i--) {
        if (y < height) {
            copy(to, image + y * bytes, count);
        }
        to += view->run;
        y += (uint32_t)params->dilation_height;
    }
}

// Copies the values of each tap.
static void copy_taps(
    const tflm_view_t *view, const tflm_window_t *window, int32_t skip, int8_t *to) {
    const tflm_conv_2d_t *params = view->params;
    const uint32_t height = (uint32_t)params->input_height, width = (uint32_t)params->input_width;
    const uint32_t step = (uint32_t)params->input_depth;
    uint32_t y = (uint32_t)window->top;
    for (int32_t i = params->filter_height; i > 0; i--) {
        uint32_t x = (uint32_t)window->left;
        for (int32_t j = params->filter_width; j > 0; j--) {
            if (y < height && x < width) {
                copy(to, window->image + skip + (y * width + x) * step, params->filter_depth);
            }
            to += params->filter_depth;
            x += (uint32_t)params->dilation_width;
        }
        y += (uint32_t)params->dilation_height;
    }
}

// Copies the window of one position; what is outside the image becomes the input's zero point.
static void copy_window(
    const tflm_view_t *view, const tflm_window_t *window, int32_t skip, int8_t *to) {
    if (!is_inside(view, window)) {
        memset(to, -view->params->input_offset, (size_t)view->taps);
    }
    if (view->is_plain) {
        copy_rows(view, window, skip, to);
    } else {
        copy_taps(view, window, skip, to);
    }
}

// Tells whether two windows of one row are cut off at the top or bottom at most.
static int32_t is_between(const tflm_view_t *view, const tflm_window_t windows[2]) {
    return windows[0].top == windows[1].top && windows[0].image == windows[1].image
        && view->params->dilation_height == 1 && (uint32_t)windows[0].left < view->lefts
        && (uint32_t)windows[1].left < view->lefts;
}

static int16_t *widen_nothing(int16_t *to, int32_t count) {
    for (; count > 0; count -= 4, to += TFLM_FOUR) {
        tflm_put(to, 0);
        tflm_put(to + TFLM_SLOT, 0);
        tflm_put(to + TFLM_ODD, 0);
        tflm_put(to + TFLM_ODD + TFLM_SLOT, 0);
    }
    return to;
}

// Runs are whole fours.
static void widen_between(
    const tflm_view_t *view, const tflm_window_t windows[2], int32_t skip) {
    const tflm_conv_2d_t *params = view->params;
    const int32_t top = windows[0].top, taps = params->filter_height;
    const int32_t first = top >= 0 ? 0 : -top < taps ? -top : taps;
    const int32_t room = params->input_height - top;
    const int32_t end = taps < room ? taps : room > first ? room : first;
    int16_t *to = widen_nothing(view->to, first * view->run);
    if (end > first) {
        const int32_t moved = skip + first * view->row;
        const tflm_runs_t runs = {
            .first = tflm_view_first(view, &windows[0]) + moved,
            .second = tflm_view_first(view, &windows[1]) + moved,
            .run = view->run,
            .skip = view->row,
            .rows = end - first,
            .offsets = view->offsets,
        };
        tflm_dsp_widen_both(to, &runs);
        to += runs.rows * view->run * 2;
    }
    widen_nothing(to, (taps - end) * view->run);
}

// Two pieces of `count` values, or up to three more of anything, that lie in order.
static void widen_pieces(const tflm_view_t *view, int16_t *to, const int8_t *first,
    const int8_t *second, int32_t count) {
    const tflm_runs_t runs = {first, second, (count + 3) & ~3, 0, 1, view->offsets};
    tflm_dsp_widen_both(to, &runs);
}

void tflm_dsp_gather_rows(
    const tflm_view_t *view, const int8_t *first, const int8_t *second, int32_t row) {
    const int32_t rows = view->params->filter_height, rest = view->rest;
    const int32_t whole = view->run - rest;
    if (whole != 0) {
        const tflm_runs_t runs = {first, second, whole, row, rows, view->offsets};
        tflm_dsp_widen_both(view->to, &runs);
    }
    if (rest == 0) {
        return;
    }
    int8_t *const rests = view->copies + 2 * TFLM_COPY_BYTES;
    int8_t *to = rests;
    first += whole;
    second += whole;
    for (int32_t i = rows; i > 0; i--, first += row, second += row) {
        for (int32_t k = 0; k < rest; k++, to++) {
            to[0] = first[k];
            to[TFLM_COPY_BYTES] = second[k];
        }
    }
    widen_pieces(view, view->to + rows * whole * 2, rests, rests + TFLM_COPY_BYTES, rows * rest);
}

void tflm_dsp_gather_any(
    const tflm_view_t *view, const tflm_window_t windows[2], int32_t skip) {
    int8_t *const copies = view->copies;
    if (view->is_direct && is_inside(view, &windows[0]) && is_inside(view, &windows[1])) {
        tflm_dsp_gather_rows(view, tflm_view_first(view, &windows[0]) + skip,
            tflm_view_first(view, &windows[1]) + skip, view->row);
    } else if (view->is_direct && view->rest == 0 && is_between(view, windows)) {
        widen_between(view, windows, skip);
    } else if (copies != NULL) {
        copy_window(view, &windows[0], skip, copies);
        copy_window(view, &windows[1], skip, copies + TFLM_COPY_BYTES);
        if (view->rest != 0) {
            tflm_dsp_gather_rows(view, copies, copies + TFLM_COPY_BYTES, view->run);
        } else {
            widen_pieces(view, view->to, copies, copies + TFLM_COPY_BYTES, view->taps);
        }
    } else {
        int16_t *to = view->to;
        tflm_gather(to, view->params, &windows[0], skip, view->is_plain, view->offsets);
        tflm_gather(
            to + TFLM_SLOT, view->params, &windows[1], skip, view->is_plain, view->offsets);
    }
}
