// SUB, MUL, DIV, SQUARED_DIFFERENCE, MAXIMUM, MINIMUM, PRELU, FLOOR_DIV, FLOOR_MOD, POW, ATAN2 of
// float32.
// Source: tensorflow/lite/kernels/internal/reference/{sub,mul,div,maximum_minimum,prelu,floor_div,
// floor_mod}.h; tensorflow/lite/micro/kernels/squared_difference.cc;
// tensorflow/lite/kernels/atan2_custom.cc.
#include "generated/layout.h"
#include "../common/curves_f32.h"
#include "../common/floor_f32.h"
#include "../common/strided.h"

static inline float result(int32_t function, float a, float b) {
    switch (function) {
        case TFLM_PAIRS_F32_SUB: return a - b;
        case TFLM_PAIRS_F32_MUL: return a * b;
        case TFLM_PAIRS_F32_DIV: return a / b;
        case TFLM_PAIRS_F32_SQUARED_DIFFERENCE: return (a - b) * (a - b);
        case TFLM_PAIRS_F32_MAXIMUM: return a > b ? a : b;
        case TFLM_PAIRS_F32_MINIMUM: return a < b ? a : b;
        case TFLM_PAIRS_F32_PRELU: return a >= 0.0f ? a : a * b;
        case TFLM_PAIRS_F32_FLOOR_DIV: return tflm_floor_div(a, b);
        case TFLM_PAIRS_F32_FLOOR_MOD: return tflm_floor_mod(a, b);
        case TFLM_PAIRS_F32_ATAN2: return tflm_float(tflm_angle_bits(tflm_bits(a), tflm_bits(b)));
        default: return tflm_float(tflm_power_bits(tflm_bits(a), tflm_bits(b)));
    }
}

// input1, input2  float32 of any shapes that broadcast to the output's
// output          written in order, clamped to the bounds: infinite ones where there are none
// One loop for all: the choice of the function takes few instructions beside the rest.
void tflm_pairs_f32(const tflm_pairs_f32_t *params, const uint8_t *input1, const uint8_t *input2,
    uint8_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const float minimum = tflm_float(params->activation_min);
    const float maximum = tflm_float(params->activation_max);
    const int32_t rows = tflm_rows(shape), function = params->function;
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const uint8_t *a = input1 + 4 * row.start1, *b = input2 + 4 * row.start2;
        for (int32_t i = row.length; i > 0; i--, output += 4) {
            const float y = result(function, tflm_load_f32(a), tflm_load_f32(b));
            tflm_store_f32(output, tflm_clamp_f32(y, minimum, maximum));
            a += 4 * row.step1;
            b += 4 * row.step2;
        }
    }
}
