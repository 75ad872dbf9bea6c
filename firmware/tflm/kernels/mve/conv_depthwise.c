// DEPTHWISE_CONV_2D for cores with vectors; the portable form is ../portable/conv_depthwise.c.
//
// As many outputs as inputs: conv_depthwise_columns.c where windows are small, else
// conv_depthwise_sixteen.c. One input channel: conv_depthwise_spread.c. Anything else: a channel at
// a time.
// The input offset is folded into the channels' start, as in conv.c: taps outside the image are
// taken as the input's zero point.
#include "../common/conv_depthwise_window.h"
#include "conv_depthwise_layer.h"
#include "windows.h"

typedef enum { IN_SIXTEENS, IN_COLUMNS, SPREAD, SPREAD_IN_COLUMNS, APART } way_t;

// One output row, a channel at a time.
static void run_row_apart(const tflm_mve_depthwise_t *layer, const uint8_t *bias,
    const int8_t *input, int32_t y, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const uint32_t top = (uint32_t)(y * params->stride_height - params->pad_top);
    for (int32_t x = 0; x < params->output_width; x++) {
        const uint32_t left = (uint32_t)(x * params->stride_width - params->pad_left);
        for (int32_t c = 0; c < params->output_depth; c++) {
            const uint32_t sum = tflm_depthwise_window(params,
                input + c / params->depth_multiplier, layer->filter + c, top, left);
            *output++ = tflm_requantize((uint32_t)tflm_bias(bias, c) + sum,
                tflm_lane_factor(layer->lanes, c), layer->range);
        }
    }
}

static void load_channels(const tflm_depthwise_conv_2d_t *params, const int8_t *filter,
    const uint8_t *bias, const uint8_t *scales, int32_t *words) {
    const int32_t taps = params->filter_height * params->filter_width;
    const int32_t depth = params->output_depth;
    for (int32_t c = 0; c < depth; c += 4) {
        const mve_pred16_t used = vctp32q((uint32_t)(depth - c));
        int32x4_t sums = vdupq_n_s32(0);
        for (int32_t i = 0; i < taps; i++) {
            sums = vaddq_s32(sums, vldrbq_z_s32(filter + i * depth + c, used));
        }
        vstrwq_p_s32(words + c, vmulq_n_s32(sums, params->input_offset), used);
    }
    const tflm_scales_t both = tflm_scales(params->input_scale, params->output_scale);
    for (int32_t c = 0; c < depth; c++) {
        const tflm_factor_t factor =
            tflm_factor(&both, tflm_load32(scales + c * params->scale_step));
        tflm_store_lane(
            words, depth, c, (uint32_t)tflm_bias(bias, c) + (uint32_t)words[c], factor);
    }
}

static int32_t is_near(const tflm_depthwise_conv_2d_t *params) {
    return params->dilation_height > 0 && params->dilation_height <= params->input_height
        && params->dilation_width > 0 && params->dilation_width <= params->input_width;
}

static way_t way_of(const tflm_depthwise_conv_2d_t *params, tflm_lanes_t lanes) {
    if (!tflm_lanes_shift_right(lanes, params->output_depth)) {
        return APART;
    }
    const int32_t is_small = is_near(params) && params->filter_height <= TFLM_COLUMN_ROWS
        && params->filter_width <= TFLM_WINDOW_COLUMNS;
    if (params->depth_multiplier == 1) {
        return is_small ? IN_COLUMNS : IN_SIXTEENS;
    }
    if (params->input_depth != 1 || params->output_depth < TFLM_EIGHT) {
        return APART;
    }
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    return is_small && params->dilation_width == 1 && tflm_range_is_simple(range)
        ? SPREAD_IN_COLUMNS : SPREAD;
}

// Channels in sixteens, none of which runs twice, have their constants in the order of vectors.
static int32_t has_vector_order(const tflm_depthwise_conv_2d_t *params, way_t way) {
    return (way == IN_SIXTEENS || way == IN_COLUMNS) && params->output_depth % TFLM_SIXTEEN == 0;
}

static void bring_into_order(int32_t *words, int32_t count) {
    for (int32_t *group = words; group != words + count; group += TFLM_SIXTEEN) {
        const int32x4x4_t four = vld4q_s32(group);
        vstrwq_s32(group, four.val[0]);
        vstrwq_s32(group + 4, four.val[1]);
        vstrwq_s32(group + 8, four.val[2]);
        vstrwq_s32(group + 12, four.val[3]);
    }
}

// Arguments as in ../common/plain_conv_depthwise.h. Scratch: the channels' constants.
void tflm_depthwise_conv_2d_s8(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, const int32_t *constants,
    int8_t *output, int32_t *scratch) {
    const int32_t depth = params->output_depth;
    if (constants == NULL) {
        load_channels(params, filter, bias, scales, scratch);
        if (has_vector_order(params, way_of(params, tflm_lanes(scratch, depth)))) {
            bring_into_order(scratch, 3 * depth);
        }
        constants = scratch;
    }
    const tflm_lanes_t lanes = tflm_lanes(constants, depth);
    const way_t way = way_of(params, lanes);
    tflm_mve_depthwise_t layer = {
        .params = params,
        .filter = filter,
        .lanes = lanes,
        .range = {params->output_offset, params->activation_min, params->activation_max},
        .is_in_order = has_vector_order(params, way),
        .is_near = is_near(params),
        .at_once = way == IN_COLUMNS ? tflm_mve_windows_at_once(params) : 0,
    };
    tflm_fill_bytes(layer.zeros, tflm_zero_point(params->input_offset), TFLM_SIXTEEN);
    for (int32_t b = 0; b < params->batches; b++) {
        if (way == IN_COLUMNS) {
            tflm_mve_depthwise_columns(&layer, input, output);
        }
        for (int32_t y = 0; y < params->output_height; y++) {
            if (way == IN_SIXTEENS) {
                tflm_mve_depthwise_sixteen(&layer, input, y, output);
            } else if (way == SPREAD_IN_COLUMNS) {
                tflm_mve_depthwise_spread_columns(&layer, input, y, output);
            } else if (way == SPREAD) {
                tflm_mve_depthwise_spread(&layer, input, y, output);
            } else if (way == APART) {
                run_row_apart(&layer, bias, input, y, output);
            }
            output += params->output_width * depth;
        }
        input += params->input_height * params->input_width * params->input_depth;
    }
}
