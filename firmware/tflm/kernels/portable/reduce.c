// MEAN and SUM, REDUCE_MAX and REDUCE_MIN, ARG_MAX and ARG_MIN.
// Source: tensorflow/lite/kernels/internal/reference/reduce.h, arg_min_max.h.
#include "generated/layout.h"
#include "../requantize.h"

// A set of dimensions of the input: dims[] holds pairs (extent, step in elements).
typedef struct {
    const int32_t *dims;
    int32_t count;
} axes_t;

static int32_t positions(axes_t axes) {
    int32_t product = 1;
    for (int32_t i = 0; i < axes.count; i++) {
        product *= axes.dims[2 * i];
    }
    return product;
}

// Returns how far position `index` in row-major order over the axes lies from the first.
static int32_t distance(axes_t axes, int32_t index) {
    int32_t elements = 0;
    for (int32_t i = axes.count - 1; i >= 0; i--) {
        elements += index % axes.dims[2 * i] * axes.dims[2 * i + 1];
        index /= axes.dims[2 * i];
    }
    return elements;
}

// Where the elements of one output lie: rows of `length` elements, `step` apart.
typedef struct {
    axes_t outer;  // of the rows
    int32_t rows, length, step;
} reduced_t;

static reduced_t reduced_of(const int32_t *dims, int32_t count) {
    reduced_t reduced = {{dims, count}, 1, 1, 0};
    if (count > 0) {
        reduced.outer.count--;
        reduced.length = dims[2 * count - 2];
        reduced.step = dims[2 * count - 1];
    }
    reduced.rows = positions(reduced.outer);
    return reduced;
}

// input   any shape
// output  [kept extents], written in order: the sum over the reduced axes plus bias, scaled; of
//         MEAN, the multiplier holds the division by the number of elements
// What prepare sees to: bias is the input's zero point times that number, negated; the number is
// below 2^23, so sums are exact; MEAN's multiplier is 0 or 2^29..2^31 - 1, as the division makes
// it less.
void tflm_mean_s8(const tflm_mean_t *params, const int8_t *input, int8_t *output) {
    const tflm_range_t range = {params->output_offset, INT8_MIN, INT8_MAX};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    const axes_t kept = {params->dims, params->kept};
    const reduced_t reduced = reduced_of(params->dims + 2 * params->kept, params->reduced);
    const int32_t outputs = positions(kept);
    for (int32_t i = 0; i < outputs; i++) {
        const int8_t *first = input + distance(kept, i);
        uint32_t sum = (uint32_t)params->bias;
        for (int32_t r = 0; r < reduced.rows; r++) {
            const int8_t *element = first + distance(reduced.outer, r);
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
    const axes_t kept = {params->dims, params->kept};
    const reduced_t reduced = reduced_of(params->dims + 2 * params->kept, params->reduced);
    const int32_t outputs = positions(kept);
    for (int32_t i = 0; i < outputs; i++) {
        const int8_t *first = input + distance(kept, i);
        int32_t most = INT8_MIN;
        for (int32_t r = 0; r < reduced.rows; r++) {
            const int8_t *element = first + distance(reduced.outer, r);
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
