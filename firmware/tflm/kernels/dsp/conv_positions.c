#include "conv_positions.h"

#include "../common/split.h"
#include "conv_cursor.h"
#include "conv_gather.h"
#include "conv_pairs.h"
#include "conv_threes.h"
#include "conv_wide.h"
#include "dense_rows.h"
#include "wide_four.h"

_Static_assert(TFLM_ROOM >= 3 * TFLM_WIDE_APART, "the windows of four positions fit");

// What stays the same over the positions, except what the functions in assembly note on their first
// call.
typedef struct {
    const tflm_dsp_convolution_t *conv;
    tflm_view_t view;
    int32_t channels;       // of a group
    int32_t is_flat;        // all positions lie in one row, of pixels side by side
    int32_t is_clamped;     // outputs to less than int8
    tflm_dsp_pairs_t pairs;
    tflm_dsp_wide_t wide;   // four channels after four
    tflm_dsp_wide_t last;   // the last four where their number is no multiple of four
    int32_t step;           // words of the stream for four channels
    tflm_dsp_wide_four_t four;  // the same as `wide` at four positions
} walk_t;

static int32_t is_flat(const tflm_dsp_convolution_t *conv) {
    const tflm_conv_2d_t *params = conv->params;
    return params->filter_height == 1 && params->filter_width == 1 && params->stride_height == 1
        && params->stride_width == 1 && params->pad_top == 0 && params->pad_left == 0
        && params->output_height == params->input_height
        && params->output_width == params->input_width
        && params->filter_depth == params->input_depth;
}

static void set_wide(tflm_dsp_wide_t *wide, const tflm_dsp_convolution_t *conv, int32_t fours,
    int32_t channels, int32_t skip) {
    wide->window = conv->window;
    wide->channels = channels;
    wide->finish = 0;  // so that the first call writes what is not set here
    wide->window_end = conv->window + fours * TFLM_FOUR;
    wide->stream = conv->stream + skip;
    wide->form = conv->form;
}

static void start(walk_t *walk, const tflm_dsp_convolution_t *conv, int8_t *copies) {
    const tflm_conv_2d_t *params = conv->params;
    const int32_t channels =
        params->output_depth / (params->input_depth / params->filter_depth);
    walk->conv = conv;
    tflm_dsp_view(&walk->view, params, conv->window, copies, conv->stream != NULL);
    walk->channels = channels;
    walk->is_flat = is_flat(conv);
    walk->is_clamped =
        params->activation_min != INT8_MIN || params->activation_max != INT8_MAX;
    const int32_t taps = walk->view.taps, fours = (taps + 3) / 4;
    if (conv->stream != NULL) {
        walk->step = tflm_dsp_wide_step(fours, conv->form);
        set_wide(&walk->wide, conv, fours, channels & ~(TFLM_WIDE_CHANNELS - 1), 0);
        if (channels % TFLM_WIDE_CHANNELS != 0) {
            set_wide(&walk->last, conv, fours, TFLM_WIDE_CHANNELS,
                channels / TFLM_WIDE_CHANNELS * walk->step);
        }
    } else {
        walk->pairs = (tflm_dsp_pairs_t) {
            .window = conv->window,
            .rest = taps & 3,
            .step = taps,
            .window_end = conv->window + taps / 4 * TFLM_FOUR,
            .form = conv->form,
        };
    }
    for (int32_t slot = 0; slot < 2 && taps % 4 != 0; slot++) {
        tflm_leave_out(conv->window + slot * TFLM_SLOT, taps, -taps & 3);
    }
}

// How many of the next `left` positions have windows inside the image, one stride after another.
static int32_t count_inside(const walk_t *walk, const tflm_cursor_t *cursor, int32_t left) {
    const tflm_conv_2d_t *params = walk->conv->params;
    const tflm_window_t *window = &cursor->window;
    if (!walk->view.is_direct) {
        return 0;
    }
    if (walk->is_flat) {
        return left;
    }
    if ((uint32_t)window->top >= walk->view.tops || (uint32_t)window->left >= walk->view.lefts) {
        return 0;
    }
    const int32_t steps = ((int32_t)walk->view.lefts - 1 - window->left) / params->stride_width;
    const int32_t room = params->output_width - cursor->x, most = left < room ? left : room;
    return steps < most ? steps + 1 : most;
}

// One channel, as a pair with itself.
static void run_single(tflm_dsp_pairs_t pairs) {
    const tflm_dsp_channel_t twice[] = {*pairs.channel, *pairs.channel};
    int8_t *const output[] = {pairs.output[0], pairs.output[1]};
    int8_t both[2][2];
    pairs.channel = twice;
    pairs.step = 0;
    pairs.loop = 0;
    pairs.output[0] = both[0];
    pairs.output[1] = both[1];
    pairs.output_end = both[0] + 2;
    tflm_dsp_pairs(&pairs);
    *output[0] = both[0][0];
    *output[1] = both[1][0];
}

// The same layer from channel c on.
static tflm_dsp_pairs_t pairs_from(const tflm_dsp_pairs_t *all, int32_t c) {
    tflm_dsp_pairs_t pairs = *all;
    pairs.channel += c;
    pairs.filter += c * pairs.step;
    pairs.output[0] += c;
    pairs.output[1] += c;
    return pairs;
}

// Pairs of channels first..last-1, with addresses of code that only this call keeps.
static void run_share(const void *context, int32_t first, int32_t last) {
    const tflm_dsp_pairs_t *all = context;
    tflm_dsp_pairs_t pairs = pairs_from(all, 2 * first);
    pairs.output_end = all->output[0] + 2 * last;
    tflm_dsp_pairs(&pairs);
}

// The channels of one group, from the im2col windows to outputs; cores share them.
static void run_group(walk_t *walk, int32_t group, int8_t *const outputs[2]) {
    const tflm_dsp_convolution_t *conv = walk->conv;
    const int32_t c = group * walk->channels, even = walk->channels & ~1;
    const int32_t skip = (group - conv->first_group) * walk->channels * walk->view.taps;
    tflm_dsp_pairs_t *pairs = &walk->pairs;
    pairs->channel = conv->channels + c;
    pairs->filter = conv->filter + skip;
    pairs->output[0] = outputs[0] + c;
    pairs->output[1] = outputs[1] + c;
    pairs->output_end = pairs->output[0] + even;
    if (tflm_can_split(even / 2)) {
        tflm_split(run_share, pairs, even / 2);
    } else if (even != 0) {
        tflm_dsp_pairs(pairs);
    }
    if (walk->channels != even) {
        run_single(pairs_from(pairs, even));
    }
}

// Whether run_alone() may be called.
static int32_t goes_alone(const walk_t *walk) {
    return walk->conv->stream == NULL && walk->view.taps % 4 == 0
        && walk->channels % TFLM_ROWS == 0;
}

// The channels of one group at a single position. im2col writes its window twice, as two rows of a
// fully connected layer: that is faster than a pair of equal positions.
static void run_alone(walk_t *walk, int32_t group, int8_t *output) {
    const tflm_dsp_convolution_t *conv = walk->conv;
    const int32_t c = group * walk->channels, taps = walk->view.taps;
    int16_t *to = conv->window;
    for (const int16_t *x = to; x != walk->pairs.window_end; x += TFLM_FOUR, to += TFLM_FOUR / 2) {
        uint32_t even, odd;
        memcpy(&even, x, sizeof(even));
        memcpy(&odd, x + TFLM_ODD, sizeof(odd));
        tflm_put(to, even);
        tflm_put(to + TFLM_SLOT, odd);
    }
    tflm_dsp_dense_t dense = {
        .values = conv->window,
        .channel = conv->channels + c,
        .rows = conv->filter + (group - conv->first_group) * walk->channels * taps,
        .step = taps,
        .output = output + c,
        .end = output + c + walk->channels,
        .is_wide = 1,
        .count = taps,
        .form = conv->form,
    };
    tflm_dsp_dense(&dense);
}

// Two positions of a wide layer.
typedef struct {
    const walk_t *walk;
    int8_t *outputs[2];
} wide_share_t;

// Fours of channels first..last-1.
static void run_wide_share(const void *context, int32_t first, int32_t last) {
    const wide_share_t *share = context;
    tflm_dsp_wide_t wide = share->walk->wide;
    wide.stream += first * share->walk->step;
    wide.channels = TFLM_WIDE_CHANNELS * (last - first);
    first *= TFLM_WIDE_CHANNELS;
    tflm_dsp_wide(&wide, share->outputs[0] + first, share->outputs[1] + first);
}

// All channels from the stream. Where they are no multiple of four, the last four begin earlier, and
// some run twice.
static inline void run_wide(walk_t *walk, int8_t *output0, int8_t *output1) {
    const int32_t fours = walk->channels / TFLM_WIDE_CHANNELS;
    if (tflm_can_split(fours)) {
        const wide_share_t share = {walk, {output0, output1}};
        tflm_split(run_wide_share, &share, fours);
    } else {
        tflm_dsp_wide(&walk->wide, output0, output1);
    }
    if (walk->channels % TFLM_WIDE_CHANNELS != 0) {
        const int32_t skip = walk->channels - TFLM_WIDE_CHANNELS;
        tflm_dsp_wide(&walk->last, output0 + skip, output1 + skip);
    }
}

static void clamp(const walk_t *walk, int8_t *const outputs[2]) {
    const tflm_dsp_convolution_t *conv = walk->conv;
    const tflm_conv_2d_t *params = conv->params;
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const int32_t skip = conv->first_group * walk->channels;
    const int32_t channels = (conv->end_group - conv->first_group) * walk->channels;
    tflm_dsp_clamp(outputs[0] + skip, channels, range);
    tflm_dsp_clamp(outputs[1] + skip, channels, range);
}

// Fours of channels first..last-1 at four positions.
static void run_four_share(const void *context, int32_t first, int32_t last) {
    const walk_t *walk = context;
    tflm_dsp_wide_four_t four = walk->four;
    four.left = TFLM_WIDE_LEFT * TFLM_WIDE_CHANNELS * (last - first);
    four.stream += first * walk->step;
    four.output += first * TFLM_WIDE_CHANNELS;
    tflm_dsp_wide_four(&four);
}

// What is left to do at four positions after all whole fours of channels.
static __attribute__((noinline)) void finish_four(walk_t *walk, int8_t *output) {
    if (walk->channels % TFLM_WIDE_CHANNELS != 0) {
        tflm_dsp_wide_four_t last = walk->four;
        last.left = TFLM_WIDE_LEFT * TFLM_WIDE_CHANNELS;
        last.stream += walk->channels / TFLM_WIDE_CHANNELS * walk->step;
        last.output += walk->channels - TFLM_WIDE_CHANNELS;
        tflm_dsp_wide_four(&last);
    }
    if (walk->is_clamped) {
        int8_t *const third = output + 2 * walk->four.depth;
        clamp(walk, (int8_t *[]) {output, output + walk->four.depth});
        clamp(walk, (int8_t *[]) {third, third + walk->four.depth});
    }
}

// All channels at four positions, from the stream as in run_wide().
static inline void run_four(walk_t *walk, int8_t *output) {
    const int32_t fours = walk->channels / TFLM_WIDE_CHANNELS;
    walk->four.output = output;
    if (tflm_can_split(fours)) {
        tflm_split(run_four_share, walk, fours);
    } else {
        tflm_dsp_wide_four(&walk->four);
    }
    if (walk->is_clamped || walk->channels % TFLM_WIDE_CHANNELS != 0) {
        finish_four(walk, output);
    }
}

// The windows of four positions, wherever they lie; moves on *cursor.
static void gather_four(walk_t *walk, tflm_cursor_t *cursor) {
    const tflm_conv_2d_t *params = walk->conv->params;
    tflm_view_t *view = &walk->view;
    int16_t *const windows = view->to;
    for (int32_t pair = 0; pair < 2; pair++, view->to += TFLM_WIDE_APART) {
        tflm_window_t both[2];
        both[0] = cursor->window;
        tflm_cursor_step(cursor, params);
        both[1] = cursor->window;
        tflm_cursor_step(cursor, params);
        tflm_dsp_gather_any(view, both, 0);
    }
    view->to = windows;
}

// The same for some side by side in the image, as far as fours go.
static __attribute__((noinline)) void run_fours(
    walk_t *walk, const int8_t *first, int32_t count, int8_t *output) {
    const tflm_view_t *view = &walk->view;
    const int32_t advance = view->params->stride_width * view->params->input_depth;
    const int32_t depth = walk->four.depth;
    int16_t *const to = view->to;
    for (; count >= 4; count -= 4, output += 4 * depth) {
        tflm_dsp_gather_rows(view, to, first, first + advance, &view->image);
        first += 2 * advance;
        tflm_dsp_gather_rows(view, to + TFLM_WIDE_APART, first, first + advance, &view->image);
        first += 2 * advance;
        run_four(walk, output);
    }
}

// Behind three times TFLM_WIDE_APART values at `room` a window may end at a multiple of as many.
static void start_fours(walk_t *walk, int16_t *room) {
    const int32_t taps = walk->view.taps, fours = (taps + 3) / 4;
    const uintptr_t bytes = TFLM_WIDE_APART * sizeof(*room);
    int16_t *const end = room + (-(uintptr_t)room % bytes + bytes) / sizeof(*room);
    int16_t *const begin = end - fours * TFLM_FOUR;
    for (int16_t *to = begin; to != begin + 2 * TFLM_SLOT && taps % 4 != 0; to += TFLM_SLOT) {
        tflm_leave_out(to, taps, -taps & 3);
        tflm_leave_out(to + TFLM_WIDE_APART, taps, -taps & 3);
    }
    walk->four = (tflm_dsp_wide_four_t) {
        .begin = begin,
        .left = TFLM_WIDE_LEFT * walk->wide.channels,
        .stream = walk->conv->stream,
        .depth = walk->conv->params->output_depth,
        .fours = fours,
        .form = walk->conv->form,
    };
    walk->view.to = begin;
}

// Four positions after four, as far as they go. Returns the first one that is left.
static __attribute__((noinline)) int32_t walk_fours(walk_t *walk, int32_t first, int32_t end) {
    const tflm_dsp_convolution_t *conv = walk->conv;
    start_fours(walk, conv->room);
    tflm_cursor_t cursor = tflm_cursor_at(conv->params, conv->input, first);
    while (end - first >= 4) {
        const int32_t inside = count_inside(walk, &cursor, end - first) & ~3;
        int8_t *output = conv->output + first * conv->params->output_depth;
        if (inside != 0) {
            run_fours(walk, tflm_view_first(&walk->view, &cursor.window), inside, output);
            first += inside;
            cursor = tflm_cursor_at(conv->params, conv->input, first);
        } else {
            gather_four(walk, &cursor);
            run_four(walk, output);
            first += 4;
        }
    }
    walk->view.to = conv->window;
    return first;
}

// An even number of positions, whose windows lie inside the image side by side.
static void run_inside(walk_t *walk, const int8_t *first, int32_t count, int8_t *output) {
    const tflm_dsp_convolution_t *conv = walk->conv;
    const tflm_conv_2d_t *params = conv->params;
    const int32_t advance = params->stride_width * params->input_depth;
    const int32_t depth = params->output_depth;
    for (; count > 0; count -= 2, first += 2 * advance, output += 2 * depth) {
        int8_t *const outputs[] = {output, output + depth};
        if (conv->stream != NULL) {
            tflm_dsp_gather_rows(
                &walk->view, conv->window, first, first + advance, &walk->view.image);
            run_wide(walk, output, output + depth);
        } else {
            for (int32_t group = conv->first_group; group < conv->end_group; group++) {
                const int8_t *window = first + group * params->filter_depth;
                tflm_dsp_gather_rows(
                    &walk->view, conv->window, window, window + advance, &walk->view.image);
                run_group(walk, group, outputs);
            }
        }
        if (walk->is_clamped) {
            clamp(walk, outputs);
        }
    }
}

// One position, or two, wherever their windows lie; moves on *cursor. One goes with itself.
static int32_t run_any(walk_t *walk, tflm_cursor_t *cursor, int32_t left, int8_t *output) {
    const tflm_dsp_convolution_t *conv = walk->conv;
    const tflm_conv_2d_t *params = conv->params;
    // Where there are groups, the first row's input is still wanted when outputs of the first
    // group are written: two positions of different rows do not go together then.
    const int32_t ends_row = conv->end_group - conv->first_group > 1 ? params->output_width : 0;
    const int32_t count = left > 1 && cursor->x + 1 != ends_row ? 2 : 1;
    tflm_window_t windows[2];
    windows[0] = windows[1] = cursor->window;
    int8_t *outputs[] = {output, output};
    if (count == 2) {
        tflm_cursor_step(cursor, params);
        windows[1] = cursor->window;
        outputs[1] += params->output_depth;
    }
    for (int32_t group = conv->first_group; group < conv->end_group; group++) {
        tflm_dsp_gather_any(&walk->view, windows, group * params->filter_depth);
        if (conv->stream != NULL) {
            run_wide(walk, outputs[0], outputs[1]);
        } else if (count == 1 && goes_alone(walk)) {
            run_alone(walk, group, output);
        } else {
            run_group(walk, group, outputs);
        }
    }
    if (walk->is_clamped) {
        clamp(walk, outputs);
    }
    tflm_cursor_step(cursor, params);
    return count;
}

// Some of `count` positions whose windows lie inside the image side by side, two at least. Returns
// how many.
static __attribute__((noinline)) int32_t run_some(
    walk_t *walk, const int8_t *window, int32_t count, int8_t *output) {
    const tflm_dsp_line_t line = {walk->conv, &walk->view, walk->channels, window, output};
    const int32_t threes = TFLM_THREES ? tflm_dsp_count_threes(&line, count) : 0;
    if (threes != 0) {
        tflm_dsp_run_threes(&line, threes);
        return threes;
    }
    run_inside(walk, window, count & ~1, output);
    return count & ~1;
}

static void walk_positions(walk_t *walk, int32_t first, int32_t end) {
    const tflm_dsp_convolution_t *conv = walk->conv;
    tflm_cursor_t cursor = tflm_cursor_at(conv->params, conv->input, first);
    while (first < end) {
        const int32_t inside = count_inside(walk, &cursor, end - first);
        int8_t *output = conv->output + first * conv->params->output_depth;
        if (inside > 1) {
            const int8_t *window = tflm_view_first(&walk->view, &cursor.window);
            first += run_some(walk, window, inside, output);
            if (first < end) {
                cursor = tflm_cursor_at(conv->params, conv->input, first);
            }
        } else {
            first += run_any(walk, &cursor, end - first, output);
        }
    }
}

// How many positions from `first` on can take one channel block after the other, which repeats the
// im2col: the rest of the row, because its outputs overlap nothing that its windows or later ones
// read; more where their outputs lie before everything that they read, or behind the input.
static int32_t block_at(const tflm_dsp_convolution_t *conv, int32_t first, int32_t end) {
    const tflm_conv_2d_t *params = conv->params;
    const tflm_cursor_t cursor = tflm_cursor_at(conv->params, conv->input, first);
    const int32_t bytes = params->input_width * params->input_depth;
    const int32_t row = tflm_clamp(cursor.window.top, 0, params->input_height);
    const uintptr_t needed = (uintptr_t)(cursor.window.image + row * bytes);
    const uintptr_t behind =
        (uintptr_t)(conv->input + params->batches * params->input_height * bytes);
    const uintptr_t output = (uintptr_t)(conv->output + first * params->output_depth);
    const uint32_t room =
        output < needed ? (uint32_t)(needed - output) / (uint32_t)params->output_depth : 0;
    if (output >= behind || room >= (uint32_t)(end - first)) {
        return end - first;
    }
    const int32_t in_row = params->output_width - cursor.x;
    const int32_t count = in_row < (int32_t)room ? (int32_t)room : in_row;
    // The last one of a row that has no partner goes with the first one of the next.
    return count >= end - first ? end - first : count < 2 ? 2 : count & ~1;
}

// A filter that exceeds the cache before a chip's flash would be read again for each two positions.
// So some of its channels are computed for a block of positions, then the next ones. Every second
// block of positions begins with the channels that the cache still holds.
static void walk_slabs(walk_t *walk, int32_t first, int32_t end) {
    const tflm_dsp_convolution_t *conv = walk->conv;
    const int32_t channels = walk->channels, taps = walk->view.taps;
    const int32_t slabs = (channels * taps + TFLM_SLAB - 1) / TFLM_SLAB;
    const int32_t slab = ((channels + slabs - 1) / slabs + 1) & ~1;
    tflm_dsp_convolution_t part = *conv;
    int32_t is_backwards = 0;
    for (int32_t count; first < end; first += count, is_backwards ^= 1) {
        count = block_at(conv, first, end);
        walk->conv = conv;
        walk->channels = channels;
        if (count <= 2) {
            walk_positions(walk, first, first + count);
            continue;
        }
        walk->conv = &part;
        for (int32_t done = 0; done < channels; done += slab) {
            const int32_t c = is_backwards ? (channels - 1) / slab * slab - done : done;
            walk->channels = channels - c < slab ? channels - c : slab;
            part.channels = conv->channels + c;
            part.filter = conv->filter + c * taps;
            part.output = conv->output + c;
            walk_positions(walk, first, first + count);
        }
    }
}

void tflm_dsp_convolve(const tflm_dsp_convolution_t *conv, int32_t first, int32_t end) {
    int8_t copies[2 * TFLM_COPY_BYTES];
    walk_t walk;
    start(&walk, conv, copies);
    if (conv->has_fours) {
        first = walk_fours(&walk, first, end);
    }
    if (conv->has_slabs && walk.channels * walk.view.taps > TFLM_SLAB) {
        walk_slabs(&walk, first, end);
    } else {
        walk_positions(&walk, first, end);
    }
}
