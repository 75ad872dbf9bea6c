// SOFTMAX. Source: tensorflow/lite/kernels/internal/reference/softmax.h.
#include "generated/layout.h"
#include "../fixed_point.h"

enum { SUM_INTEGER_BITS = 12, DIFFERENCE_INTEGER_BITS = 5 };

static int32_t largest(const int8_t *row, int32_t depth) {
    int32_t maximum = INT8_MIN;
    for (int32_t i = 0; i < depth; i++) {
        maximum = row[i] > maximum ? row[i] : maximum;
    }
    return maximum;
}

// exp(difference * scale * beta) in Q0.31; difference: diff_min..0.
static int32_t exp_of(const tflm_softmax_t *params, int32_t difference) {
    return tflm_exp_fixed(tflm_scale(difference, params->multiplier, params->left_shift),
        DIFFERENCE_INTEGER_BITS);
}

// A row's largest input and 1 / sum of its exponentials, as reciprocal / 2^31 * 2^-shift.
typedef struct {
    int32_t maximum;
    int32_t reciprocal;
    int32_t shift;
} row_t;

static row_t measure(const tflm_softmax_t *params, const int8_t *input) {
    row_t row = {largest(input, params->depth), 0, 0};
    uint32_t sum = 0;
    for (int32_t i = 0; i < params->depth; i++) {
        if (input[i] - row.maximum >= params->diff_min) {
            sum += (uint32_t)tflm_rounding_divide(
                exp_of(params, input[i] - row.maximum), SUM_INTEGER_BITS);
        }
    }
    row.reciprocal = tflm_reciprocal(sum, SUM_INTEGER_BITS, &row.shift);
    return row;
}

// Returns the share of one input in its row, 0 .. 2^output_bits.
static int32_t share(const tflm_softmax_t *params, row_t row, int32_t input, int32_t output_bits) {
    const int32_t shift = row.shift + 31 - output_bits;
    if (input - row.maximum < params->diff_min || shift > 31) {
        return 0;
    }
    const int32_t product = tflm_high_mul(row.reciprocal, exp_of(params, input - row.maximum));
    return tflm_rounding_divide(product, shift);
}

// input   [rows, depth]
// output  [rows, depth], scale 1/256, zero point -128
// What prepare sees to: diff_min is 0 or less, left_shift 1 or more, the multiplier not 0; a
// difference of diff_min or more, scaled, lies in Q5.26.
// Inputs more than -diff_min below the row's largest count as 0. Two things are defined here that
// TFLM leaves undefined, both for rows of 512 and more near-equal inputs: a sum of 2^31 and more
// is taken as unsigned, and an output that would be shifted right by more than 31 bits is 0.
void tflm_softmax_s8(const tflm_softmax_t *params, const int8_t *input, int8_t *output) {
    for (int32_t r = 0; r < params->rows; r++, input += params->depth) {
        const row_t row = measure(params, input);
        for (int32_t i = 0; i < params->depth; i++) {
            *output++ = (int8_t)tflm_clamp(
                share(params, row, input[i], 8) + INT8_MIN, INT8_MIN, INT8_MAX);
        }
    }
}

// input   [rows, depth]
// output  [rows, depth], scale 1/65536, zero point -32768
// As above, with 16 bits of output.
void tflm_softmax_s8_s16(const tflm_softmax_t *params, const int8_t *input, int16_t *output) {
    for (int32_t r = 0; r < params->rows; r++, input += params->depth) {
        const row_t row = measure(params, input);
        for (int32_t i = 0; i < params->depth; i++) {
            *output++ = (int16_t)tflm_clamp(
                share(params, row, input[i], 16) + INT16_MIN, INT16_MIN, INT16_MAX);
        }
    }
}
