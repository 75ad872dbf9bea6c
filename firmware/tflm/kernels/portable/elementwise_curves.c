// LOGISTIC and TANH. Source: tensorflow/lite/kernels/internal/reference/integer_ops/logistic.h,
// tanh.h.
#include "generated/layout.h"
#include "../common/fixed_point.h"
#include "../common/table.h"

enum { INTEGER_BITS = 4 };  // of the curves' argument: Q4.27

static int32_t minus_magnitude(int32_t x) {
    return x > 0 ? -x : x;
}

// 1 / (1 + exp(-x)) in Q0.31, rounded to 8 bits.
static int32_t logistic(int32_t x) {
    int32_t y = 1 << 30;
    if (x != 0) {
        y = tflm_one_over_one_plus(tflm_exp_fixed(minus_magnitude(x), INTEGER_BITS));
        y = x > 0 ? y : INT32_MAX - y;
    }
    return tflm_rounding_divide(y, 23) + INT8_MIN;
}

// (1 - exp(-2x)) / (1 + exp(-2x)) in Q0.31, rounded to 7 bits and a sign. With one integer bit
// more the bits of x are those of 2x.
static int32_t hyperbolic_tangent(int32_t x) {
    int32_t y = 0;
    if (x != 0) {
        y = tflm_one_minus_over_one_plus(tflm_exp_fixed(minus_magnitude(x), INTEGER_BITS + 1));
        y = x > 0 ? y : -y;
    }
    return tflm_rounding_divide(y, 24);
}

typedef int32_t (*curve_t)(int32_t x);

// Applies a curve to `count` int8; what lies outside the input's radius saturates.
// What prepare sees to: input_zero_point is int8, left_shift 0 or more, the multiplier not 0; an
// input inside the radius, scaled, lies in Q4.27 (a shift above 31 has a radius of 0).
static void apply(const tflm_curve_s8_t *params, const int8_t *input, int8_t *output,
    int32_t count, curve_t curve) {
    for (int32_t i = 0; i < count; i++) {
        const int32_t x = tflm_wrapping_sub(input[i], params->input_zero_point);
        int32_t y = INT8_MAX;
        if (x <= -params->input_range_radius) {
            y = INT8_MIN;
        } else if (x < params->input_range_radius) {
            y = curve(tflm_scale(x, params->multiplier, params->left_shift));
        }
        output[i] = (int8_t)tflm_clamp(y, INT8_MIN, INT8_MAX);
    }
}

static void logistics(const void *params, const int8_t *input, int8_t *output, int32_t count) {
    apply(params, input, output, count, logistic);
}

static void tangents(const void *params, const int8_t *input, int8_t *output, int32_t count) {
    apply(params, input, output, count, hyperbolic_tangent);
}

// input   int8 [size]
// output  int8 [size], scale 1/256, zero point -128
void tflm_logistic_s8(const tflm_curve_s8_t *params, const int8_t *input, int8_t *output) {
    tflm_by_table(logistics, params, input, output, params->size);
}

// input   int8 [size]
// output  int8 [size], scale 1/128, zero point 0
void tflm_tanh_s8(const tflm_curve_s8_t *params, const int8_t *input, int8_t *output) {
    tflm_by_table(tangents, params, input, output, params->size);
}
