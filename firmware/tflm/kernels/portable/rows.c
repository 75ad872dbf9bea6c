// SOFTMAX and LOG_SOFTMAX. Source: tensorflow/lite/kernels/internal/reference/softmax.h,
// log_softmax.h.
#include <stddef.h>

#include "generated/layout.h"
#include "../common/fixed_point.h"

enum { SUM_INTEGER_BITS = 12, DIFFERENCE_INTEGER_BITS = 5 };

// A function that few models run: built for size, as SMALL_KERNELS are.
#define TFLM_RARE __attribute__((cold))

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

static uint32_t sum_of(const tflm_softmax_t *params, const int8_t *input, int32_t maximum) {
    uint32_t sum = 0;
    for (int32_t i = 0; i < params->depth; i++) {
        if (input[i] - maximum >= params->diff_min) {
            sum += (uint32_t)tflm_rounding_divide(
                exp_of(params, input[i] - maximum), SUM_INTEGER_BITS);
        }
    }
    return sum;
}

static row_t measure(const tflm_softmax_t *params, const int8_t *input) {
    row_t row = {largest(input, params->depth), 0, 0};
    const uint32_t sum = sum_of(params, input, row.maximum);
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
TFLM_RARE
void tflm_softmax_s8_s16(
    const tflm_softmax_t *params, const int8_t *input, int16_t *output) {
    for (int32_t r = 0; r < params->rows; r++, input += params->depth) {
        const row_t row = measure(params, input);
        for (int32_t i = 0; i < params->depth; i++) {
            *output++ = (int16_t)tflm_clamp(
                share(params, row, input[i], 16) + INT16_MIN, INT16_MIN, INT16_MAX);
        }
    }
}

_Static_assert(offsetof(tflm_log_softmax_t, diff_min) == offsetof(tflm_softmax_t, diff_min),
    "the sum takes both");

// ln(x) in Q5.26 for x of 1 or more in Q12.19: a power of two, and a quotient around it.
static TFLM_RARE int32_t logarithm(int32_t x) {
    enum { LN_2 = 1488522236, ROOT_OF_HALF = 1518500250, MIDDLE = 1805811301 };  // Q0.31
    enum { N = 117049297, D = 127690142, I = 1057819769, F = 638450708 };
    enum { BITS = 25, QUARTER = 1 << 23 };  // of the power of two, Q6.25
    const int32_t zeros = tflm_leading_zeros((uint32_t)x);
    const int32_t low = tflm_high_mul(x, ROOT_OF_HALF);
    const int32_t low_zeros = tflm_leading_zeros((uint32_t)low) - 1;
    int32_t r = tflm_high_mul(tflm_saturating_shift(x, zeros - 1), ROOT_OF_HALF);
    r = tflm_saturating_shift(r, 1);
    const int32_t r_low = tflm_saturating_shift(x, low_zeros);
    r = r < r_low ? r : r_low;
    int32_t power = (SUM_INTEGER_BITS - zeros) * (1 << BITS) + QUARTER;
    const int32_t power_low = (SUM_INTEGER_BITS - low_zeros) * (1 << BITS) - QUARTER;
    power = power > power_low ? power : power_low;
    const int32_t p = (int32_t)(((uint32_t)r + MIDDLE + 1) >> 1);
    const int32_t q = 2 * (r - MIDDLE), q2 = tflm_high_mul(q, q);
    const int32_t over = tflm_high_mul(q, r) + tflm_high_mul(tflm_high_mul(q, q2), N);
    const int32_t under =
        tflm_high_mul(p, I + q + tflm_high_mul(D, q2)) + tflm_high_mul(F, q);
    const int32_t rest =
        tflm_high_mul(tflm_rounding_divide(over, 6), tflm_one_over_one_plus(under));
    return tflm_saturating_shift(tflm_high_mul(power, LN_2) + rest, 1);
}

// input   [rows, depth]
// output  [rows, depth], scale 1/16, zero point 127
// What prepare sees to: as of SOFTMAX; reverse_shift is 0 or less.
TFLM_RARE
void tflm_log_softmax_s8(
    const tflm_log_softmax_t *params, const int8_t *input, int8_t *output) {
    const tflm_softmax_t *softmax = (const void *)params;
    for (int32_t r = 0; r < params->rows; r++, input += params->depth) {
        const int32_t maximum = largest(input, params->depth);
        const uint32_t one = 1u << (31 - SUM_INTEGER_BITS);  // which the largest input adds
        uint32_t sum = sum_of(softmax, input, maximum);
        sum = sum < one ? one : sum;
        const int32_t log = logarithm((int32_t)(sum > INT32_MAX ? INT32_MAX : sum));
        const int32_t limit = tflm_scale(tflm_wrapping_add(log, INT32_MIN),
            params->reverse_multiplier, params->reverse_shift);
        const int32_t least = limit < params->diff_min ? params->diff_min - 1 : limit;
        for (int32_t i = 0; i < params->depth; i++) {
            int32_t y = INT8_MIN;
            if (input[i] - maximum > least) {
                const int32_t x = tflm_scale(
                    input[i] - maximum, params->multiplier, params->left_shift);
                y = tflm_rounding_divide(tflm_wrapping_sub(x, log), 22) + INT8_MAX;
            }
            *output++ = (int8_t)tflm_clamp(y, INT8_MIN, INT8_MAX);
        }
    }
}
