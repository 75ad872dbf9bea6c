// FULLY_CONNECTED for Cortex-M0, M0+ and M3; the portable form is ../portable/dense.c.
//
// Cores share the outputs of one batch, four rows of the filter at a time; outputs and inputs of a
// batch never overlap. Sixteen outputs at a time: their sums start, four rows are added at a time,
// then the sums become outputs. In a prepared model the input offset is part of the channels'
// starts.
#include "../common/dot.h"
#include "../common/filter_offset.h"
#include "../common/split.h"
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

// The outputs of one batch, or of all batches where each channel has its own scale.
typedef struct {
    const tflm_m0_rows_t *job;
    const tflm_m0_finish_t *finish;
    const int8_t *filter;
    int8_t *output;
    int32_t outputs;
    const void *more;
} batch_t;

// How many parts cores can share.
static inline int32_t parts_of(int32_t outputs) {
    return (outputs + TFLM_M0_ROWS - 1) / TFLM_M0_ROWS;
}

// The outputs of parts first..last-1.
static inline tflm_items_t outputs_of(const batch_t *batch, int32_t first, int32_t last) {
    const int32_t end = last * TFLM_M0_ROWS;
    return (tflm_items_t) {
        first * TFLM_M0_ROWS, end < batch->outputs ? end : batch->outputs};
}

static inline void run_prepared_rows(const int32_t *constants, tflm_m0_finish_t *finish,
    tflm_m0_rows_t *job, const int8_t *filter, tflm_items_t rows, int8_t *output) {
    const tflm_m0_form_t form = (tflm_m0_form_t)constants[0];
    const tflm_m0_channel_t *channel = (const void *)(constants + 1);
    uint32_t sums[SUMS];
    if (rows.first > 0) {
        channel = tflm_m0_channel_at(form, channel, rows.first);
    }
    for (int32_t c = rows.first; c < rows.last; c += SUMS) {
        const tflm_m0_channel_t *first = channel;
        finish->count = part_of(rows.last - c);
        for (uint32_t *sum = sums, *end = sums + finish->count; sum != end;) {
            *sum++ = (uint32_t)channel->start;
            channel = (const void *)((const uint8_t *)channel + finish->step);
        }
        add_rows(job, filter + c * job->depth, sums, finish->count);
        (form == TFLM_M0_LINEAR ? tflm_m0_finish_linears : tflm_m0_finish_exacts)(
            sums, first, output + c, finish);
    }
}

static void share_prepared(const void *context, int32_t first, int32_t last) {
    const batch_t *batch = context;
    tflm_m0_finish_t finish = *batch->finish;
    tflm_m0_rows_t job = *batch->job;
    run_prepared_rows(batch->more, &finish, &job, batch->filter,
        outputs_of(batch, first, last), batch->output);
}

static void run_prepared(const int32_t *constants, tflm_m0_finish_t *finish, tflm_m0_rows_t *job,
    const int8_t *filter, int32_t batches, int32_t outputs, int8_t *output) {
    finish->step = constants[0] == TFLM_M0_LINEAR ? (int32_t)sizeof(tflm_m0_linear_t)
                                                  : (int32_t)sizeof(tflm_m0_channel_t);
    job->input_offset = 0;
    for (int32_t b = 0; b < batches; b++, job->input += job->depth, output += outputs) {
        if (tflm_can_split(parts_of(outputs))) {
            const batch_t batch = {job, finish, filter, output, outputs, constants};
            tflm_split(share_prepared, &batch, parts_of(outputs));
        } else {
            run_prepared_rows(
                constants, finish, job, filter, (tflm_items_t) {0, outputs}, output);
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

// What all channels of a layer have, without constants.
typedef struct {
    tflm_m0_channel_t channel;
    int32_t is_short;
    uint32_t start;
    const uint8_t *bias;
} layer_t;

static inline void run_rows(const layer_t *layer, tflm_m0_finish_t *finish, tflm_m0_rows_t *job,
    const int8_t *filter, tflm_items_t rows, int8_t *output) {
    uint32_t sums[SUMS];
    for (int32_t c = rows.first; c < rows.last; c += SUMS) {
        finish->count = part_of(rows.last - c);
        const uint32_t sizes = start_sums(sums, finish->count,
            layer->bias == NULL ? NULL : layer->bias + 4 * c, layer->start);
        add_rows(job, filter + c * job->depth, sums, finish->count);
        (layer->is_short && sizes < 2 * HALF ? tflm_m0_finish_exacts : tflm_m0_finish_plains)(
            sums, &layer->channel, output + c, finish);
    }
}

static void share_rows(const void *context, int32_t first, int32_t last) {
    const batch_t *batch = context;
    tflm_m0_finish_t finish = *batch->finish;
    tflm_m0_rows_t job = *batch->job;
    run_rows(batch->more, &finish, &job, batch->filter, outputs_of(batch, first, last),
        batch->output);
}

// Arguments as in ../common/plain_dense.h.
void tflm_fully_connected_s8(const tflm_fully_connected_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const int32_t *constants, int8_t *output) {
    const int32_t outputs = params->output_depth, depth = params->input_depth;
    tflm_m0_finish_t finish =
        finish_of(params->output_offset, params->activation_min, params->activation_max);
    tflm_m0_rows_t job = job_of(input, depth, params->input_offset);
    if (constants != NULL) {
        run_prepared(constants, &finish, &job, filter, params->batches, outputs, output);
        return;
    }
    layer_t layer = {{0, 0, params->multiplier, -params->shift}, 0, 0, bias};
    layer.is_short = is_short(&layer.channel, &job);
    finish.step = 0;
    for (int32_t b = 0; b < params->batches; b++, job.input += depth, output += outputs) {
        layer.start = tflm_filter_offset_term(params, job.input);
        if (tflm_can_split(parts_of(outputs))) {
            const batch_t batch = {&job, &finish, filter, output, outputs, &layer};
            tflm_split(share_rows, &batch, parts_of(outputs));
        } else {
            run_rows(&layer, &finish, &job, filter, (tflm_items_t) {0, outputs}, output);
        }
    }
}

// What channels with their own scales are made of.
typedef struct {
    const tflm_fully_connected_per_channel_t *params;
    const uint8_t *bias, *scales;
} channels_t;

static inline void run_channels(const channels_t *layer, tflm_m0_finish_t *finish,
    tflm_m0_rows_t *job, const int8_t *filter, tflm_items_t rows, int8_t *output) {
    const tflm_fully_connected_per_channel_t *params = layer->params;
    const tflm_scales_t scales = tflm_scales(params->input_scale, params->output_scale);
    const int8_t *input = job->input;
    for (int32_t c = rows.first; c < rows.last; c += SUMS) {
        tflm_m0_channel_t channels[SUMS];
        int32_t all_short = 1;
        uint32_t sizes = 0, sums[SUMS];
        finish->count = part_of(rows.last - c);
        for (int32_t i = 0; i < finish->count; i++) {
            const tflm_factor_t factor =
                tflm_factor(&scales, tflm_load32(layer->scales + 4 * (c + i)));
            channels[i] = (tflm_m0_channel_t) {
                tflm_bias(layer->bias, c + i), 0, factor.multiplier, -factor.shift};
            all_short &= is_short(&channels[i], job);
            sizes |= (uint32_t)channels[i].start + HALF;
        }
        job->input = input;
        for (int32_t b = 0; b < params->batches; b++, job->input += job->depth) {
            for (int32_t i = 0; i < finish->count; i++) {
                sums[i] = (uint32_t)channels[i].start;
            }
            add_rows(job, filter + c * job->depth, sums, finish->count);
            (all_short && sizes < 2 * HALF ? tflm_m0_finish_exacts : tflm_m0_finish_plains)(
                sums, channels, output + b * params->output_depth + c, finish);
        }
    }
}

static void share_channels(const void *context, int32_t first, int32_t last) {
    const batch_t *batch = context;
    tflm_m0_finish_t finish = *batch->finish;
    tflm_m0_rows_t job = *batch->job;
    run_channels(batch->more, &finish, &job, batch->filter, outputs_of(batch, first, last),
        batch->output);
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
    const channels_t layer = {params, bias, scales};
    if (tflm_can_split(parts_of(outputs))) {
        const batch_t batch = {&job, &finish, filter, output, outputs, &layer};
        tflm_split(share_channels, &batch, parts_of(outputs));
    } else {
        run_channels(&layer, &finish, &job, filter, (tflm_items_t) {0, outputs}, output);
    }
}
