// CONV_2D for Cortex-M0, M0+ and M3; the portable form is ../portable/conv.c.
//
// Walk: all positions in order, four or two at a time, the last of a row with the first of the
// next: their windows are copied (im2col) before any output is written. With groups, which copy between
// writing, they stay inside their row. Cores share the channels. Filters that a cache before the
// flash does not hold are walked in channel blocks, block by block of positions: see README.md.
#include "generated/layout.h"
#include "conv_slabs.h"

// Tells whether the windows are the input's pixels, one after the other. im2col of them would take
// up to a tenth of a layer's time.
static inline int is_flat(const tflm_conv_2d_t *params) {
    return params->filter_height == 1 && params->filter_width == 1
        && params->stride_height == 1 && params->stride_width == 1 && params->pad_top == 0
        && params->pad_left == 0 && params->filter_depth == params->input_depth
        && params->output_height == params->input_height
        && params->output_width == params->input_width;
}

// Packs `count` pixels of the input, which the cores share.
static inline void pack_flat(const tflm_m0_walk_t *walk, const int8_t *input, int32_t count) {
    const int32_t depth = walk->job.taps, second = count > 1 ? depth : 0;
    if (count > 2) {
        if (tflm_has_item(walk->member, 0)) {
            tflm_m0_pack(walk->window, input, input + depth, depth, 1, 0);
        }
        if (tflm_has_item(walk->member, 1)) {
            tflm_m0_pack(walk->more, input + 2 * depth, input + 3 * depth, depth, 1, 0);
        }
    } else {
        const tflm_items_t values = tflm_items_of(walk->member, depth);
        input += values.first;
        tflm_m0_pack(walk->window + values.first, input, input + second,
            values.last - values.first, 1, 0);
    }
}

static void walk_flat(tflm_m0_walk_t *walk, const int8_t *input, int32_t left) {
    tflm_m0_pairs_t *job = &walk->job;
    const tflm_items_t share = tflm_items_of(walk->member, walk->output_depth);
    const tflm_m0_form_t form = walk->made.form;
    job->filter = walk->filter + share.first * job->taps;
    job->channels = tflm_m0_channel_at(form, walk->made.channels, share.first);
    job->end = tflm_m0_channel_at(form, walk->made.channels, share.last);
    job->output = walk->output + share.first;
    for (int32_t count; left > 0; left -= count) {
        count = tflm_m0_at_once(walk->has_quads, left);
        tflm_meet(walk->member);
        pack_flat(walk, input, count);
        tflm_meet(walk->member);
        job->second = count > 1 ? walk->output_depth : 0;
        job->more = count > 2 ? walk->more : NULL;
        tflm_m0_pairs(form, job);
        input += count * job->taps;
        job->output += count * walk->output_depth;
    }
}

static void walk_all(tflm_m0_walk_t *walk, int32_t groups, int32_t left) {
    const int32_t group_size = walk->output_depth / groups;
    for (int32_t count; left > 0; left -= count) {
        const int32_t in_row = walk->geometry.output_width - walk->places[0].x;
        count = tflm_m0_walk_follow(walk, groups == 1 ? left : in_row);
        for (int32_t g = 0; g < groups; g++) {
            tflm_m0_walk_gather(walk, g * walk->geometry.filter_depth);
            tflm_m0_walk_run(walk, g * group_size, group_size);
        }
        tflm_m0_walk_leave(walk, count);
    }
}

// A layer, and the walk at its first position.
typedef struct {
    tflm_m0_walk_t *walk;
    const int8_t *input, *input_end;
    int32_t groups;
    int32_t left;  // positions
    bool is_flat, has_slabs, is_prepared;
} layer_t;

static void walk_layer(const layer_t *layer, tflm_m0_walk_t *walk) {
    if (layer->has_slabs) {
        tflm_m0_walk_slabs(walk, layer->input_end, layer->left, layer->is_prepared);
    } else if (layer->is_flat) {
        walk_flat(walk, layer->input, layer->left);
    } else {
        walk_all(walk, layer->groups, layer->left);
    }
}

// What one of two cores does of it.
static void walk_share(const void *context, int32_t first, int32_t last) {
    const layer_t *layer = context;
    tflm_m0_walk_t walk = *layer->walk;
    walk.member = tflm_member(first, last);
    walk_layer(layer, &walk);
}

// Arguments as in ../common/plain_conv.h.
void tflm_conv_2d_s8(const tflm_conv_2d_t *params, const int8_t *input, const int8_t *filter,
    const uint8_t *bias, const uint8_t *scales, const int32_t *constants, int8_t *output,
    int32_t *scratch) {
    const int32_t taps = params->filter_height * params->filter_width * params->filter_depth;
    const int32_t groups = params->input_depth / params->filter_depth;
    const tflm_m0_layer_t layer = {
        filter, taps, 1, taps, tflm_wrapping_sub(params->input_offset, 1), bias, scales,
        params->scale_step, params->input_scale, params->output_scale,
    };
    const tflm_m0_constants_t made = tflm_m0_constants(
        &layer, params->output_depth, constants, scratch + ((taps + 3) & ~3));
    uint32_t more[TFLM_M0_HAS_QUADS ? TFLM_M0_QUAD_TAPS : 1];
    tflm_m0_walk_t walk;
    walk.made = made;
    walk.filter = filter;
    walk.window = (uint32_t *)scratch;
    walk.more = more;
    walk.output_depth = params->output_depth;
    walk.has_quads = tflm_m0_has_quads(made.form, taps);
    walk.output = output;
    walk.member = (tflm_member_t) {0, 0};
    walk.job.window = (uint32_t *)scratch;
    walk.job.channel_step = taps;
    walk.job.tap_step = 1;
    walk.job.rounding = tflm_m0_rounding(params->output_offset);
    walk.job.taps = taps;
    walk.job.minimum = params->activation_min;
    walk.job.maximum = params->activation_max;
    const int32_t pixels = params->batches * params->input_height * params->input_width;
    const bool is_prepared = constants != NULL;
    const bool has_slabs = groups == 1 && tflm_m0_has_slabs(&walk, is_prepared);
    const layer_t whole = {
        &walk, input, input + pixels * params->input_depth, groups,
        params->batches * params->output_height * params->output_width,
        is_flat(params) && !has_slabs, has_slabs, is_prepared,
    };
    if (!whole.is_flat) {
        walk.geometry = (tflm_m0_geometry_t) TFLM_M0_GEOMETRY(params, params->filter_depth);
        walk.places[0] = (tflm_m0_place_t) {input, 0, 0};
    }
    if (tflm_can_split(params->output_depth / groups)) {
        tflm_split(walk_share, &whole, TFLM_TOGETHER);
    } else {
        walk_layer(&whole, &walk);
    }
}
