// FULLY_CONNECTED for Cortex-M0 and M0+; the plain twin is ../portable/fully_connected.c.
//
// Four channels at a time; where fewer are left, the last one fills up the four. In a prepared
// model the input offset is part of the channels' starts.
#include "../dot.h"
#include "../filter_offset.h"
#include "rows.h"

// Starts of this size and products of so many inputs stay below TFLM_M0_SAFE_SUM together.
enum { HALF = TFLM_M0_SAFE_SUM / 2, DEPTH_MAX = HALF / (128 * 255) };

static tflm_m0_finish_t finish_of(int32_t offset, int32_t minimum, int32_t maximum) {
    return (tflm_m0_finish_t) {
        sizeof(tflm_m0_channel_t), 0, minimum, maximum, tflm_m0_rounding(offset)};
}

// Sets all but the rows; an initializer would call memset().
static void start_job(
    tflm_m0_rows_t *job, const int8_t *input, int32_t depth, int32_t input_offset) {
    job->input = input;
    job->depth = depth;
    job->input_offset = input_offset;
    for (int32_t i = 0; i < TFLM_M0_ROWS; i++) {
        job->sums[i] = 0;
    }
}

// Adds to the sums; a single row is not worth the work of four.
static void add_rows(tflm_m0_rows_t *job, int32_t count) {
    if (count > 1) {
        tflm_m0_rows(job);
        return;
    }
    job->sums[0] += tflm_dot(job->input, job->rows[0], job->depth, job->input_offset);
}

// Tells whether the short arithmetic is right for a channel, if its start is.
static int32_t is_short(const tflm_m0_channel_t *channel, const tflm_m0_rows_t *job) {
    return channel->right >= 1 && channel->right <= TFLM_M0_RIGHT_MAX && job->depth <= DEPTH_MAX
        && job->input_offset >= INT8_MIN && job->input_offset <= -INT8_MIN;
}

// Points the job at `left` rows, at most four; returns how many.
static int32_t set_rows(tflm_m0_rows_t *job, const int8_t *filter, int32_t left) {
    const int32_t depth = job->depth;
    job->rows[0] = filter;
    job->rows[1] = filter += left > 1 ? depth : 0;
    job->rows[2] = filter += left > 2 ? depth : 0;
    job->rows[3] = filter + (left > 3 ? depth : 0);
    return left < TFLM_M0_ROWS ? left : TFLM_M0_ROWS;
}

static void run_prepared(const int32_t *constants, tflm_m0_finish_t *finish, tflm_m0_rows_t *job,
    const int8_t *filter, int32_t batches, int32_t count, int8_t *output) {
    const tflm_m0_form_t form = (tflm_m0_form_t)constants[0];
    finish->step = form == TFLM_M0_LINEAR ? (int32_t)sizeof(tflm_m0_linear_t)
                                          : (int32_t)sizeof(tflm_m0_channel_t);
    job->input_offset = 0;
    for (int32_t b = 0; b < batches; b++, job->input += job->depth) {
        const tflm_m0_channel_t *channel = (const void *)(constants + 1);
        for (int32_t c = 0; c < count; c += TFLM_M0_ROWS, output += finish->count) {
            const tflm_m0_channel_t *first = channel;
            finish->count = set_rows(job, filter + c * job->depth, count - c);
            for (int32_t i = 0; i < finish->count; i++) {
                job->sums[i] = (uint32_t)channel->start;
                channel = tflm_m0_channel_at(form, channel, 1);
            }
            if (finish->count > 1) {
                tflm_m0_rows_alone(job);
            } else {
                add_rows(job, 1);
            }
            (form == TFLM_M0_LINEAR ? tflm_m0_finish_linears : tflm_m0_finish_exacts)(
                job->sums, first, output, finish);
        }
    }
}

// Arguments as in ../portable/fully_connected.c.
void tflm_fully_connected_s8(const tflm_fully_connected_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const int32_t *constants, int8_t *output) {
    const tflm_m0_channel_t channel = {0, 0, params->multiplier, -params->shift};
    const int32_t count = params->output_depth, depth = params->input_depth;
    tflm_m0_finish_t finish =
        finish_of(params->output_offset, params->activation_min, params->activation_max);
    tflm_m0_rows_t job;
    start_job(&job, input, depth, params->input_offset);
    if (constants != NULL) {
        run_prepared(constants, &finish, &job, filter, params->batches, count, output);
        return;
    }
    const int32_t all_short = is_short(&channel, &job);
    // A bias vector lies in a model: mostly as whole words, but not always.
    const int32_t *words = ((uintptr_t)bias & 3) == 0 ? (const void *)bias : NULL;
    finish.step = 0;
    for (int32_t b = 0; b < params->batches; b++, job.input += depth) {
        const uint32_t start = tflm_filter_offset_term(params, job.input);
        for (int32_t c = 0; c < count; c += TFLM_M0_ROWS, output += finish.count) {
            uint32_t sizes = 0;
            finish.count = set_rows(&job, filter + c * depth, count - c);
            for (int32_t i = 0; i < finish.count; i++) {
                job.sums[i] =
                    start + (uint32_t)(words != NULL ? words[c + i] : tflm_bias(bias, c + i));
                sizes |= job.sums[i] + HALF;
            }
            add_rows(&job, finish.count);
            (all_short && sizes < 2 * HALF ? tflm_m0_finish_exacts : tflm_m0_finish_plains)(
                job.sums, &channel, output, &finish);
        }
    }
}

void tflm_fully_connected_per_channel_s8(const tflm_fully_connected_per_channel_t *params,
    const int8_t *input, const int8_t *filter, const uint8_t *bias, const uint8_t *scales,
    const int32_t *constants, int8_t *output) {
    const int32_t count = params->output_depth, depth = params->input_depth;
    tflm_m0_finish_t finish =
        finish_of(params->output_offset, params->activation_min, params->activation_max);
    tflm_m0_rows_t job;
    start_job(&job, input, depth, params->input_offset);
    if (constants != NULL) {
        run_prepared(constants, &finish, &job, filter, params->batches, count, output);
        return;
    }
    const tflm_scales_t layer = tflm_scales(params->input_scale, params->output_scale);
    for (int32_t c = 0; c < count; c += TFLM_M0_ROWS) {
        tflm_m0_channel_t channels[TFLM_M0_ROWS];
        int32_t all_short = 1;
        uint32_t sizes = 0;
        finish.count = set_rows(&job, filter + c * depth, count - c);
        for (int32_t i = 0; i < finish.count; i++) {
            const tflm_factor_t factor = tflm_factor(&layer, tflm_load32(scales + 4 * (c + i)));
            channels[i] = (tflm_m0_channel_t) {
                tflm_bias(bias, c + i), 0, factor.multiplier, -factor.shift};
            all_short &= is_short(&channels[i], &job);
            sizes |= (uint32_t)channels[i].start + HALF;
        }
        job.input = input;
        for (int32_t b = 0; b < params->batches; b++, job.input += depth) {
            for (int32_t i = 0; i < finish.count; i++) {
                job.sums[i] = (uint32_t)channels[i].start;
            }
            add_rows(&job, finish.count);
            (all_short && sizes < 2 * HALF ? tflm_m0_finish_exacts : tflm_m0_finish_plains)(
                job.sums, channels, output + b * count + c, &finish);
        }
    }
}
