// FULLY_CONNECTED for Cortex-M0, M0+ and M3; the portable form is ../portable/dense.c.
//
// Sixteen outputs at a time: their sums start, four rows are added at a time, then the sums become
// outputs. In a prepared model the input offset is part of the channels' starts.
#include "../common/dot.h"
#include "../common/filter_offset.h"
#include "dense_rows.h"

enum {
    SUMS = 16,  // a multiple of TFLM_M0_ROWS
    // Starts of this size and products of so many inputs stay below TFLM_M0_SAFE_SUM together.
    HALF = TFLM_M0_SAFE_SUM / 2,
    DEPTH_MAX = HALF / (128 * 255),
};

static tflm_m0_finish_t finish_of(int32_t offset, int32_t minimum, int32_t maximum) {
    return (tflm_m0_finish_t) {
        sizeof(tflm_m0_channel_t), 0, minimum, maximum, tflm_m0_rounding(offset)};
}

// The job of one batch, except its rows and sums.
static tflm_m0_rows_t job_of(const int8_t *input, int32_t depth, int32_t input_offset) {
    return (tflm_m0_rows_t) {input, NULL, depth, input_offset, NULL, NULL, depth};
}

static int32_t part_of(int32_t left) {
    return left < SUMS ? left : SUMS;
}

// Adds the products of `count` rows to sums.
static void add_rows(tflm_m0_rows_t *job, const int8_t *rows, uint32_t *sums, int32_t count) {
    const int32_t fours = count & -TFLM_M0_ROWS;
    if (fours > 0) {
        job->rows = rows;
        job->sums = sums;
        job->end = sums + fours;
        (job->input_offset == 0 ? tflm_m0_rows_alone : tflm_m0_rows)(job);
    }
    for (int32_t i = fours; i < count; i++) {
        sums[i] += tflm_dot(job->input, rows + i * job->depth, job->depth, job->input_offset);
    }
}

// Tells whether the short arithmetic is right for a channel, if its start is.
static int32_t is_short(const tflm_m0_channel_t *channel, const tflm_m0_rows_t *job) {
    return channel->right >= 1 && channel->right <= TFLM_M0_RIGHT_MAX && job->depth <= DEPTH_MAX
        && job->input_offset >= INT8_MIN && job->input_offset <= -INT8_MIN;
}

static void run_prepared(const int32_t *constants, tflm_m0_finish_t *finish, tflm_m0_rows_t *job,
    const int8_t *filter, int32_t batches, int32_t outputs, int8_t *output) {
    const tflm_m0_form_t form = (tflm_m0_form_t)constants[0];
    uint32_t sums[SUMS];
    finish->step = form == TFLM_M0_LINEAR ? (int32_t)sizeof(tflm_m0_linear_t)
                                          : (int32_t)sizeof(tflm_m0_channel_t);
    job->input_offset = 0;
    for (int32_t b = 0; b < batches; b++, job->input += job->depth) {
        const tflm_m0_channel_t *channel = (const void *)(constants + 1);
        for (int32_t c = 0; c < outputs; c += SUMS, output += finish->count) {
            const tflm_m0_channel_t *first = channel;
            finish->count = part_of(outputs - c);
            for (uint32_t *sum = sums, *end = sums + finish->count; sum != end;) {
                *sum++ = (uint32_t)channel->start;
                channel = (const void *)((const uint8_t *)channel + finish->step);
            }
            add_rows(job, filter + c * job->depth, sums, finish->count);
            (form == TFLM_M0_LINEAR ? tflm_m0_finish_linears : tflm_m0_finish_exacts)(
                sums, first, output, finish);
        }
    }
}

// Fills sums with start and the biases from `bias` on. Returns something below 2 * HALF where all
// lie between -HALF and HALF.
static uint32_t start_sums(uint32_t *sums, int32_t count, const uint8_t *bias, uint32_t start) {
    uint32_t sizes = 0;
    // A bias vector lies in a model: mostly as whole words, but not always.
    const uint32_t *words = ((uintptr_t)bias & 3) == 0 ? (const void *)bias : NULL;
    for (int32_t i = 0; i < count; i++) {
        sums[i] = start + (words != NULL ? words[i] : (uint32_t)tflm_bias(bias, i));
        sizes |= sums[i] + HALF;
    }
    return sizes;
}

// Arguments as in ../common/plain_dense.h.
void tflm_fully_connected_s8(const tflm_fully_connected_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const int32_t *constants, int8_t *output) {
    const tflm_m0_channel_t channel = {0, 0, params->multiplier, -params->shift};
    const int32_t outputs = params->output_depth, depth = params->input_depth;
    tflm_m0_finish_t finish =
        finish_of(params->output_offset, params->activation_min, params->activation_max);
    tflm_m0_rows_t job = job_of(input, depth, params->input_offset);
    if (constants != NULL) {
        run_prepared(constants, &finish, &job, filter, params->batches, outputs, output);
        return;
    }
    const int32_t all_short = is_short(&channel, &job);
    uint32_t sums[SUMS];
    finish.step = 0;
    for (int32_t b = 0; b < params->batches; b++, job.input += depth) {
        const uint32_t start = tflm_filter_offset_term(params, job.input);
        for (int32_t c = 0; c < outputs; c += SUMS, output += finish.count) {
            finish.count = part_of(outputs - c);
            const uint32_t sizes =
                start_sums(sums, finish.count, bias == NULL ? NULL : bias + 4 * c, start);
            add_rows(&job, filter + c * depth, sums, finish.count);
            (all_short && sizes < 2 * HALF ? tflm_m0_finish_exacts : tflm_m0_finish_plains)(
                sums, &channel, output, &finish);
        }
    }
}

void tflm_fully_connected_per_channel_s8(const tflm_fully_connected_per_channel_t *params,
    const int8_t *input, const int8_t *filter, const uint8_t *bias, const uint8_t *scales,
    const int32_t *constants, int8_t *output) {
    const int32_t outputs = params->output_depth, depth = params->input_depth;
    tflm_m0_finish_t finish =
        finish_of(params->output_offset, params->activation_min, params->activation_max);
    tflm_m0_rows_t job = job_of(input, depth, params->input_offset);
    if (constants != NULL) {
        run_prepared(constants, &finish, &job, filter, params->batches, outputs, output);
        return;
    }
    const tflm_scales_t layer = tflm_scales(params->input_scale, params->output_scale);
    for (int32_t c = 0; c < outputs; c += SUMS) {
        tflm_m0_channel_t channels[SUMS];
        int32_t all_short = 1;
        uint32_t sizes = 0, sums[SUMS];
        finish.count = part_of(outputs - c);
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
                sums[i] = (uint32_t)channels[i].start;
            }
            add_rows(&job, filter + c * depth, sums, finish.count);
            (all_short && sizes < 2 * HALF ? tflm_m0_finish_exacts : tflm_m0_finish_plains)(
                sums, channels, output + b * outputs + c, &finish);
        }
    }
}
