// EXP, LOG, SQRT, SIN, COS and GELU of int8 and int16, computed in float32; GELU of float32.
// Source: tensorflow/lite/kernels/internal/reference/gelu.h, kernels/internal/common.h,
// kernels/elementwise.cc: of TFLite, as TFLM lacks them.
#include "generated/layout.h"
#include "../common/curves_f32.h"
#include "../common/fixed_point.h"
#include "../common/quantize_f32.h"
#include "../common/sqrt_f32.h"
#include "../common/table.h"

static float gelu(float x, int32_t is_approximate) {
    if (is_approximate) {
        const float cubic = 0.044715f * x * x * x;
        return 0.5f * x * (1.0f + tflm_tanh(0x1.988454p-1f * (x + cubic)));  // sqrt(2 / pi)
    }
    return 0.5f * x * tflm_erfc(x * -0x1.6a09e6p-1f);  // sqrt(1 / 2)
}

// x  of the input. A logarithm that does not exist is the least of the output, lowest.
static float transformed(int32_t function, float x, float lowest) {
    switch (function) {
        case TFLM_TRANSFORM_EXP: return tflm_exp(x);
        case TFLM_TRANSFORM_LOG:
            return x > 0.0f ? tflm_float(tflm_log_bits(tflm_bits(x))) : lowest;
        case TFLM_TRANSFORM_SIN: return tflm_float(tflm_sin_bits(tflm_bits(x)));
        case TFLM_TRANSFORM_COS: return tflm_float(tflm_cos_bits(tflm_bits(x)));
        default: return gelu(x, function != TFLM_TRANSFORM_GELU);
    }
}

// The root of x steps of the input in steps of the output, rounded down; 0 of what is negative.
static int32_t root(const tflm_transform_t *params, int32_t x) {
    if (x <= 0) {
        return 0;
    }
    const float y = tflm_sqrt_f32(tflm_float(params->input_scale) * (float)x)
        / tflm_float(params->output_scale);
    if (!(y < 0x1p17f)) {
        return 1 << 17;
    }
    return y > 0.0f ? (int32_t)y : 0;
}

static void apply(const void *record, const int8_t *input, int8_t *output, int32_t count) {
    const tflm_transform_t *params = record;
    const float scale = tflm_float(params->input_scale);
    const float output_scale = tflm_float(params->output_scale);
    const float lowest =
        output_scale * (float)tflm_wrapping_sub(INT8_MIN, params->output_zero_point);
    const float inverse = 1.0f / output_scale;
    for (int32_t i = 0; i < count; i++) {
        const int32_t x = tflm_wrapping_sub(input[i], params->input_zero_point);
        int32_t y;
        if (params->function == TFLM_TRANSFORM_SQRT) {
            y = root(params, x);
        } else {
            y = tflm_round_away(
                transformed(params->function, scale * (float)x, lowest) * inverse);
        }
        y = tflm_wrapping_add(y, params->output_zero_point);
        output[i] = (int8_t)tflm_clamp(y, INT8_MIN, INT8_MAX);
    }
}

// input   int8 [size]
// output  int8 [size], another scale and zero point
// What prepare sees to: zero points are int8, scales normal numbers.
void tflm_transform_s8(const tflm_transform_t *params, const int8_t *input, int8_t *output) {
    tflm_by_table(apply, params, input, output, params->size);
}

enum { STEPS = 512, STEP_BITS = 7 };

typedef struct {
    int32_t function;
    float lowest, first, step;  // of output, of input
    float inverse;              // steps of the output in 1
} curve_t;

// Halves away from zero; what is 2^23 and more is whole.
static float rounded(float x) {
    return (tflm_bits(x) & INT32_MAX) < 0x4B000000 ? (float)tflm_round_away(x) : x;
}

static float at(const curve_t *curve, float x) {
    return transformed(curve->function, x, curve->lowest) * curve->inverse;
}

static int16_t sample(float y) {
    return (int16_t)(y > 32767.0f ? 32767.0f : y > -32768.0f ? y : -32768.0f);
}

// What the table holds at a step: the curve there, less half of what a line to the next step is
// off in the middle between them.
static int16_t entry(const curve_t *curve, int32_t i) {
    const float x = curve->first + (float)i * curve->step;
    const float y = rounded(at(curve, x));
    const float next = at(curve, curve->first + (float)(i + 1) * curve->step);
    const float line = rounded((next + y) / 2.0f);
    const float middle = rounded(at(curve, x + curve->step / 2.0f));
    return sample(y - rounded((line - middle) / 2.0f));
}

static int32_t step_of(int32_t x) {
    return STEPS / 2 + (x >> STEP_BITS);
}

// Writes those entries of the table that the input needs.
static void fill(const tflm_transform_t *params, const uint8_t *input, int16_t *table) {
    const float scale = tflm_float(params->input_scale);
    const float output_scale = tflm_float(params->output_scale);
    const float first = scale * -32768.0f, last = scale * 32767.0f;
    const float lowest = output_scale * -32768.0f;
    const curve_t curve = {params->function, lowest, first, (last - first) / STEPS,
        0x1p16f / (output_scale * 32767.0f - lowest)};
    int32_t least = STEPS, most = 0;
    for (int32_t i = 0; i < params->size; i++) {
        const int32_t step = step_of(tflm_load16(input + 2 * i));
        least = step < least ? step : least;
        most = step > most ? step : most;
    }
    for (int32_t i = least; i <= most + 1 && i < STEPS; i++) {
        table[i] = entry(&curve, i);
    }
    table[STEPS] = sample(rounded(at(&curve, last)));
}

// input   int16 [size]
// output  int16 [size], another scale
// table   int16 [513], scratch
void tflm_transform_s16(
    const tflm_transform_t *params, const uint8_t *input, int16_t *output, int16_t *table) {
    const int32_t is_root = params->function == TFLM_TRANSFORM_SQRT;
    if (!is_root) {
        fill(params, input, table);
    }
    for (int32_t i = 0; i < params->size; i++) {
        const int32_t x = tflm_load16(input + 2 * i);
        int32_t y;
        if (is_root) {
            y = root(params, x);
            y = y > INT16_MAX ? INT16_MAX : y;
        } else {
            const int32_t k = step_of(x), rest = x & ((1 << STEP_BITS) - 1);
            const int32_t rise = (table[k + 1] - table[k]) * rest;
            y = table[k] + ((rise + (1 << (STEP_BITS - 1))) >> STEP_BITS);
        }
        output[i] = (int16_t)y;
    }
}

// input   float32 [size]
// output  float32 [size]
void tflm_gelu_f32(const tflm_gelu_f32_t *params, const uint8_t *input, uint8_t *output) {
    for (int32_t i = 0; i < 4 * params->size; i += 4) {
        tflm_store_f32(output + i, gelu(tflm_load_f32(input + i), params->is_approximate));
    }
}
