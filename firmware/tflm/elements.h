// The elements of tensors, as Python code reads and sets them: buffers only, no objects. The
// Python reference is mp_modules/tflm/run/elements.py.
//
// A format is a letter of Python's struct: b, B, h, H, i or f, little-endian, at any alignment.
#ifndef TFLM_ELEMENTS_H
#define TFLM_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "kernels/common/load.h"

// Elements one after the other.
typedef struct {
    uint8_t *data;
    size_t count;
    char format;
} tflm_elements_t;

// The bytes of an element; 0 for a letter that is no format.
size_t tflm_format_size(char format);

// What the integers of a format lie between.
void tflm_limits(char format, int32_t *low, int32_t *high);

// Whether all elements of `from` fit another format.
bool tflm_fits(const tflm_elements_t *from, char format);

// Copies elements, all of which fit the format of `to`.
void tflm_copy_elements(const tflm_elements_t *from, const tflm_elements_t *to);

// a and b have the same count.
bool tflm_equal(const tflm_elements_t *a, const tflm_elements_t *b);

// Returns the index of the largest element, the first of equal ones; NaN is the smallest.
size_t tflm_argmax(const tflm_elements_t *of);

static inline float tflm_as_float(int32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

// The value of an int, rounded. GCC 12 writes a conversion that runs under a condition as
// vcvtne.f32.s32, which its assembler takes for a vcvtn of vectors and refuses; a call is never
// conditional in that way.
#ifdef __ARM_FEATURE_MVE
#define TFLM_CONVERSION static __attribute__((noinline, unused))
#else
#define TFLM_CONVERSION static inline
#endif
TFLM_CONVERSION float tflm_float_of(int32_t value) {
    return (float)value;
}

static inline int32_t tflm_as_bits(float value) {
    int32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

// Element i, an integer.
static inline int32_t tflm_load(const tflm_elements_t *from, size_t i) {
    switch (from->format) {
        case 'b':
            return (int8_t)from->data[i];
        case 'B':
            return from->data[i];
        case 'h':
            return tflm_load16(from->data + 2 * i);
        case 'H':
            return (uint16_t)tflm_load16(from->data + 2 * i);
        default:
            return tflm_load32(from->data + 4 * i);
    }
}

// Sets element i of `to`, whose elements have `size` bytes.
static inline void tflm_store(uint8_t *to, size_t size, size_t i, int32_t value) {
    to += size * i;
    if (size == 4) {
        tflm_store32(to, value);
        return;
    }
    to[0] = (uint8_t)value;
    if (size == 2) {
        to[1] = (uint8_t)(value >> 8);
    }
}

#endif
