// FULLY_CONNECTED for cores with vectors; the portable form is ../portable/dense.c.
//
// The sum of w * (x + offset) is that of w * x, plus offset times the sum of w. Constants made
// ahead hold the latter, and four rows of the filter share a vector of input; without them two
// rows do, and the sums of their weights are made beside.
#include "generated/layout.h"
#include "../common/filter_offset.h"
#include "requantize_lanes.h"

enum { LANES = 4, SHORT = 16 };

// What both kernels have in common.
typedef struct {
    const int8_t *filter;
    const uint8_t *bias;
    const int32_t *starts;  // bias + input offset * sum of the row, or NULL
    int32_t input_depth, input_offset;
    tflm_range_t range;
} dense_t;

static uint32_t one_sum(const dense_t *dense, const int8_t *input, int32_t c) {
    const int8_t *w = dense->filter + c * dense->input_depth;
    const uint32_t folded =
        (uint32_t)dense->input_offset * tflm_sum(w, dense->input_depth);
    return tflm_dot_one(input, w, dense->input_depth) + folded
        + (uint32_t)tflm_bias(dense->bias, c);
}

// Words c..c+3 at any alignment, or zeros without a bias.
static inline int32x4_t load_biases(const uint8_t *bias, int32_t c) {
    return bias == NULL ? vdupq_n_s32(0)
                        : vreinterpretq_s32_s8(vldrbq_s8((const int8_t *)bias + 4 * c));
}

// The sums of rows c..c+3.
static inline int32x4_t four_sums(const dense_t *dense, const int8_t *input, int32_t c) {
    const int32_t depth = dense->input_depth;
    const int8_t *w = dense->filter + c * depth;
    if (dense->starts != NULL) {
        return tflm_dot_four(input, w, depth, depth, vldrwq_s32(dense->starts + c));
    }
    const tflm_two_t a = tflm_dot_two(input, w, depth, depth);
    const tflm_two_t b = tflm_dot_two(input, w + 2 * depth, depth, depth);
    const int32x4_t dots = tflm_vector_of(a.dot0, a.dot1, b.dot0, b.dot1);
    const int32x4_t sums = tflm_vector_of(a.sum0, a.sum1, b.sum0, b.sum1);
    return vmlaq_n_s32(
        vaddq_s32(dots, load_biases(dense->bias, c)), sums, dense->input_offset);
}

// The last four rows start early where rows are no multiple of four: some run twice.
static int32_t first_of_four(int32_t c, int32_t depth) {
    return c + LANES <= depth ? c : depth - LANES;
}

// Whether run_short() may be called: rows that a vector holds, a shift to the right, and all of
// int8 as the range.
static int32_t is_short(const tflm_fully_connected_t *params) {
    return params->input_depth <= SHORT && params->output_depth >= LANES && params->shift < 0
        && params->activation_min == INT8_MIN && params->activation_max == INT8_MAX;
}

// One vector of input. What all rows share needs no vectors here, so registers suffice.
static __attribute__((noinline)) void run_short(const tflm_fully_connected_t *params,
    const int8_t *input, const int8_t *filter, const uint8_t *bias, const int32_t *starts,
    int8_t *output) {
    const int32_t depth = params->input_depth;
    const int32_t multiplier = params->multiplier, shift = params->shift;
    const int32_t input_offset = params->input_offset, output_offset = params->output_offset;
    const int32_t shared = (int32_t)tflm_filter_offset_term(params, input);
    const mve_pred16_t used = vctp8q((uint32_t)depth);
    const int8x16_t x = vldrbq_z_s8(input, used);
    for (int32_t left = params->output_depth; left > 0; left -= LANES) {
        if (left < LANES) {  // as first_of_four()
            const int32_t back = LANES - left;
            filter -= back * depth;
            bias = bias == NULL ? NULL : bias - 4 * back;
            starts = starts == NULL ? NULL : starts - back;
            output -= back;
        }
        const int8x16_t w0 = vldrbq_z_s8(filter, used);
        filter += depth;
        const int8x16_t w1 = vldrbq_z_s8(filter, used);
        filter += depth;
        const int8x16_t w2 = vldrbq_z_s8(filter, used);
        filter += depth;
        const int8x16_t w3 = vldrbq_z_s8(filter, used);
        filter += depth;
        int32x4_t sums = tflm_vector_of(vmladavq_s8(x, w0), vmladavq_s8(x, w1),
            vmladavq_s8(x, w2), vmladavq_s8(x, w3));
        if (starts != NULL) {
            sums = vaddq_s32(sums, vldrwq_s32(starts));
            starts += LANES;
        } else {
            const int32x4_t weights = tflm_vector_of(
                vaddvq_s8(w0), vaddvq_s8(w1), vaddvq_s8(w2), vaddvq_s8(w3));
            sums = vmlaq_n_s32(sums, weights, input_offset);
        }
        if (bias != NULL) {
            sums = vaddq_s32(sums, load_biases(bias, 0));
            bias += 4 * LANES;
        }
        const int32x4_t high = vqrdmulhq_n_s32(vaddq_n_s32(sums, shared), multiplier);
        const int32x4_t t = vqaddq_s32(high, vshrq_n_s32(high, 31));
        tflm_put_four(output, vaddq_n_s32(vrshlq_n_s32(t, shift), output_offset));
        output += LANES;
    }
}

// The same of longer rows.
static void run_long(const tflm_fully_connected_t *params, const dense_t *dense,
    const int8_t *input, int32_t shared, int8_t *output) {
    const tflm_four_t four = tflm_four(
        vdupq_n_s32(params->multiplier), vdupq_n_s32(params->shift), dense->range);
    for (int32_t i = 0; i < params->output_depth; i += LANES) {
        const int32_t c = first_of_four(i, params->output_depth);
        const int32x4_t sums = four_sums(dense, input, c);
        tflm_finish_four(output + c, vaddq_n_s32(sums, shared), &four);
    }
}

static void run_apart(const tflm_fully_connected_t *params, const dense_t *dense,
    const int8_t *input, int32_t shared, int8_t *output) {
    const tflm_factor_t factor = {params->multiplier, params->shift};
    for (int32_t c = 0; c < params->output_depth; c++) {
        const uint32_t sum = (uint32_t)shared + one_sum(dense, input, c);
        output[c] = tflm_requantize(sum, factor, dense->range);
    }
}

// Any rows.
static __attribute__((noinline)) void run_any(const tflm_fully_connected_t *params,
    const int8_t *input, const int8_t *filter, const uint8_t *bias, const int32_t *starts,
    int8_t *output) {
    const dense_t dense = {filter, bias, starts, params->input_depth, params->input_offset,
        {params->output_offset, params->activation_min, params->activation_max}};
    const int32_t shared = (int32_t)tflm_filter_offset_term(params, input);
    if (params->output_depth < LANES || params->shift > 0) {
        run_apart(params, &dense, input, shared, output);
    } else {
        run_long(params, &dense, input, shared, output);
    }
}

// Arguments as in ../common/plain_dense.h. constants: the starts of all rows.
void tflm_fully_connected_s8(const tflm_fully_connected_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const int32_t *constants, int8_t *output) {
    for (int32_t b = params->batches; b > 0; b--) {
        if (is_short(params)) {
            run_short(params, input, filter, constants == NULL ? bias : NULL, constants, output);
        } else {
            run_any(params, input, filter, bias, constants, output);
        }
        input += params->input_depth;
        output += params->output_depth;
    }
}

// What the rows of a filter need, with its scales or with constants made ahead.
typedef struct {
    const uint8_t *scales;
    tflm_scales_t both;
    tflm_lanes_t lanes;
} factors_t;

static tflm_factor_t factor_of(const factors_t *factors, int32_t c) {
    return factors->lanes.start != NULL ? tflm_lane_factor(factors->lanes, c)
                                        : tflm_factor(&factors->both,
                                              tflm_load32(factors->scales + 4 * c));
}

// Outputs of rows c..c+3, for all batches; 0 and nothing where one is shifted to the left.
static int run_four(const tflm_fully_connected_per_channel_t *params, const dense_t *dense,
    const factors_t *factors, const int8_t *input, int32_t c, int8_t *output) {
    int32_t multiplier[LANES], shift[LANES];
    for (int32_t i = 0; i < LANES; i++) {
        const tflm_factor_t factor = factor_of(factors, c + i);
        multiplier[i] = factor.multiplier;
        shift[i] = factor.shift;
        if (factor.shift > 0) {
            return 0;
        }
    }
    const tflm_four_t four = tflm_four(vldrwq_s32(multiplier), vldrwq_s32(shift), dense->range);
    for (int32_t b = 0; b < params->batches; b++) {
        const int32x4_t sums = four_sums(dense, input + b * params->input_depth, c);
        tflm_finish_four(output + b * params->output_depth + c, sums, &four);
    }
    return 1;
}

static void run_one(const tflm_fully_connected_per_channel_t *params, const dense_t *dense,
    const factors_t *factors, const int8_t *input, int32_t c, int8_t *output) {
    const tflm_factor_t factor = factor_of(factors, c);
    for (int32_t b = 0; b < params->batches; b++) {
        output[b * params->output_depth + c] = tflm_requantize(
            one_sum(dense, input + b * params->input_depth, c), factor, dense->range);
    }
}

// Arguments as in ../common/plain_dense.h. constants: see requantize_lanes.h.
void tflm_fully_connected_per_channel_s8(const tflm_fully_connected_per_channel_t *params,
    const int8_t *input, const int8_t *filter, const uint8_t *bias, const uint8_t *scales,
    const int32_t *constants, int8_t *output) {
    const int32_t depth = params->output_depth;
    const dense_t dense = {filter, bias, constants, params->input_depth, params->input_offset,
        {params->output_offset, params->activation_min, params->activation_max}};
    factors_t factors = {.scales = scales};
    if (constants != NULL) {
        factors.lanes = tflm_lanes(constants, depth);
    } else {
        factors.both = tflm_scales(params->input_scale, params->output_scale);
    }
    for (int32_t i = 0; i < depth; i += LANES) {
        const int32_t c = depth < LANES ? 0 : first_of_four(i, depth);
        if (depth < LANES || !run_four(params, &dense, &factors, input, c, output)) {
            const int32_t end = depth < LANES ? depth : c + LANES;
            for (int32_t one = c; one < end; one++) {
                run_one(params, &dense, &factors, input, one, output);
            }
        }
    }
}
