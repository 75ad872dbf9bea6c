// SUB, MUL, DIV, SQUARED_DIFFERENCE, MAXIMUM, MINIMUM and PRELU of float32. Source: tensorflow/lite/
// kernels/internal/reference/{sub,mul,div,maximum_minimum,prelu}.h; tensorflow/lite/micro/kernels/
// squared_difference.cc.
#include "generated/layout.h"
#include "../float32.h"
#include "../strided.h"

// Numbers of tflm/ops/broadcast_float.py.
enum { SUB, MUL, DIV, SQUARED_DIFFERENCE, MAXIMUM, MINIMUM, PRELU };

static inline float difference(float a, float b) {
    return a - b;
}

static inline float product(float a, float b) {
    return a * b;
}

static inline float quotient(float a, float b) {
    return a / b;
}

static inline float squared_difference(float a, float b) {
    return (a - b) * (a - b);
}

static inline float larger(float a, float b) {
    return a > b ? a : b;
}

static inline float smaller(float a, float b) {
    return a < b ? a : b;
}

static inline float sloped(float a, float slope) {
    return a >= 0.0f ? a : a * slope;
}

typedef float (*function_t)(float a, float b);

static inline __attribute__((always_inline)) void map(const tflm_pairs_f32_t *params,
    const uint8_t *input1, const uint8_t *input2, uint8_t *output, function_t function) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const float minimum = tflm_float(params->activation_min);
    const float maximum = tflm_float(params->activation_max);
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const uint8_t *a = input1 + 4 * row.start1, *b = input2 + 4 * row.start2;
        for (int32_t i = row.length; i > 0; i--, output += 4) {
            const float y = function(tflm_load_f32(a), tflm_load_f32(b));
            tflm_store_f32(output, tflm_clamp_f32(y, minimum, maximum));
            a += 4 * row.step1;
            b += 4 * row.step2;
        }
    }
}

// input1, input2  float32 of any shapes that broadcast to the output's
// output          written in order, clamped to the bounds: infinite ones where there are none
void tflm_pairs_f32(const tflm_pairs_f32_t *params, const uint8_t *input1, const uint8_t *input2,
    uint8_t *output) {
    switch (params->function) {
        case SUB: map(params, input1, input2, output, difference); break;
        case MUL: map(params, input1, input2, output, product); break;
        case DIV: map(params, input1, input2, output, quotient); break;
        case SQUARED_DIFFERENCE: map(params, input1, input2, output, squared_difference); break;
        case MAXIMUM: map(params, input1, input2, output, larger); break;
        case MINIMUM: map(params, input1, input2, output, smaller); break;
        default: map(params, input1, input2, output, sloped); break;
    }
}
