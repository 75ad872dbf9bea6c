// CONV_2D and DEPTHWISE_CONV_2D of int16 with int8 filters. Source: tensorflow/lite/kernels/
// internal/reference/integer_ops/conv.h, depthwise_conv.h.
#include "generated/layout.h"
#include "../common/bytes.h"
#include "../common/channels_s16.h"
#include "../common/dense_sums.h"
#include "../common/dot.h"
#include "../common/taps.h"

#include <string.h>

enum { CHUNK = 32, TAPS = 160 };  // channels at a time; values of a window in im2col

static tflm_channels_s16_t channels_of(const tflm_conv_2d_s16_t *params, int32_t is_wide,
    const uint8_t *bias, const uint8_t *scales) {
    return (tflm_channels_s16_t){bias, params->bias_bytes, scales, params->scale_step, is_wide,
        tflm_scales(params->input_scale, params->output_scale)};
}

static tflm_finish_s16_t finish_of(const tflm_conv_2d_s16_t *params, int32_t is_wide) {
    return tflm_finish_of_s16(is_wide, params->activation_min, params->activation_max);
}

// Writes the values under a window whose first tap lies at (top, left), 0 outside of the image.
// input: channel 0 of the group in the first pixel
static void gather(const tflm_conv_2d_s16_t *params, const int16_t *input, tflm_taps_t rows,
    int32_t top, int32_t left, int16_t *window) {
    const int32_t depth = params->filter_depth, width = params->filter_width;
    const int32_t pixel = params->input_depth;
    const tflm_taps_t columns =
        tflm_clip_taps(left, width, params->dilation_width, params->input_width);
    const int32_t taps = columns.last > columns.first ? columns.last - columns.first : 0;
    const int32_t is_run = depth == pixel && params->dilation_width == 1;
    for (int32_t ky = 0; ky < params->filter_height; ky++, window += width * depth) {
        if (ky < rows.first || ky >= rows.last || taps == 0) {
            memset(window, 0, (size_t)(width * depth) * sizeof(*window));
            continue;
        }
        const int32_t y = top + ky * params->dilation_height;
        const int32_t x = left + columns.first * params->dilation_width;
        const int16_t *from = input + (y * params->input_width + x) * pixel;
        int16_t *to = window + columns.first * depth;
        if (columns.first > 0) {
            memset(window, 0, (size_t)(columns.first * depth) * sizeof(*window));
        }
        for (int32_t i = is_run ? taps : 1; i <= taps; i++) {
            const int32_t count = is_run ? taps * depth : depth;
            tflm_move((void *)to, (const void *)from, (size_t)count * sizeof(*to));
            from += params->dilation_width * pixel;
            to += count;
        }
        if (columns.last < width) {
            memset(to, 0, (size_t)((width - columns.last) * depth) * sizeof(*window));
        }
    }
}

// Writes outputs; twice, as what the compiler knows of `finish` shortens the loop.
static void finish_row(const uint64_t *sums, const tflm_channel_s16_t *channels,
    const tflm_finish_s16_t *finish, int32_t count, int16_t *output) {
    if (finish->is_wide) {
        tflm_finish_s16_t wide = *finish;
        wide.is_wide = 1;
        for (int32_t i = 0; i < count; i++) {
            output[i] = tflm_finish_s16(sums[i], &channels[i], &wide);
        }
    } else {
        for (int32_t i = 0; i < count; i++) {
            output[i] = tflm_finish_s16(sums[i], &channels[i], finish);
        }
    }
}

// Writes `count` channels of a position, and of the next one where there is a second window, whose
// outputs lie `step` further on.
static void run_channels(const tflm_dense_s16_t *window, const int16_t *second,
    const tflm_channel_s16_t *channels, const tflm_finish_s16_t *finish, int32_t count,
    int32_t step, int16_t *output) {
    tflm_dense_s16_t dense = *window;
    int32_t some;
    for (; count > 0; count -= some, channels += some, output += some) {
        uint64_t all[2][CHUNK], *const sums[] = {all[0], all[1]};
        some = count < CHUNK ? count : CHUNK;
        if (second != NULL) {
            tflm_dense_sums_two_s16(&dense, second, sums, some);
        } else {
            memset(all[0], 0, sizeof(all[0]));
            tflm_dense_sums_s16(&dense, all[0], some);
        }
        dense.rows += some * dense.step;
        for (int32_t i = 0; i < (second != NULL ? 2 : 1); i++) {
            finish_row(all[i], channels, finish, some, output + i * step);
        }
    }
}

typedef struct {
    const tflm_conv_2d_s16_t *params;
    const int8_t *filter;
    tflm_channels_s16_t from;
    tflm_finish_s16_t finish;
    tflm_channel_s16_t *channels;  // all of them, or room for CHUNK
    int32_t taps, group;           // values of a window; channels of a group
} layer_t;

// A row of outputs, with im2col of two windows at a time; a window of one tap needs none. This and
// run_large_row are functions of their own, so that the stack holds the locals of only one.
static __attribute__((noinline)) void run_small_row(
    const layer_t *layer, const int16_t *input, int32_t top, int16_t *output) {
    const tflm_conv_2d_s16_t *params = layer->params;
    const int32_t is_point = params->filter_height == 1 && params->filter_width == 1;
    const int32_t outputs = params->output_depth, taps = layer->taps;
    const tflm_taps_t rows = tflm_clip_taps(
        top, params->filter_height, params->dilation_height, params->input_height);
    int32_t windows;
    for (int32_t x = 0; x < params->output_width; x += windows) {
        const int16_t *first = input;
        windows = params->output_width - x < 2 ? 1 : 2;
        for (int32_t c = 0; c < outputs; c += layer->group, first += params->filter_depth) {
            int16_t gathered[2][TAPS];
            const int16_t *values[2] = {NULL, NULL};
            for (int32_t i = 0; i < windows; i++) {
                const int32_t left = (x + i) * params->stride_width - params->pad_left;
                values[i] = gathered[i];
                if (is_point) {
                    values[i] = first + (top * params->input_width + left) * params->input_depth;
                } else {
                    gather(params, first, rows, top, left, gathered[i]);
                }
            }
            const tflm_dense_s16_t dense = {values[0], layer->filter + c * taps, taps, taps};
            run_channels(&dense, values[1], layer->channels + c, &layer->finish, layer->group,
                outputs, output + c);
        }
        output += windows * outputs;
    }
}

// Adds the products of `count` filters, from `filter` on, and a window whose first tap lies at
// (top, left): row by row of the filter, from where the image lies.
static void add_window(const layer_t *layer, const int16_t *input, int32_t top, int32_t left,
    const int8_t *filter, uint64_t *sums, int32_t count) {
    const tflm_conv_2d_s16_t *params = layer->params;
    const int32_t depth = params->filter_depth, width = params->filter_width;
    const int32_t pixel = params->input_depth, dilation = params->dilation_width;
    const tflm_taps_t rows = tflm_clip_taps(
        top, params->filter_height, params->dilation_height, params->input_height);
    const tflm_taps_t columns = tflm_clip_taps(left, width, dilation, params->input_width);
    const int32_t taps = columns.last > columns.first ? columns.last - columns.first : 0;
    const int32_t is_run = depth == pixel && dilation == 1;  // a row of taps is
    for (int32_t ky = rows.first; ky < rows.last && taps > 0; ky++) {
        const int32_t y = top + ky * params->dilation_height;
        const int32_t x = left + columns.first * dilation;
        tflm_dense_s16_t dense = {
            .values = input + (y * params->input_width + x) * pixel,
            .rows = filter + (ky * width + columns.first) * depth,
            .step = layer->taps,
            .depth = is_run ? taps * depth : depth,
        };
        for (int32_t runs = is_run ? 1 : taps; runs > 0; runs--) {
            tflm_dense_sums_s16(&dense, sums, count);
            dense.values += dilation * pixel;
            dense.rows += depth;
        }
    }
}

// A row of outputs whose windows are large: some channels at all positions, then the next ones.
static __attribute__((noinline)) void run_large_row(
    const layer_t *layer, const int16_t *input, int32_t top, int16_t *output) {
    const tflm_conv_2d_s16_t *params = layer->params;
    const int32_t outputs = params->output_depth;
    int32_t count;
    for (int32_t c = 0; c < outputs; c += count) {
        const int32_t rest = layer->group - c % layer->group;
        const int16_t *first = input + c / layer->group * params->filter_depth;
        tflm_channel_s16_t *channels = layer->channels + c;
        count = rest < CHUNK ? rest : CHUNK;
        if (outputs > CHUNK) {
            channels = layer->channels;
            tflm_load_channels_s16(&layer->from, c, count, channels);
        }
        for (int32_t x = 0; x < params->output_width; x++) {
            const int32_t left = x * params->stride_width - params->pad_left;
            uint64_t sums[CHUNK] = {0};
            add_window(layer, first, top, left, layer->filter + c * layer->taps, sums, count);
            finish_row(sums, channels, &layer->finish, count, output + x * outputs + c);
        }
    }
}

// input    int16 [batches, input_height, input_width, input_depth]
// filter   int8 [output_depth, filter_height, filter_width, filter_depth]; filter_depth divides
//          input_depth: the groups, which divide output_depth
// bias     integers of bias_bytes [output_depth] or NULL
// scales   float32 of the filter
// output   int16 [batches, output_height, output_width, output_depth]; rows in order, as in conv.c
// channels 16 bytes a channel; for CHUNK of them at most where windows are large: of more than one
//          tap, and of more than TAPS values
// What prepare sees to: as in conv.c; zero points are 0.
void tflm_conv_2d_s16(const tflm_conv_2d_s16_t *params, const int16_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, int16_t *output,
    int32_t *channels) {
    const int32_t positions = params->filter_height * params->filter_width;
    const int32_t outputs = params->output_depth;
    const layer_t layer = {
        .params = params,
        .filter = filter,
        .from = channels_of(params, params->is_wide, bias, scales),
        .finish = finish_of(params, params->is_wide),
        .channels = (void *)channels,
        .taps = positions * params->filter_depth,
        .group = outputs / (params->input_depth / params->filter_depth),
    };
    const int32_t is_large = positions > 1 && layer.taps > TAPS;
    if (!is_large || outputs <= CHUNK) {
        tflm_load_channels_s16(&layer.from, 0, outputs, layer.channels);
    }
    for (int32_t b = 0; b < params->batches; b++) {
        for (int32_t y = 0; y < params->output_height; y++) {
            const int32_t top = y * params->stride_height - params->pad_top;
            if (is_large) {
                run_large_row(&layer, input, top, output);
            } else {
                run_small_row(&layer, input, top, output);
            }
            output += params->output_width * outputs;
        }
        input += params->input_height * params->input_width * params->input_depth;
    }
}

enum { LANES = 4, BLOCK = 256, PART = 64 };  // products that fit 32 bits; channels at a time

// The part of a window that lies in the image; steps in values.
typedef struct {
    int32_t rows, columns;
    int32_t next_input, next_filter, row_input, row_filter;  // from a tap, from a row, to the next
} area_t;

// What the outputs of a position are made with.
typedef struct {
    const tflm_channel_s16_t *channels;
    tflm_finish_s16_t finish;
} maker_t;

// Sums of LANES channels.
typedef struct {
    int32_t p, q, r, s;
} lanes_t;

// Where the next tap's input and weights lie, and how far on those of the one after it.
typedef struct {
    const int16_t *x;
    const int8_t *w;
    int32_t next_input, next_filter;  // bytes
} tap_t;

// Adds a product to each sum, and goes on to the next tap.
static inline void add_tap(lanes_t *sums, tap_t *tap) {
#if TFLM_HAS_DSP
    uint32_t low, high, even, odd;
    __asm__(
        "ldr %[odd], [%[w]]\n\t"
        "ldr %[low], [%[x]]\n\t"
        "ldr %[high], [%[x], #4]\n\t"
        "add %[w], %[w], %[next_filter]\n\t"
        "add %[x], %[x], %[next_input]\n\t"
        "sxtb16 %[even], %[odd]\n\t"
        "sxtb16 %[odd], %[odd], ror #8\n\t"
        "smlabb %[p], %[low], %[even], %[p]\n\t"
        "smlatb %[q], %[low], %[odd], %[q]\n\t"
        "smlabt %[r], %[high], %[even], %[r]\n\t"
        "smlatt %[s], %[high], %[odd], %[s]"
        : [p] "+r" (sums->p), [q] "+r" (sums->q), [r] "+r" (sums->r), [s] "+r" (sums->s),
        [x] "+r" (tap->x), [w] "+r" (tap->w), [low] "=&r" (low), [high] "=&r" (high),
        [even] "=&r" (even), [odd] "=&r" (odd)
        : [next_input] "r" (tap->next_input), [next_filter] "r" (tap->next_filter)
        : "memory");
#else
    const int16_t *x = tap->x;
    const int8_t *w = tap->w;
    sums->p += x[0] * w[0];
    sums->q += x[1] * w[1];
    sums->r += x[2] * w[2];
    sums->s += x[3] * w[3];
    tap->x = (const void *)((const int8_t *)x + tap->next_input);
    tap->w = w + tap->next_filter;
#endif
}

// Writes the sums of channels whose inputs and weights are neighbours, from `sums` to `end`. The
// area has at most BLOCK taps. A function of its own, so that what its loops need stays in
// registers.
static __attribute__((noinline)) void sum_lanes(const area_t *area, const int16_t *input,
    const int8_t *filter, lanes_t *sums, const lanes_t *end) {
    const int32_t columns = area->columns;
    const int32_t to_row = area->row_input - columns * area->next_input;
    const int32_t to_filter_row = area->row_filter - columns * area->next_filter;
    for (; sums != end; input += LANES, filter += LANES) {
        tap_t tap = {input, filter, 2 * area->next_input, area->next_filter};
        lanes_t four = {0, 0, 0, 0};
        for (int32_t y = area->rows; y > 0; y--) {
            int32_t i = columns;
            if (TFLM_HAS_DSP && i == 3) {  // most often
                add_tap(&four, &tap);
                add_tap(&four, &tap);
                i = 1;
            }
            for (; i > 0; i--) {
                add_tap(&four, &tap);
            }
            tap.x += to_row;
            tap.w += to_filter_row;
        }
        *sums++ = four;
    }
}

// Writes the channels below `count`, by LANES.
static void run_lanes(const area_t *area, const int16_t *input, const int8_t *filter,
    const maker_t *maker, int32_t count, int16_t *output) {
    tflm_finish_s16_t finish = maker->finish;
    finish.is_wide = 1;  // which the compiler did not know
    for (int32_t c = 0; c < count; c += PART) {
        lanes_t sums[PART / LANES];
        const int32_t some = count - c < PART ? count - c : PART;
        const int32_t *from = (const int32_t *)sums;
        sum_lanes(area, input + c, filter + c, sums, sums + some / LANES);
        const tflm_channel_s16_t *channel = maker->channels + c;
        for (int32_t i = 0; i < some; i++) {
            *output++ = tflm_finish_s16((uint64_t)(int64_t)*from++, channel++, &finish);
        }
    }
}

// Returns the sum of the products of one channel.
static uint64_t sum_lane(const area_t *area, const int16_t *input, const int8_t *filter) {
    uint64_t total = 0;
    for (int32_t y = area->rows; y > 0; y--) {
        const int16_t *x = input;
        const int8_t *w = filter;
        for (int32_t left = area->columns; left > 0;) {
            int32_t sum = 0, count = left < BLOCK ? left : BLOCK;
            left -= count;
            for (; count > 0; count--) {
                sum += *x * *w;
                x += area->next_input;
                w += area->next_filter;
            }
            total += (uint64_t)(int64_t)sum;
        }
        input += area->row_input;
        filter += area->row_filter;
    }
    return total;
}

// Writes all channels of a position. input: channel 0 at the first tap of the area
static void run_position(const area_t *area, const int16_t *input, const int8_t *filter,
    const maker_t *maker, int32_t outputs, int32_t multiplier, int16_t *output) {
    const int32_t is_wide = multiplier == 1 && area->rows * area->columns <= BLOCK;
    int32_t c = is_wide ? outputs & -LANES : 0;
    run_lanes(area, input, filter, maker, c, output);
    input += c;  // where LANES were taken, the multiplier is 1
    for (int32_t shared = multiplier; c < outputs; c++) {
        const uint64_t sum = sum_lane(area, input, filter + c);
        output[c] = tflm_finish_s16(sum, &maker->channels[c], &maker->finish);
        if (--shared == 0) {
            shared = multiplier;
            input++;
        }
    }
}

// As above; filter int8 [1, filter_height, filter_width, output_depth]: output channel c reads
// input channel c / filter_depth, the depth multiplier. Sums are wide.
void tflm_depthwise_conv_2d_s16(const tflm_conv_2d_s16_t *params, const int16_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, int16_t *output,
    int32_t *scratch) {
    const tflm_channels_s16_t from = channels_of(params, 1, bias, scales);
    const maker_t maker = {(void *)scratch, finish_of(params, 1)};
    const int32_t outputs = params->output_depth;
    const int32_t pixel = params->input_depth, line = params->input_width * pixel;
    area_t area = {0, 0, params->dilation_width * pixel, outputs, params->dilation_height * line,
        outputs * params->filter_width};
    tflm_load_channels_s16(&from, 0, outputs, (void *)scratch);
    for (int32_t b = 0; b < params->batches; b++, input += params->input_height * line) {
        for (int32_t i = 0; i < params->output_height * params->output_width; i++) {
            const int32_t y = i / params->output_width, x = i - y * params->output_width;
            const int32_t top = y * params->stride_height - params->pad_top;
            const int32_t left = x * params->stride_width - params->pad_left;
            const tflm_taps_t rows = tflm_clip_taps(
                top, params->filter_height, params->dilation_height, params->input_height);
            const tflm_taps_t columns = tflm_clip_taps(
                left, params->filter_width, params->dilation_width, params->input_width);
            const int16_t *window = input + (top + rows.first * params->dilation_height) * line
                + (left + columns.first * params->dilation_width) * pixel;
            const int8_t *weights =
                filter + rows.first * area.row_filter + columns.first * area.next_filter;
            area.rows = rows.last - rows.first;
            area.columns = columns.last - columns.first;
            run_position(
                &area, window, weights, &maker, outputs, params->filter_depth, output);
            output += outputs;
        }
    }
}
