// DEPTHWISE_CONV_2D for cores with the DSP extension.
//
// 3x3 with an output a channel: four neighbouring channels at a time; a row of outputs from
// columns that were widened once, see conv_depthwise_rows.h. Where channels share an input, and
// filters fit a buffer on the stack: as a grouped convolution. All others: four channels, a window
// at a time.
#include "../../layout.h"

// The plain twin runs layers whose sums or factors the fast code is not exact for.
#define tflm_depthwise_conv_2d_s8 tflm_depthwise_conv_2d_s8_plain
void tflm_depthwise_conv_2d_s8(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, const int32_t *constants,
    int8_t *output, int32_t *scratch);
#include "../portable/conv_depthwise.c"
#undef tflm_depthwise_conv_2d_s8

#include "../split.h"
#include "conv_depthwise_rows.h"
#include "conv_positions.h"

enum {
    COLUMNS = 26,         // widened at once, 24 bytes each
    SHARED_WORDS = 248,   // for a convolution's window and filters
};

typedef struct {
    const tflm_depthwise_conv_2d_t *params;
    tflm_range_t range;
    const int8_t *input, *filter;
    const tflm_dsp_channel_t *channels;
    int32_t form;
    int8_t *output;
} layer_t;

// The rows of a 3x3 window.
typedef struct {
    const int8_t *input[3];  // column 0; for one outside, a row that no output is over yet
    const int8_t *taps[3];   // their rows of the filter
    int32_t outside;         // bit i: row i is
} rows_t;

// What stays the same over the rows.
typedef struct {
    const layer_t *layer;
    const tflm_lanes_t *lanes;               // of a prepared model, or NULL; else
    const tflm_lane_constants_t *constants;  // of channels from 0 on, four by four
    const tflm_lane_constants_t *last;       // of the last four
} walk_t;

// A part of a row of outputs, of at most COLUMNS columns of the image.
typedef struct {
    tflm_column_t *columns;  // of all its windows
    tflm_column_t *to;       // the first of them inside the image, which is its column `first`
    int32_t first, inside;   // how many are inside; 0 or less for none
    int32_t count;           // of all columns
    int32_t outputs;
} part_t;

static void lane_constants(tflm_lane_constants_t *lanes, const tflm_dsp_channel_t *channels) {
    for (int32_t i = 0; i < TFLM_LANES; i++) {
        lanes->start[i] = channels[i].start;
        lanes->factors[i] = channels[i].multiplier;
        lanes->factors[TFLM_LANES + i] = channels[i].addend;
        lanes->factors[2 * TFLM_LANES + i] = channels[i].right;
    }
}

// Copies taps, or clears those of rows that are outside the image.
static void keep_inside(tflm_column_t to[3], const tflm_column_t from[3], int32_t outside) {
    const uint32_t pairs = (outside & 1 ? 0 : 0xFFFF) | (outside & 2 ? 0 : 0xFFFF0000);
    const uint32_t last = outside & 4 ? 0 : 0xFFFFFFFF;
    for (int32_t i = 0; i < 3; i++) {
        const uint32_t *x = from[i].words;
        to[i] = (tflm_column_t) {{
            x[0] & last, x[1] & last, x[2] & pairs, x[3] & pairs, x[4] & pairs, x[5] & pairs}};
    }
}

static rows_t rows_of(const layer_t *layer, int32_t row) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t batch = row / params->output_height;
    const int32_t bytes = params->input_width * params->input_depth;
    const int8_t *image = layer->input + batch * params->input_height * bytes;
    const int32_t top =
        (row - batch * params->output_height) * params->stride_height - params->pad_top;
    const int8_t *inside = image + tflm_clamp(top, 0, params->input_height - 1) * bytes;
    rows_t rows = {.input = {inside, inside, inside}};
    for (int32_t i = 0; i < 3; i++) {
        const uint32_t y = (uint32_t)top + (uint32_t)i * (uint32_t)params->dilation_height;
        rows.taps[i] = layer->filter + 3 * i * params->output_depth;
        if (y < (uint32_t)params->input_height) {
            rows.input[i] = image + (int32_t)y * bytes;
        } else {
            rows.outside |= 1 << i;
        }
    }
    return rows;
}

// The same as tflm_dsp_widen3 where the four channels share one of the input.
static void widen_shared(tflm_column_t *to, const int8_t *const rows[3], int32_t count,
    int32_t step, int32_t offset, int32_t skip) {
    for (; count > 0; count--, to++, skip += step) {
        const int32_t first = rows[0][skip] + offset, second = rows[1][skip] + offset;
        const uint32_t pair = tflm_low_halves((uint32_t)first, (uint32_t)second);
        to->words[0] = to->words[1] = tflm_both(rows[2][skip] + offset);
        to->words[2] = to->words[3] = to->words[4] = to->words[5] = pair;
    }
}

// Makes four channels' constants and taps from c on, the group-th four, in `room` if need be.
static const tflm_lanes_t *lanes_of(
    const walk_t *walk, const rows_t *rows, int32_t group, int32_t c, tflm_lanes_t *room) {
    if (walk->lanes == NULL) {
        const tflm_lane_constants_t *constants =
            c == group * TFLM_LANES ? &walk->constants[group] : walk->last;
        tflm_dsp_lanes3(room, rows->taps, constants, walk->layer->params->output_depth, c);
        if (rows->outside != 0) {
            keep_inside(room->taps, room->taps, rows->outside);
        }
        return room;
    }
    const tflm_lanes_t *lanes = &walk->lanes[group];
    if (rows->outside == 0) {
        return lanes;
    }
    memcpy(room->start, lanes->start, sizeof(room->start));
    memcpy(room->factors, lanes->factors, sizeof(room->factors));
    keep_inside(room->taps, lanes->taps, rows->outside);
    return room;
}

// Fours of channels of a part of a row of outputs, which begins at `output`.
static void run_part(const walk_t *walk, const part_t *part, const rows_t *rows, int32_t first,
    int32_t last, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = walk->layer->params;
    const int32_t depth = params->output_depth, multiplier = params->depth_multiplier;
    const int32_t skip = part->first * params->input_depth, span = part->outputs * depth;
    const uint32_t offsets = tflm_both(params->input_offset);
    tflm_lanes_t room;
    tflm_dsp_row3_t row = {
        .columns = part->columns,
        .advance = (params->stride_width - 3) * (int32_t)sizeof(tflm_column_t),
        .depth = depth,
        .form = walk->layer->form,
    };
    for (int32_t group = first; group < last; group++) {
        // The last group starts early where channels are no multiple of four: some run twice.
        const int32_t room_left = depth - TFLM_LANES, next = group * TFLM_LANES;
        const int32_t c = next < room_left ? next : room_left;
        row.lanes = lanes_of(walk, rows, group, c, &room);
        if (multiplier == 1 && part->inside > 0) {
            tflm_dsp_widen3(part->to, rows->input, part->inside, depth, offsets, skip + c);
        } else if (c % multiplier == 0) {
            widen_shared(part->to, rows->input, part->inside, params->input_depth,
                params->input_offset, skip + c / multiplier);
        }
        row.output = output + c;
        row.end = row.output + span;
        tflm_dsp_row3(&row);
    }
}

// A part of `outputs` outputs whose windows begin at column `left` of the image.
static part_t part_of(
    const walk_t *walk, tflm_column_t columns[COLUMNS], int32_t left, int32_t outputs) {
    const tflm_depthwise_conv_2d_t *params = walk->layer->params;
    const int32_t count = (outputs - 1) * params->stride_width + 3;
    const int32_t blank = left < 0 ? -left : 0, before = blank < count ? blank : count;
    const int32_t room = params->input_width - (left + before), rest = count - before;
    return (part_t) {
        .columns = columns,
        .to = columns + before,
        .first = left + before,
        .inside = rest < room ? rest : room,
        .count = count,
        .outputs = outputs,
    };
}

static void clear_outside(const part_t *part) {
    const tflm_column_t *end = part->columns + part->count;
    for (tflm_column_t *column = part->columns; column < part->to; column++) {
        *column = (tflm_column_t) {{0}};
    }
    tflm_column_t *column = part->to + (part->inside > 0 ? part->inside : 0);
    for (; column < end; column++) {
        *column = (tflm_column_t) {{0}};
    }
}

// Puts the constants of each four channels side by side; returns those of the last four apart,
// which may be among two fours.
static tflm_lane_constants_t lane_up(tflm_dsp_channel_t *channels, int32_t depth) {
    tflm_lane_constants_t four, last;
    lane_constants(&last, channels + depth - TFLM_LANES);
    for (int32_t c = 0; c + TFLM_LANES <= depth; c += TFLM_LANES) {
        lane_constants(&four, channels + c);
        memcpy(channels + c, &four, sizeof(four));
    }
    return last;
}

// How cores share four after four channels: as many shares, each of `fours`, the last one up to
// `all`. Fours that share an input are one, as are the last two where channels are in both.
typedef struct {
    int32_t count, fours, all;
} shares_t;

static shares_t shares_of(const tflm_depthwise_conv_2d_t *params) {
    const int32_t depth = params->output_depth, multiplier = params->depth_multiplier;
    if (multiplier == 1) {
        return (shares_t) {depth / TFLM_LANES, 1, (depth + TFLM_LANES - 1) / TFLM_LANES};
    }
    return (shares_t) {params->input_depth, multiplier / TFLM_LANES, depth / TFLM_LANES};
}

// A row of outputs; `columns` for each core.
typedef struct {
    const walk_t *walk;
    shares_t shares;
    tflm_column_t (*columns)[COLUMNS];
    int32_t parts, is_first;
    rows_t rows;
    int8_t *output;
} row_t;

static void run_row(const void *context, int32_t first, int32_t last) {
    const row_t *row = context;
    const tflm_depthwise_conv_2d_t *params = row->walk->layer->params;
    const shares_t *shares = &row->shares;
    const int32_t end = last == shares->count ? shares->all : last * shares->fours;
    int32_t x = 0;
    for (int32_t left_over = row->parts; left_over > 0; left_over--) {
        const int32_t outputs = (params->output_width - x) / left_over;
        const part_t part = part_of(row->walk, row->columns[first > 0],
            x * params->stride_width - params->pad_left, outputs);
        if (row->parts > 1 || row->is_first) {
            clear_outside(&part);
        }
        run_part(row->walk, &part, &row->rows, first * shares->fours, end,
            row->output + x * params->output_depth);
        x += outputs;
    }
}

// channels: of a layer that is not prepared, or NULL.
static void run_3x3(
    const layer_t *layer, tflm_dsp_channel_t *channels, const tflm_lanes_t *lanes) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth, width = params->output_width;
    const int32_t most = (COLUMNS - 3) / params->stride_width + 1;
    tflm_lane_constants_t last;
    if (channels != NULL) {
        last = lane_up(channels, depth);
    }
    const walk_t walk = {layer, lanes, (const void *)channels, &last};
    tflm_column_t columns[TFLM_CORES][COLUMNS];
    row_t row = {
        .walk = &walk,
        .shares = shares_of(params),
        .columns = columns,
        .parts = (width + most - 1) / most,
        .is_first = 1,
        .output = layer->output,
    };
    for (int32_t y = 0; y < params->batches * params->output_height; y++) {
        row.rows = rows_of(layer, y);
        tflm_split(run_row, &row, row.shares.count);
        tflm_dsp_clamp(row.output, width * depth, layer->range);
        row.output += width * depth;
        row.is_first = 0;
    }
}

// Sums of one window of four channels, of the products alone.
typedef struct {
    uint32_t of[TFLM_LANES];
} sums_t;

static sums_t window_of_four(const layer_t *layer, const int8_t *image, const int8_t *filter,
    uint32_t top, uint32_t left) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const uint32_t height = (uint32_t)params->input_height, width = (uint32_t)params->input_width;
    const uint32_t offsets = tflm_both(params->input_offset);
    uint32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int32_t i = 0; i < params->filter_height; i++) {
        const uint32_t y = top + (uint32_t)i * (uint32_t)params->dilation_height;
        const int8_t *w = filter + i * params->filter_width * params->output_depth;
        uint32_t x = left;
        for (int32_t j = y < height ? params->filter_width : 0; j > 0; j--) {
            if (x < width) {
                const uint32_t word =
                    tflm_load4(image + (y * width + x) * (uint32_t)params->input_depth);
                const uint32_t taps = tflm_load4(w);
                const uint32_t even = tflm_add_even(offsets, word);
                const uint32_t odd = tflm_add_odd(offsets, word);
                s0 = tflm_smlabb(tflm_even(taps), even, s0);
                s2 = tflm_smlatt(tflm_even(taps), even, s2);
                s1 = tflm_smlabb(tflm_odd(taps), odd, s1);
                s3 = tflm_smlatt(tflm_odd(taps), odd, s3);
            }
            w += params->output_depth;
            x += (uint32_t)params->dilation_width;
        }
    }
    return (sums_t) {{s0, s1, s2, s3}};
}

// Any window with an output a channel, of at least four channels.
static void run_any(const layer_t *layer) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth;
    const int32_t positions = params->batches * params->output_height * params->output_width;
    int8_t *output = layer->output;
    for (int32_t position = 0; position < positions; position++, output += depth) {
        const int32_t row = position / params->output_width;
        const int32_t batch = row / params->output_height;
        const int8_t *image =
            layer->input + batch * params->input_height * params->input_width * depth;
        const int32_t y = row - batch * params->output_height;
        const int32_t x = position - row * params->output_width;
        for (int32_t group = 0; group < depth; group += TFLM_LANES) {
            const int32_t c = group + TFLM_LANES <= depth ? group : depth - TFLM_LANES;
            const sums_t sums = window_of_four(layer, image + c, layer->filter + c,
                (uint32_t)(y * params->stride_height - params->pad_top),
                (uint32_t)(x * params->stride_width - params->pad_left));
            for (int32_t i = 0; i < TFLM_LANES; i++) {
                const tflm_dsp_channel_t *channel = &layer->channels[c + i];
                output[c + i] = tflm_dsp_finish(
                    (uint32_t)channel->start + 2 * sums.of[i], channel, layer->form);
            }
        }
        tflm_dsp_clamp(output, depth, layer->range);
    }
}

static tflm_conv_2d_t convolution_of(const tflm_depthwise_conv_2d_t *params) {
    return (tflm_conv_2d_t) {
        .batches = params->batches,
        .input_height = params->input_height,
        .input_width = params->input_width,
        .input_depth = params->input_depth,
        .filter_height = params->filter_height,
        .filter_width = params->filter_width,
        .filter_depth = 1,
        .output_height = params->output_height,
        .output_width = params->output_width,
        .output_depth = params->output_depth,
        .stride_height = params->stride_height,
        .stride_width = params->stride_width,
        .dilation_height = params->dilation_height,
        .dilation_width = params->dilation_width,
        .pad_top = params->pad_top,
        .pad_left = params->pad_left,
        .input_offset = params->input_offset,
        .output_offset = params->output_offset,
        .activation_min = params->activation_min,
        .activation_max = params->activation_max,
    };
}

static int32_t fits_shared(const tflm_depthwise_conv_2d_t *params, int32_t taps) {
    return taps < SHARED_WORDS / 2
        && (taps + 3) / 4 * 4 + (taps * params->depth_multiplier + 3) / 4 <= SHARED_WORDS;
}

// Lays the filters of channels first..end-1 out as a convolution's, taps side by side.
static void turn_filters(
    int8_t *to, const layer_t *layer, int32_t taps, int32_t first, int32_t end) {
    for (int32_t c = first; c < end; c++) {
        const int8_t *from = layer->filter + c;
        for (int32_t k = 0; k < taps; k++, from += layer->params->output_depth) {
            *to++ = *from;
        }
    }
}

// As a convolution with a group for each input channel: as many groups at a time as the buffer
// holds filters of; a row at a time where these are not all. channels: to be given their last
// taps, or NULL where layer->channels have them.
static void run_shared(const layer_t *layer, tflm_dsp_channel_t *channels, int32_t taps) {
    const tflm_conv_2d_t params = convolution_of(layer->params);
    const int32_t per_group = layer->params->depth_multiplier, groups = params.input_depth;
    const int32_t window = (taps + 3) / 4 * 4;
    const int32_t room = (SHARED_WORDS - window) * 4 / (taps * per_group);
    const int32_t batch = room < groups ? room : groups;
    const int32_t rows = params.batches * params.output_height;
    int32_t buffer[SHARED_WORDS];
    int8_t *filters = (int8_t *)(buffer + window);
    tflm_dsp_convolution_t conv = {
        .params = &params,
        .input = layer->input,
        .channels = layer->channels,
        .form = layer->form,
        .output = layer->output,
        .window = (int16_t *)buffer,
    };
    for (int32_t row = 0; row < rows; row = batch == groups ? rows : row + 1) {
        for (int32_t group = 0; group < groups; group = conv.end_group) {
            conv.first_group = group;
            conv.end_group = group + batch < groups ? group + batch : groups;
            const int32_t first = group * per_group, end = conv.end_group * per_group;
            turn_filters(filters, layer, taps, first, end);
            conv.filter = filters;
            if (row == 0 && channels != NULL) {
                tflm_dsp_last_taps(channels + first, end - first, filters, taps);
            }
            tflm_dsp_convolve(&conv, row * params.output_width,
                (batch == groups ? rows : row + 1) * params.output_width);
        }
    }
}

// Arguments as in ../portable/conv_depthwise.c.
void tflm_depthwise_conv_2d_s8(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, const int32_t *constants,
    int8_t *output, int32_t *scratch) {
    const int32_t taps = params->filter_height * params->filter_width;
    tflm_dsp_channel_t *channels = (void *)scratch;
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const tflm_dsp_layer_t shared = {
        .input_scale = params->input_scale,
        .output_scale = params->output_scale,
        .scale_step = params->scale_step,
        .input_offset = params->input_offset,
        .range = range,
        .channels = params->output_depth,
        .taps = taps,
        .filter = filter,
        .tap_step = params->output_depth,
        .channel_step = 1,
    };
    const tflm_dsp_constants_t *prepared = (const void *)constants;
    layer_t layer = {params, range, input, filter, channels, TFLM_EXACT, output};
    const int32_t is_single = params->depth_multiplier == 1 && params->output_depth >= TFLM_LANES;
    // Four neighbouring channels have neighbouring inputs, or one.
    const int32_t is_3x3 = params->filter_height == 3 && params->filter_width == 3
        && params->dilation_width == 1 && params->stride_width <= COLUMNS - 3
        && (is_single || params->depth_multiplier % TFLM_LANES == 0);
    if (prepared != NULL) {
        layer.channels = prepared->channels;
        layer.form = prepared->form;
    } else if ((!is_single && !is_3x3 && !fits_shared(params, taps))
        || !tflm_dsp_channels(channels, &shared, bias, scales)) {
        tflm_depthwise_conv_2d_s8_plain(
            params, input, filter, bias, scales, constants, output, scratch);
        return;
    }
    if (is_3x3 && prepared == NULL) {
        run_3x3(&layer, channels, NULL);
    } else if (is_3x3) {
        run_3x3(&layer, NULL, (const void *)prepared->channels);
    } else if (is_single) {
        run_any(&layer);
    } else {
        run_shared(&layer, prepared == NULL ? channels : NULL, taps);
    }
}
