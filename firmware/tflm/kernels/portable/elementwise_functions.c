// RSQRT, ELU and HARD_SWISH of int8; RSQRT and ABS of int16. Source: tensorflow/lite/micro/kernels/
// elementwise.cc, elu.cc; tensorflow/lite/kernels/internal/reference/hard_swish.h.
#include "generated/layout.h"
#include "../common/curves_f32.h"
#include "../common/inverse_root.h"
#include "../common/quantize_f32.h"
#include "../common/table.h"

// 1 / sqrt(x) with a scale; `most` of what is not above 0.
static int32_t inverse_root(const tflm_formula_t *params, int32_t x, int32_t most) {
    enum { BITS = 20 };  // behind the point
    if (x <= 0) {
        return most;
    }
    const tflm_factor_t root = tflm_inverse_root(x);
    const int32_t y = tflm_scale(1, root.multiplier, root.shift + BITS);
    return tflm_wrapping_add(
        tflm_scale(y, params->multiplier, params->shift), params->output_zero_point);
}

// Here the factors are scales, as bits of float32.
static int32_t exponential(const tflm_formula_t *params, int32_t x) {
    const float argument = tflm_float(params->multiplier) * (float)x;
    const float y = argument < 0.0f ? tflm_exp(argument) - 1.0f : argument;
    const float inverse = 1.0f / tflm_float(params->shift);
    return tflm_wrapping_add(tflm_round_away(y * inverse), params->output_zero_point);
}

static int32_t saturated(int32_t x) {
    return tflm_clamp(x, INT16_MIN, INT16_MAX);
}

// a * b / 2^15, nearest, ties up. Never both -2^15.
static int32_t half_product(int32_t a, int32_t b) {
    return (a * b + (1 << 14)) >> 15;
}

// x / 2^exponent in 16 bits, where TFLM's mask of more than 15 has overflown.
static int32_t divided(int32_t x, int32_t exponent) {
    if ((uint32_t)exponent > 15) {
        return x < 0 ? -1 : 1;
    }
    return tflm_rounding_divide(x, exponent);
}

// x times a gate that rises from 0 at -3 to 1 at 3. Multipliers have 15 bits.
static int32_t hard_swish(const tflm_formula_t *params, int32_t x) {
    const int32_t shift = params->gate_shift, high = (int16_t)((uint32_t)x << 7);
    int32_t gate = high;
    if (shift > 0) {
        gate = saturated(gate * (1 << (shift > 16 ? 15 : shift - 1)));
    }
    gate = half_product(gate, (int16_t)params->gate_multiplier);
    gate = shift > 0 ? saturated(2 * gate) : divided(gate, -shift);
    gate = (gate + (1 << 15)) >> 1;
    const int32_t y = gate * half_product(high, (int16_t)params->multiplier) / (1 << 15);
    return tflm_wrapping_add(divided(y, -params->shift), params->output_zero_point);
}

static int32_t result(const tflm_formula_t *params, int32_t x) {
    switch (params->function) {
        case TFLM_FORMULA_RSQRT: return inverse_root(params, x, INT8_MAX);
        case TFLM_FORMULA_ELU: return exponential(params, x);
        default: return hard_swish(params, x);
    }
}

static void apply(const void *record, const int8_t *input, int8_t *output, int32_t count) {
    const tflm_formula_t *params = record;
    for (int32_t i = 0; i < count; i++) {
        const int32_t y = result(params, tflm_wrapping_sub(input[i], params->input_zero_point));
        output[i] = (int8_t)tflm_clamp(y, INT8_MIN, INT8_MAX);
    }
}

// input   int8 [size]
// output  int8 [size], another scale and zero point
// What prepare sees to: zero points are int8; the shift of HARD_SWISH's output is 0 or less.
void tflm_function_s8(const tflm_formula_t *params, const int8_t *input, int8_t *output) {
    tflm_by_table(apply, params, input, output, params->size);
}

// input   int16 [size]
// output  int16 [size], another scale; ABS: no scales, and the lowest number stays
void tflm_function_s16(const tflm_formula_t *params, const uint8_t *input, int16_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        const int32_t x = tflm_load16(input + 2 * i);
        if (params->function == TFLM_FORMULA_ABS) {
            output[i] = (int16_t)(x < 0 ? -x : x);
        } else {
            output[i] = (int16_t)saturated(inverse_root(params, x, INT16_MAX));
        }
    }
}
