// CONV_2D for Cortex-M0 and M0+; the plain twin is ../portable/conv.c.
//
// Walk: all positions in order, two at a time, the last of a row with the first of the next: both
// windows are gathered before either output is written. With groups, which gather between writing,
// a pair stays inside its row.
#include "../../layout.h"
#include "pairs.h"

typedef struct {
    const int8_t *image;  // the batch's first value
    int32_t y, x;         // of the output
} place_t;

static void step(const tflm_conv_2d_t *params, place_t *place) {
    if (++place->x < params->output_width) {
        return;
    }
    place->x = 0;
    if (++place->y < params->output_height) {
        return;
    }
    place->y = 0;
    place->image += params->input_height * params->input_width * params->input_depth;
}

// Fills `depth` words; a pixel outside the image is NULL.
static void pack_clipped(uint32_t *window, const int8_t *first, const int8_t *second, int32_t depth,
    uint32_t zero_point) {
    for (int32_t k = 0; k < depth; k++) {
        window[k] = tflm_m0_packed(first == NULL ? zero_point : (uint32_t)first[k],
            second == NULL ? zero_point : (uint32_t)second[k]);
    }
}

// The row of the image that a window row takes its values from, or NULL.
static const int8_t *row_of(const tflm_conv_2d_t *params, const place_t *place, int32_t i) {
    const uint32_t y = (uint32_t)(place->y * params->stride_height - params->pad_top)
        + (uint32_t)i * (uint32_t)params->dilation_height;
    if (y >= (uint32_t)params->input_height) {
        return NULL;
    }
    return place->image + y * (uint32_t)(params->input_width * params->input_depth);
}

static const int8_t *pixel_of(const tflm_conv_2d_t *params, const int8_t *row, uint32_t x) {
    return row == NULL || x >= (uint32_t)params->input_width
        ? NULL
        : row + x * (uint32_t)params->input_depth;
}

// Gathers the windows at two places; depth: where the channel group begins.
static void gather(const tflm_conv_2d_t *params, const place_t *first, const place_t *second,
    int32_t depth, uint32_t *window) {
    const uint32_t left0 = (uint32_t)(first->x * params->stride_width - params->pad_left);
    const uint32_t left1 = (uint32_t)(second->x * params->stride_width - params->pad_left);
    const int32_t run = params->filter_width * params->filter_depth;
    const int32_t room = params->input_width - params->filter_width;
    const int32_t is_whole = params->filter_depth == params->input_depth && room >= 0
        && (params->dilation_width == 1 || params->filter_width == 1) && left0 <= (uint32_t)room
        && left1 <= (uint32_t)room;
    const uint32_t zero_point = 0u - (uint32_t)params->input_offset;
    for (int32_t i = 0; i < params->filter_height; i++) {
        const int8_t *row0 = row_of(params, first, i), *row1 = row_of(params, second, i);
        if (is_whole && row0 != NULL && row1 != NULL) {
            tflm_m0_pack(window, row0 + left0 * (uint32_t)params->input_depth,
                row1 + left1 * (uint32_t)params->input_depth, run);
            window += run;
            continue;
        }
        for (int32_t j = 0; j < params->filter_width; j++, window += params->filter_depth) {
            const uint32_t skip = (uint32_t)j * (uint32_t)params->dilation_width;
            const int8_t *pixel0 = pixel_of(params, row0, left0 + skip);
            const int8_t *pixel1 = pixel_of(params, row1, left1 + skip);
            pack_clipped(window, pixel0 == NULL ? NULL : pixel0 + depth,
                pixel1 == NULL ? NULL : pixel1 + depth, params->filter_depth, zero_point);
        }
    }
}

// Arguments as in ../portable/conv.c.
void tflm_conv_2d_s8(const tflm_conv_2d_t *params, const int8_t *input, const int8_t *filter,
    const uint8_t *bias, const uint8_t *scales, const int32_t *constants, int8_t *output,
    int32_t *scratch) {
    (void)constants;
    const int32_t taps = params->filter_height * params->filter_width * params->filter_depth;
    const int32_t groups = params->input_depth / params->filter_depth;
    const int32_t group_size = params->output_depth / groups;
    uint32_t *window = (uint32_t *)scratch;
    tflm_m0_channel_t *channels = (void *)(scratch + ((taps + 3) & ~3));
    const tflm_m0_layer_t layer = {
        filter, taps, 1, taps, tflm_wrapping_sub(params->input_offset, 1), bias, scales, params->scale_step,
        params->input_scale, params->output_scale,
    };
    const int32_t is_safe = tflm_m0_load_channels(&layer, params->output_depth, channels);
    tflm_m0_pairs_t job = {
        .window = window,
        .channel_step = taps,
        .tap_step = 1,
        .rounding = tflm_m0_rounding(params->output_offset),
        .taps = taps,
        .minimum = params->activation_min,
        .maximum = params->activation_max,
    };
    place_t place = {input, 0, 0};
    int32_t left = params->batches * params->output_height * params->output_width;
    while (left > 0) {
        place_t second = place;
        const int32_t is_pair = left > 1 && (groups == 1 || place.x + 1 < params->output_width);
        if (is_pair) {
            step(params, &second);
        }
        for (int32_t g = 0; g < groups; g++) {
            gather(params, &place, &second, g * params->filter_depth, window);
            job.filter = filter + g * group_size * taps;
            job.channels = channels + g * group_size;
            job.end = job.channels + group_size;
            job.output = output + g * group_size;
            job.second = is_pair ? params->output_depth : 0;
            (is_safe ? tflm_m0_pairs : tflm_m0_pairs_plain)(&job);
        }
        place = second;
        step(params, &place);
        output += (1 + is_pair) * params->output_depth;
        left -= 1 + is_pair;
    }
}
