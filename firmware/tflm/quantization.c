#include "quantization.h"

enum {
    FRACTION_BITS = 23,
    EXPONENT_MIN = 2,    // of a scale: below, a subnormal number might be half of it
    EXPONENT_MAX = 223,  // above, an infinity, whose exponent is 255, might not saturate
    TABLE_SIZE = 256,
};

// The loop over floats has a copy of the division, all else calls it.
#define INLINE static inline __attribute__((always_inline))

#define HIDDEN ((uint32_t)1 << FRACTION_BITS)
#define SIGN ((uint32_t)1 << 31)

static int32_t saturate(int64_t value) {
    return value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : (int32_t)value;
}

#if TFLM_HAS_FLOAT_UNIT

#define ALMOST_HALF 0x3EFFFFFFu  // the largest float32 below 1/2
#define TOO_LARGE 2147483648.0f

static void set_divisor(tflm_scale_t *scale, uint32_t bits) {
    scale->value = tflm_as_float((int32_t)bits);
}

// Returns the quotient rounded to float32, then to an integer. Almost a half more and no fraction
// is the nearest integer: the sum is rounded up to the next one exactly where a half is reached.
INLINE int32_t divide(const tflm_scale_t *scale, uint32_t bits) {
    const float quotient = tflm_as_float((int32_t)bits) / scale->value;
    const uint32_t sign = (uint32_t)tflm_as_bits(quotient) & SIGN;
    const float sum = quotient + tflm_as_float((int32_t)(ALMOST_HALF | sign));
    if (__builtin_fabsf(sum) < TOO_LARGE) {
        return (int32_t)sum;
    }
    return sign ? INT32_MIN : INT32_MAX;
}

#else

static void set_divisor(tflm_scale_t *scale, uint32_t bits) {
    scale->exponent = (int32_t)(bits >> FRACTION_BITS);
    scale->mantissa = (bits & (HIDDEN - 1)) | HIDDEN;
    scale->reciprocal = (uint32_t)((((uint64_t)1 << 55) - 1) / scale->mantissa);
}

// The high word of a * b; a is below 2^26.
static inline uint32_t high_word(uint32_t a, uint32_t b) {
#if defined(__ARM_ARCH_6M__)
    const uint32_t ah = a >> 16, al = a & 0xFFFF, bh = b >> 16, bl = b & 0xFFFF;
    const uint32_t middle = al * bh + (al * bl >> 16);
    return ah * bh + (middle >> 16) + ((ah * bl + (middle & 0xFFFF)) >> 16);
#else
    return (uint32_t)((uint64_t)a * b >> 32);
#endif
}

// Returns the quotient rounded to float32, then to an integer. The mantissa, doubled where it is
// the smaller one, has a quotient q of 25 bits by the scale's. A remainder of half a unit of the 24
// bits that a float32 keeps would make the scale's mantissa a multiple of 2^24, so they are
// (q + 1) / 2, whatever it is.
INLINE int32_t divide(const tflm_scale_t *scale, uint32_t bits) {
    uint32_t mantissa = (bits & (HIDDEN - 1)) | HIDDEN;
    int32_t shift = scale->exponent - (int32_t)(bits << 1 >> (FRACTION_BITS + 1)) + FRACTION_BITS;
    if (mantissa < scale->mantissa) {
        mantissa <<= 1;
        shift++;
    }
    if (shift > FRACTION_BITS + 1) {
        return 0;  // the quotient is below 1/2
    }
    if (shift <= FRACTION_BITS - 31) {
        return bits & SIGN ? INT32_MIN : INT32_MAX;
    }
    uint32_t q = high_word(mantissa << 1, scale->reciprocal);
    // It is 1 too small at most, as the reciprocal is.
    q += (mantissa << 24) - q * scale->mantissa >= scale->mantissa;
    q = (q + 1) >> 1;
    if (shift > 0) {
        q = ((q >> (shift - 1)) + 1) >> 1;
    } else {
        q <<= -shift;
    }
    return bits & SIGN ? -(int32_t)q : (int32_t)q;
}

#endif

bool tflm_set_scale(tflm_scale_t *scale, uint32_t bits, int32_t zero_point, char format) {
    const uint32_t exponent = bits >> FRACTION_BITS;  // too large with the sign of a negative one
    if (exponent < EXPONENT_MIN || exponent > EXPONENT_MAX) {
        return false;
    }
    set_divisor(scale, bits);
    int32_t high;
    tflm_limits(format, &scale->low, &high);
    // divide() applies the limits that only int32 sets.
    scale->lowest = saturate((int64_t)scale->low - zero_point);
    scale->low = (int32_t)((uint32_t)scale->lowest + (uint32_t)zero_point);
    scale->range = (uint32_t)saturate((int64_t)high - zero_point) - (uint32_t)scale->lowest;
    return true;
}

INLINE int32_t quantize(const tflm_scale_t *scale, uint32_t bits) {
    const int32_t value = divide(scale, bits);
    uint32_t steps = (uint32_t)value - (uint32_t)scale->lowest;
    if (steps > scale->range) {
        steps = value < scale->lowest ? 0 : scale->range;
    }
    return (int32_t)(steps + (uint32_t)scale->low);
}

__attribute__((noinline)) int32_t tflm_quantize(const tflm_scale_t *scale, uint32_t bits) {
    return quantize(scale, bits);
}

static int32_t quantize_int(const tflm_scale_t *scale, int32_t value) {
    return tflm_quantize(scale, (uint32_t)tflm_as_bits(tflm_float_of(value)));
}

bool tflm_has_nan(const tflm_elements_t *from) {
    uint32_t largest = 0;
#pragma GCC unroll 4
    for (size_t i = 0; i < from->count; i++) {
        const uint32_t magnitude = (uint32_t)tflm_load32(from->data + 4 * i) << 1;
        largest = magnitude > largest ? magnitude : largest;
    }
    return tflm_is_nan(largest >> 1);
}

// A table of all bytes is soon cheaper than all elements.
static void quantize_bytes(const tflm_scale_t *scale, const tflm_elements_t *from, uint8_t *to) {
    uint8_t table[TABLE_SIZE];
    for (int32_t i = 0; i < TABLE_SIZE; i++) {
        const float value = tflm_float_of(from->format == 'b' ? (int8_t)i : i);
        table[i] = (uint8_t)quantize(scale, (uint32_t)tflm_as_bits(value));
    }
    const uint8_t *bytes = from->data;
    for (size_t n = from->count; n != 0; n--) {
        *to++ = table[*bytes++];
    }
}

INLINE void quantize_floats(
    const tflm_scale_t *scale, const tflm_elements_t *from, uint8_t *to, size_t size) {
    const tflm_scale_t local = *scale;  // which stores do not change
    const uint8_t *x = from->data, *end = x + 4 * from->count;
    for (; x != end; x += 4, to += size) {
        tflm_store(to, size, 0, quantize(&local, (uint32_t)tflm_load32(x)));
    }
}

void tflm_quantize_all(
    const tflm_scale_t *scale, const tflm_elements_t *from, const tflm_elements_t *to) {
    const size_t size = tflm_format_size(to->format);
    if (from->format == 'f') {
        if (size == 1) {
            quantize_floats(scale, from, to->data, 1);
        } else {
            quantize_floats(scale, from, to->data, size);
        }
    } else if (size == 1 && tflm_format_size(from->format) == 1 && from->count > TABLE_SIZE) {
        quantize_bytes(scale, from, to->data);
    } else {
        for (size_t i = 0; i < from->count; i++) {
            tflm_store(to->data, size, i, quantize_int(scale, tflm_load(from, i)));
        }
    }
}

void tflm_dequantize_all(
    const tflm_elements_t *from, uint32_t scale_bits, int32_t zero_point, uint8_t *to) {
    const float scale = tflm_as_float((int32_t)scale_bits);
    for (size_t i = 0; i < from->count; i++) {
        const int32_t steps = saturate((int64_t)tflm_load(from, i) - zero_point);
        tflm_store32(to + 4 * i, tflm_as_bits(tflm_float_of(steps) * scale));
    }
}
