// MEAN and SUM, REDUCE_MAX and REDUCE_MIN, ARG_MAX and ARG_MIN.
// Source: tensorflow/lite/kernels/internal/reference/reduce.h, arg_min_max.h.
#include "generated/layout.h"
#include "../common/reduced.h"
#include "../common/requantize.h"

// input   any shape
// output  [kept extents], written in order: the sum over the reduced axes plus bias, scaled; of
//         MEAN, the multiplier holds the division by the number of elements
// What prepare sees to: bias is the input's zero point times that number, negated; the number is
// below 2^23, so sums are exact; MEAN's multiplier is 0 or 2^29..2^31 - 1, as the division makes
// it less.
void tflm_mean_s8(const tflm_mean_t *params, const int8_t *input, int8_t *output) {
    const tflm_range_t range = {params->output_offset, INT8_MIN, INT8_MAX};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    const tflm_axes_t kept = {params->dims, params->kept};
    const tflm_reduced_t reduced = tflm_reduced(params->dims + 2 * params->kept, params->reduced);
    const int32_t outputs = tflm_positions(kept);
    for (int32_t i = 0; i < outputs; i++) {
        const int8_t *first = input + tflm_distance(kept, i);
        uint32_t sum = (uint32_t)params->bias;
        for (int32_t r = 0; r < reduced.rows; r++) {
            const int8_t *element = first + tflm_distance(reduced.outer, r);
            for (int32_t j = 0; j < reduced.length; j++, element += reduced.step) {
                sum += (uint32_t)*element;
            }
        }
        output[i] = tflm_requantize(sum, factor, range);
    }
}

// The largest of values whose bits of `flip` are turned over, turned back: with -1 the least.
static inline void reduce(
    const tflm_reduce_t *params, const int8_t *input, int8_t *output, int32_t flip) {
    const tflm_axes_t kept = {params->dims, params->kept};
    const tflm_reduced_t reduced = tflm_reduced(params->dims + 2 * params->kept, params->reduced);
    const int32_t outputs = tflm_positions(kept);
    for (int32_t i = 0; i < outputs; i++) {
        const int8_t *first = input + tflm_distance(kept, i);
        int32_t most = INT8_MIN;
        for (int32_t r = 0; r < reduced.rows; r++) {
            const int8_t *element = first + tflm_distance(reduced.outer, r);
            for (int32_t j = 0; j < reduced.length; j++, element += reduced.step) {
                const int32_t value = *element ^ flip;
                most = value > most ? value : most;
            }
        }
        output[i] = (int8_t)(most ^ flip);
    }
}

// input   int8, any shape
// output  int8 [kept extents], written in order; the scale and zero point of the input
void tflm_reduce_max_s8(const tflm_reduce_t *params, const int8_t *input, int8_t *output) {
    reduce(params, input, output, 0);
}

void tflm_reduce_min_s8(const tflm_reduce_t *params, const int8_t *input, int8_t *output) {
    reduce(params, input, output, -1);
}

static inline void find(
    const tflm_arg_t *params, const int8_t *input, int32_t *output, int32_t flip) {
    for (int32_t o = 0; o < params->outer; o++, input += params->extent * params->inner) {
        for (int32_t i = 0; i < params->inner; i++) {
            const int8_t *element = input + i;
            int32_t place = 0;
            int32_t most = INT8_MIN - 1;
            for (int32_t j = 0; j < params->extent; j++, element += params->inner) {
                const int32_t value = *element ^ flip;
                if (value > most) {
                    most = value;
                    place = j;
                }
            }
            *output++ = place;
        }
    }
}

// input   int8 [outer, extent, inner]
// output  int32 [outer, inner]: where the first largest element is
void tflm_arg_max_s8(const tflm_arg_t *params, const int8_t *input, int32_t *output) {
    find(params, input, output, 0);
}

void tflm_arg_min_s8(const tflm_arg_t *params, const int8_t *input, int32_t *output) {
    find(params, input, output, -1);
}
