// Four neighbouring channels at a time; a row of outputs from columns that were widened once, see
// conv_depthwise_rows.h. Cores share the channels of a row.
#include "../common/split.h"
#include "conv_depthwise_layer.h"

// The rows of a 3x3 window.
typedef struct {
    const int8_t *input[3];  // column 0; for one outside, a row that no output is over yet
    int32_t outside;         // bit i: row i is
} rows_t;

// What stays the same over the rows.
typedef struct {
    const tflm_dsp_depthwise_t *layer;
    const int32_t *fours;  // of a prepared model, or NULL: lanes and factors of four after four
    int32_t size;          // bytes of one
} walk_t;

// A part of a row of outputs, from columns of the image.
typedef struct {
    int32_t first, columns;  // those inside the image
    int32_t is_padded;       // its windows begin a column before them
    int32_t outputs;
} part_t;

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
        if (y < (uint32_t)params->input_height) {
            rows.input[i] = image + (int32_t)y * bytes;
        } else {
            rows.outside |= 1 << i;
        }
    }
    return rows;
}

// Sets what four channels need from c on, the group-th four.
static void set_lanes(
    tflm_dsp_fours_t *fours, const walk_t *walk, const rows_t *rows, int32_t group, int32_t c) {
    const tflm_dsp_depthwise_t *layer = walk->layer;
    if (walk->fours == NULL) {
        fours->filter = layer->filter + c;
        fours->lanes = fours->room;
        fours->factors = (const void *)(layer->channels + c);
    } else {
        fours->lanes = (const void *)((const char *)walk->fours + group * walk->size);
        fours->factors = (const void *)(fours->lanes + TFLM_LANES);
    }
    if (rows->outside != 0) {
        fours->source = fours->lanes;
        fours->lanes = fours->room;
    }
}

// What all fours of channels of a part share.
static tflm_dsp_fours_t fours_of(
    const walk_t *walk, const part_t *part, const rows_t *rows, uint32_t *planes, tflm_lane_t *room) {
    const tflm_depthwise_conv_2d_t *params = walk->layer->params;
    const int32_t by_two = params->stride_width - 1;
    const int32_t is_plain = walk->fours == NULL, outside = rows->outside;
    const uint32_t *sums = planes - part->is_padded - by_two;
    // With a value for each field, no call of memset() is needed.
    return (tflm_dsp_fours_t) {
        .planes = planes,
        .input = NULL,
        .second = (int32_t)(rows->input[1] - rows->input[0]),
        .third = (int32_t)(rows->input[2] - rows->input[0]),
        .step = params->input_depth,
        .whole = planes + part->columns / 2 * TFLM_PAIR,
        .offsets = tflm_both(params->input_offset),
        .odd = part->columns % 2,
        .pairs = (part->columns + 1) / 2,
        .lanes = NULL,
        .sums = sums,
        .output = NULL,
        .depth = params->output_depth,
        .sums_end = sums + part->outputs,
        .factors = NULL,
        .way = by_two == 0 ? TFLM_BY_ONE : part->is_padded ? TFLM_BY_TWO_ODD : TFLM_BY_TWO,
        .form = walk->layer->form,
        .groups = 0,
        .lanes_step = is_plain || outside != 0 ? 0 : walk->size,
        .factors_step = is_plain ? TFLM_LANES * (int32_t)sizeof(tflm_dsp_channel_t) : walk->size,
        .filter = NULL,
        .room = room,
        .source = NULL,
        .source_step = (is_plain ? 0 : walk->size) - TFLM_LANES * (int32_t)sizeof(tflm_lane_t),
        .pairs_inside = (outside & 1 ? 0 : 0xFFFF) | (outside & 2 ? 0 : 0xFFFF0000),
        .last_inside = outside & 4 ? 0 : 0xFFFFFFFF,
    };
}

// Fours of channels of a part of a row of outputs, which begins at `output`.
static void run_part(const walk_t *walk, const part_t *part, const rows_t *rows, int32_t first,
    int32_t last, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = walk->layer->params;
    const int32_t depth = params->output_depth, multiplier = params->depth_multiplier;
    const int32_t skip = part->first * params->input_depth, whole = depth / TFLM_LANES;
    uint32_t words[TFLM_PLANES];
    tflm_lane_t room[TFLM_LANES];
    tflm_dsp_fours_t fours = fours_of(walk, part, rows, words + TFLM_BEFORE, room);
    const uint32_t *columns_end = fours.whole;
    const int32_t odd = fours.odd;
    for (int32_t group = first, count; group < last; group += count) {
        // The last group starts early where channels are no multiple of four: some run twice.
        const int32_t room_left = depth - TFLM_LANES, next = group * TFLM_LANES;
        const int32_t c = next < room_left ? next : room_left;
        const int32_t end = last < whole ? last : whole;
        count = multiplier == 1 && group < end ? end - group : 1;
        set_lanes(&fours, walk, rows, group, c);
        fours.input = rows->input[0] + skip + c / multiplier;
        if (multiplier > 1) {
            fours.whole = columns_end;
            fours.odd = odd;
            tflm_dsp_spread(&fours);
            fours.whole = fours.planes;  // nothing is left to widen
            fours.odd = 0;
        }
        fours.output = output + c;
        fours.groups = count;
        tflm_dsp_fours(&fours);
    }
}

// A part of `outputs` outputs whose windows begin at column `left` of the image.
static part_t part_of(const walk_t *walk, int32_t left, int32_t outputs) {
    const tflm_depthwise_conv_2d_t *params = walk->layer->params;
    const int32_t end = left + (outputs - 1) * params->stride_width + 3;
    const int32_t first = left < 0 ? 0 : left;
    return (part_t) {
        .first = first,
        .columns = (end < params->input_width ? end : params->input_width) - first,
        .is_padded = left < 0,
        .outputs = outputs,
    };
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

// A row of outputs.
typedef struct {
    const walk_t *walk;
    shares_t shares;
    int32_t parts;
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
        const part_t part =
            part_of(row->walk, x * params->stride_width - params->pad_left, outputs);
        run_part(row->walk, &part, &row->rows, first * shares->fours, end,
            row->output + x * params->output_depth);
        x += outputs;
    }
}

void tflm_dsp_depthwise_3x3(const tflm_dsp_depthwise_t *layer, const int32_t *fours) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth, width = params->output_width;
    const int32_t most = (2 * TFLM_DSP_PAIRS - 3) / params->stride_width + 1;
    const int32_t factors = layer->form == TFLM_EXACT
        ? TFLM_LANES * (int32_t)sizeof(tflm_dsp_channel_t)
        : TFLM_LINEAR_FACTORS * (int32_t)sizeof(int32_t);
    const walk_t walk = {layer, fours, TFLM_LANES * (int32_t)sizeof(tflm_lane_t) + factors};
    row_t row = {
        .walk = &walk,
        .shares = shares_of(params),
        .parts = (width + most - 1) / most,
        .output = layer->output,
    };
    for (int32_t y = 0; y < params->batches * params->output_height; y++) {
        row.rows = rows_of(layer, y);
        tflm_split(run_row, &row, row.shares.count);
        tflm_dsp_clamp(row.output, width * depth, layer->range);
        row.output += width * depth;
    }
}
