// Four neighbouring channels at a time; a row of outputs from columns that were widened once, see
// conv_depthwise_rows.h. Cores share the channels of a row.
#include <string.h>

#include "../split.h"
#include "conv_depthwise.h"

// The rows of a 3x3 window.
typedef struct {
    const int8_t *input[3];  // column 0; for one outside, a row that no output is over yet
    const int8_t *taps[3];   // their rows of the filter
    int32_t outside;         // bit i: row i is
} rows_t;

// What stays the same over the rows.
typedef struct {
    const tflm_dsp_depthwise_t *layer;
    const tflm_lanes_t *lanes;               // of a prepared model, or NULL; else
    const tflm_lane_constants_t *constants;  // of channels from 0 on, four by four
    const tflm_lane_constants_t *last;       // of the last four
} walk_t;

// A part of a row of outputs, of at most TFLM_DSP_COLUMNS columns of the image.
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

static rows_t rows_of(const tflm_dsp_depthwise_t *layer, int32_t row) {
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
    const walk_t *walk, tflm_column_t columns[TFLM_DSP_COLUMNS], int32_t left, int32_t outputs) {
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
    tflm_column_t (*columns)[TFLM_DSP_COLUMNS];
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

void tflm_dsp_depthwise_3x3(const tflm_dsp_depthwise_t *layer, tflm_dsp_channel_t *channels,
    const tflm_lanes_t *lanes) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth, width = params->output_width;
    const int32_t most = (TFLM_DSP_COLUMNS - 3) / params->stride_width + 1;
    tflm_lane_constants_t last;
    if (channels != NULL) {
        last = lane_up(channels, depth);
    }
    const walk_t walk = {layer, lanes, (const void *)channels, &last};
    tflm_column_t columns[TFLM_CORES][TFLM_DSP_COLUMNS];
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
