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

tflm_factor_t tflm_channel_factor(int32_t input_scale, int32_t filter_scale, int32_t output_scale) {
    tflm_factor_t factor = {0, 0};
    if (!is_positive_normal(input_scale) || !is_positive_normal(filter_scale)
        || !is_positive_normal(output_scale)) {
        return factor;
    }
    const uint64_t product = (uint64_t)mantissa(input_scale) * mantissa(filter_scale);
    const uint32_t divisor = mantissa(output_scale);
    // product / divisor lies in (2^22, 2^25): one of four shifts makes it a 31-bit number.
    int32_t shift = 6;
    while (product << shift < (uint64_t)divisor << 30) {
        shift++;
    }
    uint32_t quotient = (uint32_t)((product << shift) / divisor);
    const uint32_t remainder = (uint32_t)(product << shift) - quotient * divisor;
    quotient += 2 * remainder + (divisor >> 22) >= divisor;
    int32_t power = exponent(input_scale) + exponent(filter_scale) - exponent(output_scale)
        - EXPONENT_BIAS + 31 - shift;
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
