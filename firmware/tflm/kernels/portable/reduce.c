// MEAN. Source: tensorflow/lite/kernels/internal/reference/reduce.h:QuantizedMeanOrSum.
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

// input   any shape
// output  [kept extents], written in order: the sum over the reduced axes plus bias, scaled;
//         the multiplier holds the division by the number of elements
// What prepare sees to: bias is the input's zero point times that number, negated; the number is
// below 2^23, so sums are exact; the multiplier is 0 or 2^29..2^31 - 1, as the division makes it
// less.
void tflm_mean_s8(const tflm_mean_t *params, const int8_t *input, int8_t *output) {
    const tflm_range_t range = {params->output_offset, INT8_MIN, INT8_MAX};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    const axes_t kept = {params->dims, params->kept};
    axes_t reduced = {params->dims + 2 * params->kept, params->reduced};
    int32_t length = 1;  // of the last of the reduced axes
    int32_t step = 0;
    if (reduced.count > 0) {
        reduced.count--;
        length = reduced.dims[2 * reduced.count];
        step = reduced.dims[2 * reduced.count + 1];
    }
    const int32_t outputs = positions(kept);
    const int32_t rows = positions(reduced);
    for (int32_t i = 0; i < outputs; i++) {
        const int8_t *first = input + distance(kept, i);
        uint32_t sum = (uint32_t)params->bias;
        for (int32_t r = 0; r < rows; r++) {
            const int8_t *element = first + distance(reduced, r);
            for (int32_t j = 0; j < length; j++, element += step) {
                sum += (uint32_t)*element;
            }
        }
        output[i] = tflm_requantize(sum, factor, range);
    }
}
