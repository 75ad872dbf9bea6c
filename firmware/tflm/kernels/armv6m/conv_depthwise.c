// DEPTHWISE_CONV_2D for Cortex-M0, M0+ and M3; the portable form is ../portable/conv_depthwise.c.
//
// Narrow filters of one output channel per input channel run as conv_depthwise_taps.h says, any
// others of up to TAPS_MAX taps as conv_pairs.h does: the channels of one input channel are a
// convolution of it.
// Walk: positions in order; of a row, for some channels at a time where cores share it.
#include "../common/conv_depthwise_window.h"
#include "conv_depthwise_edges.h"
#include "conv_depthwise_segment.h"
#include "conv_depthwise_taps.h"
#include "conv_gather.h"
#include "conv_pairs.h"
#include "core.h"

enum { TAPS_MAX = 128 };  // 512 bytes of stack for two windows, as much for two more

static int32_t clip(int32_t value, int32_t limit) {
    return value < 0 ? 0 : value < limit ? value : limit;
}

static int8_t plain(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, tflm_m0_form_t form, const tflm_m0_channel_t *channel,
    const tflm_m0_place_t *place) {
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const int32_t top = place->y * params->stride_height - params->pad_top;
    const int32_t left = place->x * params->stride_width - params->pad_left;
    const uint32_t sum =
        tflm_depthwise_window(params, input, filter, (uint32_t)top, (uint32_t)left);
    return tflm_m0_output(form, (uint32_t)channel->bias + sum, channel, &range);
}

typedef struct {
    int32_t first, last;
} channels_t;

// Channels at a position, for whatever the faster ones are not for. output: the first of all.
static void run_plain(const tflm_depthwise_conv_2d_t *params, const int8_t *filter,
    const tflm_m0_constants_t *made, const tflm_m0_place_t *place, channels_t channels,
    int8_t *output) {
    for (int32_t c = channels.first; c < channels.last; c++) {
        const int8_t *input = place->image + c / params->depth_multiplier;
        output[c] = plain(params, input, filter + c, made->form,
            tflm_m0_channel_at(made->form, made->channels, c), place);
    }
}

// Two positions that conv_depthwise_edges.h is for and conv_depthwise_taps.h is not; top, left:
// where the first window begins. Tells whether there are such. job: of the first position.
static inline int32_t run_edges(const tflm_depthwise_conv_2d_t *params, int32_t is_linear,
    int32_t top, int32_t left, const tflm_m0_place_t *place, tflm_m0_taps_t *job) {
    const int32_t stride = params->stride_width;
    const int32_t right = params->input_width - left - stride;  // columns inside, of the second
    const int32_t edge = left < 0 ? TFLM_M3_LEFT_EDGE
        : right < 3               ? TFLM_M3_RIGHT_EDGE
                                  : TFLM_M3_NO_EDGE;
    if (TFLM_ASSEMBLY == 6 || params->filter_width != 3 || params->filter_height != 3
        || stride > 2 || place->x + 1 >= params->output_width || job->rows < 2 || left < -1
        || right < 2 || (left < 0 && right < 3)
        || (edge == TFLM_M3_NO_EDGE && stride == 1 && job->rows == 3)) {
        return 0;
    }
    job->columns = edge + (stride == 2 ? TFLM_M3_EDGES : 0);
    job->filter -= left < 0 ? params->input_depth : 0;
    const int32_t outside = top < 0 ? -job->filter_row : 2 * job->filter_row;
    (is_linear ? tflm_m3_edges_linear : tflm_m3_edges_exact)(job, job->rows == 3 ? 0 : outside);
    return 1;
}

// All pairs of positions of a row whose windows are inside, from place->x on, at least one; returns
// how many positions.
static inline int32_t run_pairs(const tflm_depthwise_conv_2d_t *params, int32_t is_linear,
    int32_t left, const tflm_m0_place_t *place, tflm_m0_taps_t *job) {
    const int32_t room = params->input_width - left - 3;
    const int32_t wanted = params->output_width - place->x - 1;
    const int32_t last = room < wanted ? room : wanted;
    int8_t *output = job->output;
    int32_t done = 0;
    for (; done < last; done += 2) {
        (is_linear ? tflm_m0_taps_pair_linear : tflm_m0_taps_pair_exact)(job);
        job->input += 2 * params->input_depth;
        job->output += 2 * params->input_depth;
    }
    job->output = output;
    return done;
}

// One position, or more where all windows are inside; returns how many.
static int32_t run_narrow(const tflm_depthwise_conv_2d_t *params, const int8_t *filter,
    const tflm_m0_constants_t *made, const tflm_m0_place_t *place, channels_t channels,
    tflm_m0_taps_t *job) {
    const int32_t c = channels.first;
    const int32_t is_linear = made->form == TFLM_M0_LINEAR;
    const int32_t depth = params->input_depth;
    const int32_t top = place->y * params->stride_height - params->pad_top;
    const int32_t left = place->x * params->stride_width - params->pad_left;
    const int32_t first_row = clip(-top, params->filter_height);
    const int32_t first_column = clip(-left, params->filter_width);
    job->rows = clip(params->input_height - top, params->filter_height) - first_row;
    job->columns = clip(params->input_width - left, params->filter_width) - first_column;
    if (job->rows <= 0 || job->columns <= 0) {
        run_plain(params, filter, made, place, channels, job->output - c);
        return 1;
    }
    job->input =
        place->image + (top + first_row) * job->input_row + (left + first_column) * depth + c;
    job->filter = filter + (first_row * params->filter_width + first_column) * depth + c;
    if (run_edges(params, is_linear, top, left, place, job)) {
        return 2;
    }
    if (job->rows < params->filter_height || job->columns < 3) {
        (is_linear ? tflm_m0_taps_clipped_linear : tflm_m0_taps_clipped_exact)(job);
        return 1;
    }
    const int32_t has_next =
        place->x + 1 < params->output_width && left + 3 < params->input_width;
    if (TFLM_ASSEMBLY != 6 && has_next && job->rows == 3 && params->stride_width == 1) {
        return run_pairs(params, is_linear, left, place, job);
    }
    (is_linear ? tflm_m0_taps_inside_linear : tflm_m0_taps_inside_exact)(job);
    return 1;
}

// A row of outputs.
typedef struct {
    const tflm_depthwise_conv_2d_t *params;
    const int8_t *filter;
    const tflm_m0_constants_t *made;
    tflm_m0_place_t place;
    int8_t *output;
    int32_t positions;  // of a segment
} row_t;

// How many positions of a row conv_depthwise_segment.h takes at a time, 0 where it is not for them.
// A segment costs what another position and a half would. The last one of a row begins early enough
// to end with the row.
static int32_t segment_positions(const tflm_depthwise_conv_2d_t *params) {
    const int32_t width = params->output_width;
    const int32_t stride = params->stride_width;
    const int32_t right = (width - 1) * stride - params->pad_left + 3 - params->input_width;
    if (TFLM_ASSEMBLY == 7 || params->filter_width != 3 || stride > 2 || width < 3
        || params->pad_left > 1 || right > 1) {
        return 0;
    }
    if (stride == 1 && (width == 3 || width == 5) && params->pad_left == 1 && right == 1) {
        return width;
    }
    const int32_t few = stride == 1 ? 4 : 3;
    if (width < 6) {
        return width < few ? 0 : few;
    }
    return (width + 5) / 6 * 15 <= (width + few - 1) / few * (2 * few + 3) ? 6 : few;
}

static tflm_m0_segment_kind_t segment_kind(int32_t stride, const tflm_m0_segment_t *segment) {
    if (stride == 2) {
        return segment->positions == 3 ? TFLM_M0_STRIDE2_3 : TFLM_M0_STRIDE2_6;
    }
    if (segment->positions == 6 && segment->left == segment->right) {
        return segment->left ? TFLM_M0_STRIDE1_6_INSIDE : TFLM_M0_STRIDE1_6_OUTSIDE;
    }
    return segment->positions == 3  ? TFLM_M0_STRIDE1_3_OUTSIDE
        : segment->positions == 4 ? TFLM_M0_STRIDE1_4
        : segment->positions == 5 ? TFLM_M0_STRIDE1_5_OUTSIDE
                                  : TFLM_M0_STRIDE1_6;
}

// A row of outputs by segments, for some channels; tells whether it is one that can be made so.
static int32_t run_segments(const row_t *row, int32_t first, int32_t last) {
    const tflm_depthwise_conv_2d_t *params = row->params;
    const int32_t depth = params->input_depth;
    const int32_t top = row->place.y * params->stride_height - params->pad_top;
    const int32_t first_row = clip(-top, params->filter_height);
    const int32_t rows = clip(params->input_height - top, params->filter_height) - first_row;
    const int32_t positions = row->positions;
    // The C of both cores takes turns.
    if (positions == 0 || rows <= 0 || rows < params->filter_height - 1
        || (TFLM_ASSEMBLY == 0 && row->place.y % 2 == 1)) {
        return 0;
    }
    const int32_t input_row = params->input_width * depth;
    const int32_t filter_row = 3 * depth;
    const int8_t *input = row->place.image + (top + first_row) * input_row + first - depth;
    tflm_m0_segment_t segment = {
        .depth = depth,
        .filter = row->filter + first_row * filter_row + first - depth,
        .filter_span = rows * filter_row,
        .zero_point = tflm_wrapping_sub(0, params->input_offset),
        .outside = rows == params->filter_height ? 0
            : first_row > 0                      ? -filter_row
                                                 : rows * filter_row,
        .channels = tflm_m0_channel_at(row->made->form, row->made->channels, first),
        .end = tflm_m0_channel_at(row->made->form, row->made->channels, last),
        .rounding = tflm_m0_rounding(params->output_offset),
        .minimum = params->activation_min,
        .maximum = params->activation_max,
        .positions = positions,
    };
    const int32_t columns = params->stride_width * (positions - 1) + 3;
    for (int32_t x = 0; x < params->output_width; x += positions) {
        x = x + positions > params->output_width ? params->output_width - positions : x;
        const int32_t left = x * params->stride_width - params->pad_left;
        segment.left = left >= 0;
        segment.right = left + columns <= params->input_width;
        segment.input = input + (left < 0 ? 0 : left) * depth;
        segment.input_step = input_row - (columns - 2 + segment.left) * depth;
        segment.output = row->output + x * depth + first;
        segment.kind = segment_kind(params->stride_width, &segment);
        (row->made->form == TFLM_M0_LINEAR ? tflm_m0_segment_linear
                                           : tflm_m0_segment_exact)(&segment);
    }
    return 1;
}

static void run_row(const void *context, int32_t first, int32_t last) {
    const row_t *row = context;
    if (run_segments(row, first, last)) {
        return;
    }
    const tflm_depthwise_conv_2d_t *params = row->params;
    const int32_t depth = params->input_depth;
    tflm_m0_place_t place = row->place;
    tflm_m0_taps_t job = {
        .channels = tflm_m0_channel_at(row->made->form, row->made->channels, first),
        .output = row->output + first,
        .second = depth,
        .count = last - first,
        .depth = depth,
        .input_row = params->input_width * depth,
        .filter_row = params->filter_width * depth,
        .rounding = tflm_m0_rounding(params->output_offset),
        .minimum = params->activation_min,
        .maximum = params->activation_max,
        .input_offset = params->input_offset,
    };
    while (place.x < params->output_width) {
        const int32_t done = run_narrow(
            params, row->filter, row->made, &place, (channels_t) {first, last}, &job);
        place.x += done;
        job.output += done * depth;
    }
}

static void walk_narrow(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const tflm_m0_constants_t *made, int8_t *output) {
    const int32_t depth = params->input_depth;
    row_t row = {params, filter, made, {input, 0, 0}, output, segment_positions(params)};
    for (int32_t b = 0; b < params->batches; b++) {
        for (row.place.y = 0; row.place.y < params->output_height; row.place.y++) {
            tflm_split(run_row, &row, depth);
            row.output += params->output_width * depth;
        }
        row.place.image += params->input_height * params->input_width * depth;
    }
}

typedef struct {
    const tflm_depthwise_conv_2d_t *params;
    const int8_t *input, *filter;
    const tflm_m0_constants_t *made;
    int8_t *output;
    uint32_t *window, *more;
} wide_t;

// The windows of one input channel at `count` positions, which the cores share; then a member's
// share of its output channels.
static void run_wide(const wide_t *wide, tflm_member_t member, const tflm_m0_geometry_t *geometry,
    const tflm_m0_place_t *places, int32_t d, tflm_m0_pairs_t *job) {
    const int32_t multiplier = wide->params->depth_multiplier;
    const tflm_items_t share = tflm_items_of(member, multiplier);
    const int32_t c = d * multiplier + share.first;
    tflm_meet(member);
    if (tflm_has_item(member, 0)) {
        tflm_m0_gather(geometry, &places[0], &places[1], d, wide->window);
    }
    if (job->more != NULL && tflm_has_item(member, 1)) {
        tflm_m0_gather(geometry, &places[2], &places[3], d, wide->more);
    }
    tflm_meet(member);
    int8_t *output = job->output;
    job->filter = wide->filter + c;
    job->channels = tflm_m0_channel_at(wide->made->form, wide->made->channels, c);
    job->end = tflm_m0_channel_at(wide->made->form, job->channels, share.last - share.first);
    job->output += c;
    tflm_m0_pairs(wide->made->form, job);
    job->output = output;
}

// Positions at once stay inside their row if windows are copied between writing.
static void walk_wide(const void *context, int32_t first, int32_t last) {
    const wide_t *wide = context;
    const tflm_depthwise_conv_2d_t *params = wide->params;
    const tflm_member_t member = tflm_member(first, last);
    const tflm_m0_geometry_t geometry = TFLM_M0_GEOMETRY(params, 1);
    tflm_m0_pairs_t job = {
        .window = wide->window,
        .channel_step = 1,
        .tap_step = params->output_depth,
        .rounding = tflm_m0_rounding(params->output_offset),
        .taps = params->filter_height * params->filter_width,
        .minimum = params->activation_min,
        .maximum = params->activation_max,
        .output = wide->output,
    };
    const int32_t has_quads = tflm_m0_has_quads(wide->made->form, job.taps);
    tflm_m0_place_t places[4] = {{wide->input, 0, 0}};
    int32_t left = params->batches * params->output_height * params->output_width;
    while (left > 0) {
        const int32_t in_row = params->output_width - places[0].x;
        const int32_t count = tflm_m0_at_once(has_quads, params->input_depth == 1 ? left : in_row);
        tflm_m0_follow(&geometry, places, count);
        job.second = count > 1 ? params->output_depth : 0;
        job.more = count > 2 ? wide->more : NULL;
        for (int32_t d = 0; d < params->input_depth; d++) {
            run_wide(wide, member, &geometry, places, d, &job);
        }
        places[0] = places[count - 1];
        tflm_m0_next(&geometry, &places[0]);
        job.output += count * params->output_depth;
        left -= count;
    }
}

static void walk_plain(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const tflm_m0_constants_t *made, int8_t *output) {
    tflm_m0_place_t place = {input, 0, 0};
    for (int32_t b = 0; b < params->batches; b++) {
        for (place.y = 0; place.y < params->output_height; place.y++) {
            for (place.x = 0; place.x < params->output_width; place.x++) {
                run_plain(
                    params, filter, made, &place, (channels_t) {0, params->output_depth}, output);
                output += params->output_depth;
            }
        }
        place.image += params->input_height * params->input_width * params->input_depth;
    }
}

// Arguments as in ../common/plain_conv_depthwise.h.
void tflm_depthwise_conv_2d_s8(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, const int32_t *constants,
    int8_t *output, int32_t *scratch) {
    const int32_t taps = params->filter_height * params->filter_width;
    const int32_t is_narrow = params->filter_width <= 3 && params->depth_multiplier == 1
        && params->dilation_height == 1 && params->dilation_width == 1;
    const tflm_m0_layer_t layer = {
        filter, taps, params->output_depth, 1,
        tflm_wrapping_sub(params->input_offset, is_narrow ? 0 : 1), bias, scales,
        params->scale_step, params->input_scale, params->output_scale,
    };
    const tflm_m0_constants_t made =
        tflm_m0_constants(&layer, params->output_depth, constants, scratch);
    if (made.form != TFLM_M0_PLAIN && is_narrow) {
        walk_narrow(params, input, filter, &made, output);
    } else if (made.form != TFLM_M0_PLAIN && taps <= TAPS_MAX) {
        uint32_t window[TAPS_MAX], more[TFLM_M0_HAS_QUADS ? TAPS_MAX : 1];
        const wide_t wide = {params, input, filter, &made, output, window, more};
        if (tflm_can_split(params->depth_multiplier)) {
            tflm_split(walk_wide, &wide, TFLM_TOGETHER);
        } else {
            walk_wide(&wide, 0, TFLM_TOGETHER);
        }
    } else {
        walk_plain(params, input, filter, &made, output);
    }
}
