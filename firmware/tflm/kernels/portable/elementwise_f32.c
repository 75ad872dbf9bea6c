// Functions of one float32 that take few instructions. Source: tensorflow/lite/micro/kernels/
// elementwise.cc, activations_common.cc, hard_swish.cc; tensorflow/lite/kernels/internal/
// reference/{floor,ceil,round,neg,leaky_relu,reference_ops}.h, tensorflow/lite/kernels/sign.cc.
#include "generated/layout.h"
#include "../common/float32.h"
#include "../common/sqrt_f32.h"

static inline float negated(float x) {
    return tflm_float(tflm_bits(x) ^ INT32_MIN);
}

static inline float absolute(float x) {
    return tflm_float(tflm_bits(x) & INT32_MAX);
}

static inline float largest_below(float x) {
    int32_t bits = tflm_bits(x);
    const int32_t exponent = (bits >> 23 & 0xFF) - 127;
    if (exponent >= 23) {  // whole, or no number
        return x;
    }
    if (exponent < 0) {
        return bits < 0 && bits != INT32_MIN ? -1.0f : tflm_float(bits & INT32_MIN);
    }
    const int32_t fraction = 0x7FFFFF >> exponent;
    if (bits < 0) {
        bits += fraction;
    }
    return tflm_float(bits & ~fraction);
}

static inline float least_above(float x) {
    return negated(largest_below(negated(x)));
}

// Halves to even.
static inline float nearest(float x) {
    const float below = largest_below(x), rest = x - below;
    return rest < 0.5f || (rest == 0.5f && ((int32_t)below & 1) == 0) ? below : below + 1.0f;
}

static inline float square(float x) {
    return x * x;
}

static inline float inverse_root(float x) {
    return 1.0f / tflm_sqrt_f32(x);
}

static inline float hard_swish(float x) {
    float gate = x + 3.0f;
    gate = 0.0f < gate ? gate : 0.0f;
    return x * (gate < 6.0f ? gate : 6.0f) / 6.0f;
}

static inline float relu6(float x) {
    return x > 6.0f ? 6.0f : x < 0.0f ? 0.0f : x;
}

static inline float relu_0_to_1(float x) {
    return x > 1.0f ? 1.0f : x < 0.0f ? 0.0f : x;
}

static inline float sign(float x) {
    return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : 0.0f;  // 0 of NaN, too
}

typedef float (*function_t)(float x);

static inline __attribute__((always_inline)) void map(
    int32_t size, const uint8_t *input, uint8_t *output, function_t function) {
    for (int32_t i = 0; i < 4 * size; i += 4) {
        tflm_store_f32(output + i, function(tflm_load_f32(input + i)));
    }
}

// input   float32 [size]
// output  float32 [size]
void tflm_unary_f32(const tflm_unary_f32_t *params, const uint8_t *input, uint8_t *output) {
    const int32_t size = params->size;
    switch (params->function) {
        case TFLM_UNARY_F32_ABS: map(size, input, output, absolute); break;
        case TFLM_UNARY_F32_NEG: map(size, input, output, negated); break;
        case TFLM_UNARY_F32_FLOOR: map(size, input, output, largest_below); break;
        case TFLM_UNARY_F32_CEIL: map(size, input, output, least_above); break;
        case TFLM_UNARY_F32_ROUND: map(size, input, output, nearest); break;
        case TFLM_UNARY_F32_SQUARE: map(size, input, output, square); break;
        case TFLM_UNARY_F32_SQRT: map(size, input, output, tflm_sqrt_f32); break;
        case TFLM_UNARY_F32_RSQRT: map(size, input, output, inverse_root); break;
        case TFLM_UNARY_F32_HARD_SWISH: map(size, input, output, hard_swish); break;
        case TFLM_UNARY_F32_SIGN: map(size, input, output, sign); break;
        case TFLM_UNARY_F32_RELU_0_TO_1: map(size, input, output, relu_0_to_1); break;
        default: map(size, input, output, relu6); break;
    }
}

// input   float32 [size]
// output  float32 [size]: what is not above 0, NaN too, times alpha
void tflm_leaky_relu_f32(
    const tflm_leaky_relu_f32_t *params, const uint8_t *input, uint8_t *output) {
    const float alpha = tflm_float(params->alpha);
    for (int32_t i = 0; i < 4 * params->size; i += 4) {
        const float x = tflm_load_f32(input + i);
        tflm_store_f32(output + i, x > 0.0f ? x : x * alpha);
    }
}
