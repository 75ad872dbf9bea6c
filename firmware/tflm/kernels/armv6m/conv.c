// CONV_2D for Cortex-M0, M0+ and M3; the plain twin is ../portable/conv.c.
//
// Walk: all positions in order, four or two at a time, the last of a row with the first of the
// next: their windows are gathered before any output is written. With groups, which gather between
// writing, they stay inside their row. Cores share the channels.
#include "generated/layout.h"
#include "conv_gather.h"
#include "conv_pairs.h"

// Tells whether windows are the input's pixels, one after the other. Gathering them as any others
// takes up to a tenth of a layer.
static inline int is_flat(const tflm_conv_2d_t *params) {
    return params->filter_height == 1 && params->filter_width == 1
        && params->stride_height == 1 && params->stride_width == 1 && params->pad_top == 0
        && params->pad_left == 0 && params->filter_depth == params->input_depth
        && params->output_height == params->input_height
        && params->output_width == params->input_width;
}

// more: words for the third and fourth window.
static void walk_flat(tflm_m0_pairs_t *job, tflm_m0_form_t form, const int8_t *input,
    uint32_t *window, uint32_t *more, int32_t positions, int32_t channels) {
    const int32_t depth = job->taps;
    const int32_t has_quads = tflm_m0_has_quads(form, depth);
    while (positions > 0) {
        const int32_t count = tflm_m0_at_once(has_quads, positions);
        const int32_t is_pair = count > 1;
        tflm_m0_pack(window, input, input + is_pair * depth, depth, 1, 0);
        if (count > 2) {
            tflm_m0_pack(more, input + 2 * depth, input + 3 * depth, depth, 1, 0);
        }
        job->second = is_pair * channels;
        job->more = count > 2 ? more : NULL;
        tflm_m0_pairs_shared(form, job, channels);
        input += count * depth;
        job->output += count * channels;
        positions -= count;
    }
}

// Arguments as in ../portable/conv.c.
void tflm_conv_2d_s8(const tflm_conv_2d_t *params, const int8_t *input, const int8_t *filter,
    const uint8_t *bias, const uint8_t *scales, const int32_t *constants, int8_t *output,
    int32_t *scratch) {
    const tflm_m0_geometry_t geometry = TFLM_M0_GEOMETRY(params, params->filter_depth);
    const int32_t taps = params->filter_height * params->filter_width * params->filter_depth;
    const int32_t groups = params->input_depth / params->filter_depth;
    const int32_t group_size = params->output_depth / groups;
    uint32_t *window = (uint32_t *)scratch;
    const tflm_m0_layer_t layer = {
        filter, taps, 1, taps, tflm_wrapping_sub(params->input_offset, 1), bias, scales,
        params->scale_step, params->input_scale, params->output_scale,
    };
    const tflm_m0_constants_t made = tflm_m0_constants(
        &layer, params->output_depth, constants, scratch + ((taps + 3) & ~3));
    tflm_m0_pairs_t job = {
        .window = window,
        .channel_step = taps,
        .tap_step = 1,
        .rounding = tflm_m0_rounding(params->output_offset),
        .taps = taps,
        .minimum = params->activation_min,
        .maximum = params->activation_max,
    };
    int32_t left = params->batches * params->output_height * params->output_width;
    uint32_t more[TFLM_M0_HAS_QUADS ? TFLM_M0_QUAD_TAPS : 1];
    if (is_flat(params)) {
        job.filter = filter;
        job.channels = made.channels;
        job.end = tflm_m0_channel_at(made.form, made.channels, group_size);
        job.output = output;
        walk_flat(&job, made.form, input, window, more, left, group_size);
        return;
    }
    const int32_t has_quads = tflm_m0_has_quads(made.form, taps);
    tflm_m0_place_t places[4] = {{input, 0, 0}};
    while (left > 0) {
        const int32_t in_row = params->output_width - places[0].x;
        const int32_t count = tflm_m0_at_once(has_quads, groups == 1 ? left : in_row);
        tflm_m0_follow(&geometry, places, count);
        job.second = count > 1 ? params->output_depth : 0;
        job.more = count > 2 ? more : NULL;
        for (int32_t g = 0; g < groups; g++) {
            const int32_t depth = g * params->filter_depth;
            tflm_m0_gather(&geometry, &places[0], &places[1], depth, window);
            if (count > 2) {
                tflm_m0_gather(&geometry, &places[2], &places[3], depth, more);
            }
            job.filter = filter + g * group_size * taps;
            job.channels = tflm_m0_channel_at(made.form, made.channels, g * group_size);
            job.end = tflm_m0_channel_at(made.form, job.channels, group_size);
            job.output = output + g * group_size;
            tflm_m0_pairs_shared(made.form, &job, group_size);
        }
        places[0] = places[count - 1];
        tflm_m0_next(&geometry, &places[0]);
        output += count * params->output_depth;
        left -= count;
    }
}
