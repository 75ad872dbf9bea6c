#include "convolve.h"

#include "../split.h"
#include "pairs.h"
#include "window.h"

enum { COPY_BYTES = 96 };  // the longest window that is copied before it is widened

// What stays the same over the positions.
typedef struct {
    const tflm_dsp_convolution_t *conv;
    uint32_t offsets;
    int32_t taps, channels;         // of a group's filter; of a group
    int32_t run;                    // values of a window's row
    int32_t row;                    // bytes from one of them to the next in the image
    int32_t is_plain;               // they lie in one piece
    int32_t is_whole;               // and fill words
    uint32_t tops, lefts;           // of windows inside the image: 0..tops-1, 0..lefts-1
    int8_t *copies;                 // of two windows, or NULL where they are longer than that
} walk_t;

// How many places a window has inside the image, along one axis.
static uint32_t places(int32_t extent, int32_t taps, int32_t dilation) {
    const int64_t room = extent - (taps - 1) * (int64_t)dilation;
    return room > 0 && room <= extent ? (uint32_t)room : 0;
}

static walk_t walk_of(const tflm_dsp_convolution_t *conv, int8_t *copies) {
    const tflm_conv_2d_t *params = conv->params;
    const int32_t run = params->filter_width * params->filter_depth;
    const int32_t is_plain = params->filter_width == 1
        || (params->dilation_width == 1 && params->filter_depth == params->input_depth);
    return (walk_t) {
        .conv = conv,
        .offsets = tflm_both(2 * params->input_offset),
        .taps = params->filter_height * run,
        .channels = params->output_depth / (params->input_depth / params->filter_depth),
        .run = run,
        .row = (int32_t)((uint32_t)params->dilation_height
            * (uint32_t)(params->input_width * params->input_depth)),
        .is_plain = is_plain,
        .is_whole = is_plain && run % 4 == 0,
        .tops = places(params->input_height, params->filter_height, params->dilation_height),
        .lefts = places(params->input_width, params->filter_width, params->dilation_width),
        .copies = params->filter_height * run <= COPY_BYTES ? copies : NULL,
    };
}

// One output position after another.
typedef struct {
    int32_t x, y;
    tflm_window_t window;
} cursor_t;

static cursor_t cursor_at(const tflm_dsp_convolution_t *conv, int32_t position) {
    const tflm_conv_2d_t *params = conv->params;
    const int32_t row = position / params->output_width;
    const int32_t batch = row / params->output_height;
    const int32_t x = position - row * params->output_width;
    const int32_t y = row - batch * params->output_height;
    const int32_t bytes = params->input_height * params->input_width * params->input_depth;
    return (cursor_t) {x, y, {
        .image = conv->input + batch * bytes,
        .top = y * params->stride_height - params->pad_top,
        .left = x * params->stride_width - params->pad_left,
    }};
}

static inline void step(cursor_t *cursor, const tflm_conv_2d_t *params) {
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

static int32_t is_inside(const walk_t *walk, const tflm_window_t *window) {
    return (uint32_t)window->top < walk->tops && (uint32_t)window->left < walk->lefts;
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
static void copy_rows(const walk_t *walk, const tflm_window_t *window, int32_t skip, int8_t *to) {
    const tflm_conv_2d_t *params = walk->conv->params;
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
        to += walk->run;
        y += (uint32_t)params->dilation_height;
    }
}

// Copies the values of each tap.
static void copy_taps(const walk_t *walk, const tflm_window_t *window, int32_t skip, int8_t *to) {
    const tflm_conv_2d_t *params = walk->conv->params;
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
    const walk_t *walk, const tflm_window_t *window, int32_t skip, int8_t *to) {
    if (!is_inside(walk, window)) {
        memset(to, -walk->conv->params->input_offset, (size_t)walk->taps);
    }
    if (walk->is_plain) {
        copy_rows(walk, window, skip, to);
    } else {
        copy_taps(walk, window, skip, to);
    }
}

static const int8_t *first_of(const walk_t *walk, const tflm_window_t *window) {
    const tflm_conv_2d_t *params = walk->conv->params;
    const int32_t pixel = window->top * params->input_width + window->left;
    return window->image + pixel * params->input_depth;
}

// Tells whether two windows of one row are cut off at the top or bottom at most.
static int32_t is_between(const walk_t *walk, const tflm_window_t windows[2]) {
    return windows[0].top == windows[1].top && windows[0].image == windows[1].image
        && walk->conv->params->dilation_height == 1 && (uint32_t)windows[0].left < walk->lefts
        && (uint32_t)windows[1].left < walk->lefts;
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

static void widen_between(
    const walk_t *walk, const tflm_window_t windows[2], int32_t skip, tflm_runs_t *runs) {
    const tflm_conv_2d_t *params = walk->conv->params;
    const int32_t top = windows[0].top, taps = params->filter_height;
    const int32_t first = top >= 0 ? 0 : -top < taps ? -top : taps;
    const int32_t room = params->input_height - top;
    const int32_t end = taps < room ? taps : room > first ? room : first;
    int16_t *to = widen_nothing(walk->conv->window, first * walk->run);
    runs->rows = end - first;
    if (runs->rows > 0) {
        runs->first = first_of(walk, &windows[0]) + skip + first * walk->row;
        runs->second = first_of(walk, &windows[1]) + skip + first * walk->row;
        tflm_dsp_widen_both(to, runs);
        to += runs->rows * walk->run * 2;
    }
    widen_nothing(to, (taps - end) * walk->run);
}

// Fills the window of the convolution with those of one group at both positions.
static void gather(const walk_t *walk, const tflm_window_t windows[2], int32_t group) {
    const tflm_conv_2d_t *params = walk->conv->params;
    const int32_t skip = group * params->filter_depth;
    tflm_runs_t runs = {
        .run = walk->run,
        .skip = walk->row,
        .rows = params->filter_height,
        .offsets = walk->offsets,
    };
    if (walk->is_whole && is_inside(walk, &windows[0]) && is_inside(walk, &windows[1])) {
        runs.first = first_of(walk, &windows[0]) + skip;
        runs.second = first_of(walk, &windows[1]) + skip;
    } else if (walk->is_whole && is_between(walk, windows)) {
        widen_between(walk, windows, skip, &runs);
        return;
    } else if (walk->copies != NULL) {
        copy_window(walk, &windows[0], skip, walk->copies);
        copy_window(walk, &windows[1], skip, walk->copies + COPY_BYTES);
        runs.first = walk->copies;
        runs.second = walk->copies + COPY_BYTES;
        runs.run = (walk->taps + 3) & ~3;
        runs.rows = 1;
    } else {
        int16_t *to = walk->conv->window;
        tflm_gather(to, params, &windows[0], skip, walk->is_plain, walk->offsets);
        tflm_gather(to + TFLM_SLOT, params, &windows[1], skip, walk->is_plain, walk->offsets);
        return;
    }
    tflm_dsp_widen_both(walk->conv->window, &runs);
}

// One channel, as a pair with itself.
static void run_single(tflm_dsp_pairs_t pairs) {
    const tflm_dsp_channel_t twice[] = {*pairs.channel, *pairs.channel};
    int8_t *const output[] = {pairs.output[0], pairs.output[1]};
    int8_t both[2][2];
    pairs.channel = twice;
    pairs.last = twice + 2;
    pairs.step = 0;
    pairs.output[0] = both[0];
    pairs.output[1] = both[1];
    tflm_dsp_pairs(&pairs);
    *output[0] = both[0][0];
    *output[1] = both[1][0];
}

// Pairs of channels first..last-1, with addresses of code that only this call keeps.
static void run_share(const void *context, int32_t first, int32_t last) {
    tflm_dsp_pairs_t pairs = *(const tflm_dsp_pairs_t *)context;
    pairs.last = pairs.channel + 2 * last;
    pairs.channel += 2 * first;
    pairs.filter += 2 * first * pairs.step;
    pairs.output[0] += 2 * first;
    pairs.output[1] += 2 * first;
    tflm_dsp_pairs(&pairs);
}

// The channels of one group, from the gathered windows to outputs; cores share them.
static void run_group(
    const walk_t *walk, tflm_dsp_pairs_t *pairs, int32_t group, int8_t *const outputs[2]) {
    const tflm_dsp_convolution_t *conv = walk->conv;
    const int32_t c = group * walk->channels, even = walk->channels & ~1;
    const int8_t *filter =
        conv->filter + (group - conv->first_group) * walk->channels * walk->taps;
    pairs->channel = conv->channels + c;
    pairs->last = pairs->channel + even;
    pairs->filter = filter;
    pairs->output[0] = outputs[0] + c;
    pairs->output[1] = outputs[1] + c;
    if (tflm_can_split(even / 2)) {
        tflm_split(run_share, pairs, even / 2);
        pairs->channel += even;
        pairs->output[0] += even;
        pairs->output[1] += even;
    } else if (even != 0) {
        tflm_dsp_pairs(pairs);
    }
    if (walk->channels != even) {
        tflm_dsp_pairs_t single = *pairs;
        single.filter = filter + even * walk->taps;
        run_single(single);
    }
}

void tflm_dsp_convolve(const tflm_dsp_convolution_t *conv, int32_t first, int32_t end) {
    const tflm_conv_2d_t *params = conv->params;
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    int8_t copies[2 * COPY_BYTES];
    const walk_t walk = walk_of(conv, copies);
    memset(copies, -params->input_offset, sizeof(copies));  // what fills up a window stays
    for (int32_t slot = 0; slot < 2; slot++) {
        tflm_leave_out(conv->window + slot * TFLM_SLOT, walk.taps, -walk.taps & 3);
    }
    tflm_dsp_pairs_t pairs = {
        .window = conv->window,
        .rest = walk.taps & 3,
        .step = walk.taps,
        .window_end = conv->window + walk.taps / 4 * TFLM_FOUR,
        .form = conv->form,
    };
    const int32_t skip = conv->first_group * walk.channels;
    const int32_t channels = (conv->end_group - conv->first_group) * walk.channels;
    cursor_t cursor = cursor_at(conv, first);
    int8_t *output = conv->output + first * params->output_depth;
    // Where there are groups, the first row's input is still wanted when outputs of the first
    // group are written: two positions of different rows do not go together then.
    const int32_t ends_row = conv->end_group - conv->first_group > 1 ? params->output_width : 0;
    for (int32_t left = end - first; left > 0; left--) {
        tflm_window_t windows[2];
        windows[0] = windows[1] = cursor.window;
        int8_t *outputs[] = {output, output};  // one may go with itself
        if (left > 1 && cursor.x + 1 != ends_row) {
            left--;
            step(&cursor, params);
            windows[1] = cursor.window;
            outputs[1] += params->output_depth;
        }
        for (int32_t group = conv->first_group; group < conv->end_group; group++) {
            gather(&walk, windows, group);
            run_group(&walk, &pairs, group, outputs);
        }
        tflm_dsp_clamp(outputs[0] + skip, channels, range);
        tflm_dsp_clamp(outputs[1] + skip, channels, range);
        step(&cursor, params);
        output = outputs[1] + params->output_depth;
    }
}
