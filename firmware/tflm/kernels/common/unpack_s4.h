// Filters of int4, two values a byte, the first in the low half.
#ifndef TFLM_UNPACK_S4_H
#define TFLM_UNPACK_S4_H

#include <stdint.h>

// Writes values first..first+count-1.
static inline void tflm_unpack_s4(
    const uint8_t *packed, int32_t first, int32_t count, int8_t *values) {
    packed += first >> 1;
    if ((first & 1) != 0 && count > 0) {
        *values++ = (int8_t)((int8_t)*packed++ >> 4);
        count--;
    }
    for (; count >= 2; count -= 2) {
        const uint8_t both = *packed++;
        *values++ = (int8_t)((both & 15) ^ 8) - 8;
        *values++ = (int8_t)((int8_t)both >> 4);
    }
    if (count > 0) {
        *values = (int8_t)((*packed & 15) ^ 8) - 8;
    }
}

#endif
