// FULLY_CONNECTED for Cortex-M0 and M0+; the plain twin is ../portable/fully_connected.c.
//
// Four channels at a time; where fewer are left, the last one fills up the four. In a prepared
// model the input offset is part of the channels' starts.
#include "../filter_offset.h"
#include "finish.h"
#include "rows.h"

// Requantises with the short arithmetic where the sum and the factor admit it.
static int8_t finish(uint32_t sum, const tflm_m0_channel_t *channel, const tflm_range_t *range) {
    if (channel->right >= 1 && channel->right <= TFLM_M0_RIGHT_MAX
        && sum + TFLM_M0_SAFE_SUM < 2 * TFLM_M0_SAFE_SUM) {
        return tflm_m0_finish(sum, channel, range);
    }
    const tflm_factor_t factor = {channel->multiplier, -channel->right};
    return tflm_requantize(sum, factor, *range);
}

static void set_rows(tflm_m0_rows_t *job, const int8_t *filter, int32_t left) {
    for (int32_t i = 0; i < TFLM_M0_ROWS; i++) {
        job->rows[i] = filter;
        filter += i + 1 < left ? job->depth : 0;
    }
}

static int32_t at_most_four(int32_t left) {
    return left < TFLM_M0_ROWS ? left : TFLM_M0_ROWS;
}

static void run_prepared(const int32_t *constants, tflm_m0_rows_t *job, const int8_t *filter,
    int32_t batches, int32_t count, const tflm_range_t *range, int8_t *output) {
    const tflm_m0_form_t form = (tflm_m0_form_t)constants[0];
    job->input_offset = 0;
    for (int32_t b = 0; b < batches; b++, job->input += job->depth) {
        const tflm_m0_channel_t *channel = (const void *)(constants + 1), *channels[TFLM_M0_ROWS];
        for (int32_t c = 0; c < count; c += TFLM_M0_ROWS) {
            const int32_t rows = at_most_four(count - c);
            set_rows(job, filter + c * job->depth, rows);
            for (int32_t i = 0; i < rows; i++) {
                job->sums[i] = (uint32_t)channel->start;
                channels[i] = channel;
                channel = tflm_m0_channel_at(form, channel, 1);
            }
            tflm_m0_rows_alone(job);
            for (int32_t i = 0; i < rows; i++) {
                *output++ = tflm_m0_output(form, job->sums[i], channels[i], range);
            }
        }
    }
}

// Arguments as in ../portable/fully_connected.c.
void tflm_fully_connected_s8(const tflm_fully_connected_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const int32_t *constants, int8_t *output) {
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const tflm_m0_channel_t channel = {0, 0, params->multiplier, -params->shift};
    const int32_t count = params->output_depth;
    tflm_m0_rows_t job = {
        .input = input, .depth = params->input_depth, .input_offset = params->input_offset};
    if (constants != NULL) {
        run_prepared(constants, &job, filter, params->batches, count, &range, output);
        return;
    }
    for (int32_t b = 0; b < params->batches; b++, job.input += params->input_depth) {
        const uint32_t start = tflm_filter_offset_term(params, job.input);
        for (int32_t c = 0; c < count; c += TFLM_M0_ROWS) {
            const int32_t rows = at_most_four(count - c);
            set_rows(&job, filter + c * params->input_depth, rows);
            for (int32_t i = 0; i < rows; i++) {
                job.sums[i] = start + (uint32_t)tflm_bias(bias, c + i);
            }
            tflm_m0_rows(&job);
            for (int32_t i = 0; i < rows; i++) {
                *output++ = finish(job.sums[i], &channel, &range);
            }
        }
    }
}

void tflm_fully_connected_per_channel_s8(const tflm_fully_connected_per_channel_t *params,
    const int8_t *input, const int8_t *filter, const uint8_t *bias, const uint8_t *scales,
    const int32_t *constants, int8_t *output) {
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const tflm_scales_t layer = tflm_scales(params->input_scale, params->output_scale);
    const int32_t count = params->output_depth;
    tflm_m0_rows_t job = {
        .input = input, .depth = params->input_depth, .input_offset = params->input_offset};
    if (constants != NULL) {
        run_prepared(constants, &job, filter, params->batches, count, &range, output);
        return;
    }
    for (int32_t c = 0; c < count; c += TFLM_M0_ROWS) {
        const int32_t rows = at_most_four(count - c);
        tflm_m0_channel_t channels[TFLM_M0_ROWS];
        for (int32_t i = 0; i < rows; i++) {
            const tflm_factor_t factor = tflm_factor(&layer, tflm_load32(scales + 4 * (c + i)));
            channels[i] = (tflm_m0_channel_t){
                tflm_bias(bias, c + i), 0, factor.multiplier, -factor.shift};
        }
        set_rows(&job, filter + c * params->input_depth, rows);
        job.input = input;
        for (int32_t b = 0; b < params->batches; b++, job.input += params->input_depth) {
            for (int32_t i = 0; i < rows; i++) {
                job.sums[i] = (uint32_t)channels[i].start;
            }
            tflm_m0_rows(&job);
            for (int32_t i = 0; i < rows; i++) {
                output[b * count + c + i] = finish(job.sums[i], &channels[i], &range);
            }
        }
    }
}
