// From an accumulator to an int8 output.
#ifndef TFLM_REQUANTIZE_H
#define TFLM_REQUANTIZE_H

#include "fixed_point.h"

// A factor of an output: real value = multiplier / 2^31 * 2^shift. Prepare gives multipliers of
// 2^30..2^31 - 1, or 0, and shifts of -31..30; where one is not so, its kernel says so.
typedef struct {
    int32_t multiplier;
    int32_t shift;  // positive = left
} tflm_factor_t;

// Where an output lies and what it may be: int8 values, minimum <= maximum.
typedef struct {
    int32_t offset;  // +zero_point of the output
    int32_t minimum;
    int32_t maximum;
} tflm_range_t;

static inline int8_t tflm_requantize(uint32_t sum, tflm_factor_t factor, tflm_range_t range) {
    const int32_t scaled = tflm_scale((int32_t)sum, factor.multiplier, factor.shift);
    const int32_t y = tflm_wrapping_add(scaled, range.offset);
    return (int8_t)tflm_clamp(y, range.minimum, range.maximum);
}

// Returns input_scale * filter_scale / output_scale as a factor. Scales are float32 bit patterns;
// the result is what QuantizeMultiplier gives for the quotient in double arithmetic, made from
// integers only. A scale that is not a positive normal number gives the factor 0.
//
// With 24-bit mantissas a, b, d the product a * b is exact in a double, and so the double
// quotient is a * b / d rounded to 53 bits, then rounded to 31 bits with ties away from zero.
// Both steps together round up where the remainder of the 31-bit quotient is at least
// d / 2 - d / 2^23: half a unit, less half a unit of the 53rd bit.
// Source: PopulateConvolutionQuantizationParams in tensorflow/lite/kernels/kernel_util.cc,
// QuantizeMultiplier in tensorflow/lite/kernels/internal/quantization_util.cc.
tflm_factor_t tflm_channel_factor(int32_t input_scale, int32_t filter_scale, int32_t output_scale);

// The same for many channels of a layer, in two steps: the division is done once.
typedef struct {
    uint32_t input, output;  // mantissas; input 0 where a scale is not a positive normal number
    uint32_t ratio;
    int32_t power;
} tflm_scales_t;

tflm_scales_t tflm_scales(int32_t input_scale, int32_t output_scale);
tflm_factor_t tflm_factor(const tflm_scales_t *scales, int32_t filter_scale);

#endif
