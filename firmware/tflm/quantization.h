// Real numbers as the elements of a quantized tensor, and back: TFLite's AffineQuantize and
// Dequantize, bit by bit, on every core. The C counterpart of mp_modules/tflm/run/elements.py.
#ifndef TFLM_QUANTIZATION_H
#define TFLM_QUANTIZATION_H

#include "elements.h"

// Cores without float32 in hardware divide integers.
#if !defined(TFLM_HAS_FLOAT_UNIT)
#if defined(__arm__) && !defined(__ARM_FP)
#define TFLM_HAS_FLOAT_UNIT 0
#else
#define TFLM_HAS_FLOAT_UNIT 1
#endif
#endif

// A scale and what quotients become: from `lowest` on they are elements from `low` on, and saturate
// at both ends of a range.
typedef struct {
#if TFLM_HAS_FLOAT_UNIT
    float value;
#else
    uint32_t mantissa;    // of the scale m * 2^(exponent - 150): m, in [2^23, 2^24)
    uint32_t reciprocal;  // floor((2^55 - 1) / m)
    int32_t exponent;
#endif
    int32_t lowest;
    int32_t low;
    uint32_t range;
} tflm_scale_t;

// bits: of a float32; format: of the elements, integers. Returns false for a scale that is
// negative, below 2^-125, or 2^97 and more.
bool tflm_set_scale(tflm_scale_t *scale, uint32_t bits, int32_t zero_point, char format);

// Returns round(x / scale) + zero_point, saturated; x is given as bits and is not NaN. The
// quotient is rounded to float32, then to the nearest integer, halves away from zero.
int32_t tflm_quantize(const tflm_scale_t *scale, uint32_t bits);

static inline bool tflm_is_nan(uint32_t bits) {
    return bits << 1 > 0xFF000000u;
}

bool tflm_has_nan(const tflm_elements_t *from);

// The elements of `to` are integers, as many as there are in `from`.
void tflm_quantize_all(
    const tflm_scale_t *scale, const tflm_elements_t *from, const tflm_elements_t *to);

// Sets float32 (element - zero_point) * scale; the elements are integers.
void tflm_dequantize_all(
    const tflm_elements_t *from, uint32_t scale_bits, int32_t zero_point, uint8_t *to);

#endif
