// SOFTMAX. Source: tensorflow/lite/kernels/internal/reference/softmax.h.
#include "../../layout.h"
#include "../fixed_point.h"

enum { SUM_INTEGER_BITS = 12, DIFFERENCE_INTEGER_BITS = 5, OUTPUT_BITS = 8 };

static int32_t largest(const int8_t *row, int32_t depth) {
    int32_t maximum = INT8_MIN;
    for (int32_t i = 0; i < depth; i++) {
        maximum = row[i] > maximum ? row[i] : maximum;
    }
    return maximum;
}

// exp(difference * scale * beta) in Q0.31; difference: diff_min..0.
static int32_t exp_of(const tflm_softmax_t *params, int32_t difference) {
    return tflm_exp(tflm_scale(difference, params->multiplier, params->left_shift),
        DIFFERENCE_INTEGER_BITS);
}

// input   [rows, depth]
// output  [rows, depth], scale 1/256, zero point -128
// Inputs more than -diff_min below the row's largest count as 0. Two things are defined here that
// TFLM leaves undefined, both for rows of 512 and more near-equal inputs: a sum of 2^31 and more
// is taken as unsigned, and an output that would be shifted right by more than 31 bits is 0.
void tflm_softmax_s8(const tflm_softmax_t *params, const int8_t *input, int8_t *output) {
    for (int32_t r = 0; r < params->rows; r++, input += params->depth) {
        const int32_t maximum = largest(input, params->depth);
        uint32_t sum = 0;
        for (int32_t i = 0; i < params->depth; i++) {
            if (input[i] - maximum >= params->diff_min) {
                sum += (uint32_t)tflm_rounding_divide(
                    exp_of(params, input[i] - maximum), SUM_INTEGER_BITS);
            }
        }
        int32_t bits;
        const int32_t reciprocal = tflm_reciprocal(sum, SUM_INTEGER_BITS, &bits);
        const int32_t shift = bits + 31 - OUTPUT_BITS;
        for (int32_t i = 0; i < params->depth; i++) {
            int32_t y = 0;
            if (input[i] - maximum >= params->diff_min && shift <= 31) {
                y = tflm_high_mul(reciprocal, exp_of(params, input[i] - maximum));
                y = tflm_rounding_divide(y, shift);
            }
            *output++ = (int8_t)tflm_clamp(y + INT8_MIN, INT8_MIN, INT8_MAX);
        }
    }
}
