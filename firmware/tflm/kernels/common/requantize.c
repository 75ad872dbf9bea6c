#include "requantize.h"

#include <stdbool.h>

enum { MANTISSA_BITS = 23, EXPONENT_MAX = 255, EXPONENT_BIAS = 127 + MANTISSA_BITS };

static int32_t exponent(int32_t bits) {
    return bits >> MANTISSA_BITS;
}

static uint32_t mantissa(int32_t bits) {
    return ((uint32_t)bits & ((1u << MANTISSA_BITS) - 1)) | 1u << MANTISSA_BITS;
}

static bool is_positive_normal(int32_t bits) {
    return exponent(bits) > 0 && exponent(bits) < EXPONENT_MAX;
}

// ratio = input / output * 2^31, rounded down: below 2^32, because mantissas differ by less than
// 2.
tflm_scales_t tflm_scales(int32_t input_scale, int32_t output_scale) {
    tflm_scales_t scales = {0, 0, 0, 0};
    if (is_positive_normal(input_scale) && is_positive_normal(output_scale)) {
        scales.input = mantissa(input_scale);
        scales.output = mantissa(output_scale);
        scales.ratio = (uint32_t)(((uint64_t)scales.input << 31) / scales.output);
        scales.power = exponent(input_scale) - exponent(output_scale) - EXPONENT_BIAS + 31;
    }
    return scales;
}

tflm_factor_t tflm_factor(const tflm_scales_t *scales, int32_t filter_scale) {
    tflm_factor_t factor = {0, 0};
    if (scales->input == 0 || !is_positive_normal(filter_scale)) {
        return factor;
    }
    const uint32_t filter = mantissa(filter_scale), divisor = scales->output;
    const uint64_t product = (uint64_t)scales->input * filter;
    // product / divisor lies in (2^22, 2^25): one of three shifts makes it a 31-bit number.
    const uint32_t shift =
        8u - (product >= (uint64_t)divisor << 23) - (product >= (uint64_t)divisor << 24);
    // The ratio is less than 1 too small: the quotient less than filter * 2^(shift - 31) <= 2.
    const uint64_t high = (uint64_t)(filter << 8) * scales->ratio;
    uint32_t quotient =
        shift == 8 ? (uint32_t)(high >> 31) : (uint32_t)(high >> 32) >> (7u - shift);
    uint32_t remainder = ((uint32_t)product << shift) - quotient * divisor;
    while (remainder >= divisor) {
        remainder -= divisor;
        quotient++;
    }
    quotient += 2 * remainder + (divisor >> 22) >= divisor;
    int32_t power = scales->power + exponent(filter_scale) - (int32_t)shift;
    if (quotient == 1u << 31) {
        quotient >>= 1;
        power++;
    }
    if (power >= -31) {
        factor.multiplier = (int32_t)quotient;
        factor.shift = power > 31 ? 31 : power;  // TFLM leaves larger factors undefined
    }
    return factor;
}

tflm_factor_t tflm_channel_factor(
    int32_t input_scale, int32_t filter_scale, int32_t output_scale) {
    const tflm_scales_t scales = tflm_scales(input_scale, output_scale);
    return tflm_factor(&scales, filter_scale);
}
