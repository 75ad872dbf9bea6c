#include "conv_gather.h"

// How many places a window has inside the image, along one axis.
static uint32_t places(int32_t extent, int32_t taps, int32_t dilation) {
    const int64_t room = extent - (taps - 1) * (int64_t)dilation;
    return room > 0 && room <= extent ? (uint32_t)room : 0;
}

void tflm_dsp_view(tflm_view_t *view, const tflm_conv_2d_t *params, int16_t *to, int8_t *copies,
    int32_t has_rests) {
    const int32_t run = params->filter_width * params->filter_depth;
    const int32_t rows = params->filter_height, taps = rows * run;
    const int32_t rest = has_rests ? run % 4 : 0, is_copied = taps <= TFLM_COPY_BYTES;
    const uint32_t offsets = tflm_both(2 * params->input_offset);
    for (int32_t i = taps; is_copied && i % 4 != 0; i++) {
        copies[i] = copies[TFLM_COPY_BYTES + i] = (int8_t)-params->input_offset;
    }
    view->params = params;
    view->to = to;
    view->offsets = offsets;
    view->taps = taps;
    view->run = run;
    view->rest = rest;
    view->is_plain = params->filter_width == 1
        || (params->dilation_width == 1 && params->filter_depth == params->input_depth);
    view->is_direct = view->is_plain && (has_rests || run % 4 == 0);
    view->tops = places(params->input_height, rows, params->dilation_height);
    view->lefts = places(params->input_width, params->filter_width, params->dilation_width);
    view->image.run = run - rest;
    view->image.skip = (int32_t)((uint32_t)params->dilation_height
        * (uint32_t)(params->input_width * params->input_depth));
    view->image.rows = rows;
    view->image.offsets = offsets;
    view->copied.run = rest != 0 ? run - rest : (taps + 3) & ~3;
    view->copied.skip = rest != 0 ? run : 0;
    view->copied.rows = rest != 0 ? rows : 1;
    view->copied.offsets = offsets;
    view->copies = is_copied ? copies : NULL;
}

static int32_t is_inside(const tflm_view_t *view, const tflm_window_t *window) {
    return (uint32_t)window->top < view->tops && (uint32_t)window->left < view->lefts;
}

static inline void copy(int8_t *to, const int8_t *from, int32_t count) {
    for (; count >= 4; count -= 4, to += 4, from += 4) {
        memcpy(to, from, 4);
    }
    if (count & 2) {
        memcpy(to, from, 2);
        to += 2;
        from += 2;
    }
    if (count & 1) {
        *to = *from;
    }
}

// Copies a window inside the image whose rows lie in one piece. All rows but the last are copied
// by words: what they bring too much the next row covers, and in the image a row follows, too.
static void copy_inside(const tflm_view_t *view, const int8_t *from, int8_t *to) {
    const int32_t run = view->run, skip = view->image.skip;
    for (int32_t i = view->params->filter_height; i > 1; i--, from += skip, to += run) {
        for (int32_t k = 0; k < run; k += 4) {
            memcpy(to + k, from + k, 4);
        }
    }
    copy(to, from, run);
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
    const int32_t is_whole = is_inside(view, window);
    if (is_whole && view->is_plain && view->run >= 4) {
        copy_inside(view, tflm_view_first(view, window) + skip, to);
        return;
    }
    if (!is_whole) {
        const uint32_t zero = (uint8_t)-view->params->input_offset * 0x01010101u;
        for (int32_t i = 0; i < view->taps; i += 4) {
            memcpy(to + i, &zero, sizeof(zero));
        }
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
        const int32_t moved = skip + first * view->image.skip;
        tflm_runs_t runs = view->image;
        runs.rows = end - first;
        tflm_dsp_widen_both(to, tflm_view_first(view, &windows[0]) + moved,
            tflm_view_first(view, &windows[1]) + moved, &runs);
        to += runs.rows * view->run * 2;
    }
    widen_nothing(to, (taps - end) * view->run);
}

// Where a tap's channels lie in the image, NULL for a tap outside it. A coordinate that overflows is
// a large unsigned number: outside.
static const int8_t *tap_at(
    const tflm_conv_2d_t *params, const tflm_window_t *window, int32_t i, int32_t j) {
    const uint32_t width = (uint32_t)params->input_width;
    const uint32_t y = (uint32_t)window->top + (uint32_t)i * (uint32_t)params->dilation_height;
    const uint32_t x = (uint32_t)window->left + (uint32_t)j * (uint32_t)params->dilation_width;
    return y < (uint32_t)params->input_height && x < width
        ? window->image + (y * width + x) * (uint32_t)params->input_depth : NULL;
}

// Any two windows, a tap at a time: its channels are whole fours.
static void widen_taps(const tflm_view_t *view, const tflm_window_t windows[2], int32_t skip) {
    const tflm_conv_2d_t *params = view->params;
    const int32_t depth = params->filter_depth;
    const tflm_runs_t runs = {.run = depth, .skip = 0, .rows = 1, .offsets = view->offsets};
    int16_t *to = view->to;
    for (int32_t i = 0; i < params->filter_height; i++) {
        for (int32_t j = 0; j < params->filter_width; j++, to += 2 * depth) {
            const int8_t *first = tap_at(params, &windows[0], i, j);
            const int8_t *second = tap_at(params, &windows[1], i, j);
            if (first == NULL && second == NULL) {
                widen_nothing(to, depth);
                continue;
            }
            tflm_dsp_widen_both(to, (first != NULL ? first : second) + skip,
                (second != NULL ? second : first) + skip, &runs);
            if (first == NULL || second == NULL) {
                tflm_leave_out(first == NULL ? to : to + TFLM_SLOT, 0, depth);
            }
        }
    }
}

// A byte of each of three rows.
static inline uint32_t column_of(const int8_t *first, int32_t skip) {
    const uint8_t *row = (const uint8_t *)first;
    return row[0] | (uint32_t)row[skip] << 8 | (uint32_t)row[2 * skip] << 16;
}

void tflm_dsp_gather_rests(const tflm_view_t *view, int16_t *to, const int8_t *first,
    const int8_t *second, const tflm_runs_t *runs) {
    static const int8_t steps[] = {
        TFLM_ODD, 1 - TFLM_ODD, TFLM_ODD, TFLM_FOUR - TFLM_ODD - 1};  // of tflm_place()
    const int32_t rest = view->rest, skip = runs->skip - rest;
    const int32_t offset = (int16_t)view->offsets;
    uint32_t k = 0;
    to += runs->rows * runs->run * 2;
    first += runs->run;
    second += runs->run;
    if (rest == 1 && runs->rows == 3) {  // 3x3 pixels of three colours
        tflm_put_both(to, view->offsets, column_of(first, runs->skip),
            column_of(second, runs->skip));
        return;
    }
    for (int32_t i = runs->rows; i > 0; i--, first += skip, second += skip) {
        for (const int8_t *end = first + rest; first != end; to += steps[k++ & 3]) {
            to[0] = (int16_t)(2 * *first++ + offset);
            to[TFLM_SLOT] = (int16_t)(2 * *second++ + offset);
        }
    }
}

void tflm_dsp_gather_any(
    const tflm_view_t *view, const tflm_window_t windows[2], int32_t skip) {
    int8_t *const copies = view->copies;
    if (view->is_direct && is_inside(view, &windows[0]) && is_inside(view, &windows[1])) {
        tflm_dsp_gather_rows(view, view->to, tflm_view_first(view, &windows[0]) + skip,
            tflm_view_first(view, &windows[1]) + skip, &view->image);
    } else if (view->is_direct && view->rest == 0 && is_between(view, windows)) {
        widen_between(view, windows, skip);
    } else if (copies != NULL) {
        copy_window(view, &windows[0], skip, copies);
        copy_window(view, &windows[1], skip, copies + TFLM_COPY_BYTES);
        tflm_dsp_gather_rows(view, view->to, copies, copies + TFLM_COPY_BYTES, &view->copied);
    } else if (view->params->filter_depth % 4 == 0) {
        widen_taps(view, windows, skip);
    } else {
        int16_t *to = view->to;
        tflm_gather_window(to, view->params, &windows[0], skip, view->is_plain, view->offsets);
        tflm_gather_window(
            to + TFLM_SLOT, view->params, &windows[1], skip, view->is_plain, view->offsets);
    }
}
