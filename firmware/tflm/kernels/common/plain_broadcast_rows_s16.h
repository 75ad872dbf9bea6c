// The kernels of portable/broadcast_rows_s16.c. A file of an ISA that replaces it includes this one, too, and
// gives its functions other names.
#ifndef TFLM_PLAIN_BROADCAST_ROWS_S16_H
#define TFLM_PLAIN_BROADCAST_ROWS_S16_H

#include "broadcast_rows.h"

#include "dot.h"
#include "fixed_point.h"

// What tflm_scale computes of a factor whose shift is not positive.
typedef struct {
    int32_t multiplier;
    int32_t right;
    uint32_t half;  // of 2^right
    uint32_t down;  // all bits where halves are rounded, away from 0
} part_t;

static part_t part(int32_t multiplier, int32_t shift) {
    const int32_t right = (int32_t)(0u - (uint32_t)shift) & 31;  // defined for any shift
    return (part_t){multiplier, right, (1u << right) >> 1, right > 0 ? ~0u : 0};
}

// tflm_scale of half of `twice`, which is even and whose product is at most 2^30.
static inline int32_t scale_half(int32_t twice, part_t by) {
#if TFLM_HAS_DSP
    int32_t high;
    __asm__("smmulr %0, %1, %2" : "=r" (high) : "r" (twice), "r" (by.multiplier));
#else
    const int32_t high = tflm_high_mul(twice >> 1, by.multiplier);
#endif
    return (int32_t)((uint32_t)high + by.half + ((uint32_t)(high >> 31) & by.down)) >> by.right;
}

// Doubles stay in 32 bits: a factor of an input is at most a half, so a sum is below 2^30.
void tflm_sum_row_s16(const tflm_add_t *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, int16_t *output, int32_t sign) {
    const part_t part1 = part(params->input1_multiplier, params->input1_shift);
    const part_t part2 = part(params->input2_multiplier, params->input2_shift);
    const part_t whole = part(params->output_multiplier, params->output_shift);
    const int32_t minimum = params->activation_min, maximum = params->activation_max;
    const int32_t step1 = row->step1, step2 = row->step2, negative = sign >> 31;
    int16_t *const end = output + row->length;
    for (; output < end; a += step1, b += step2) {
        const int32_t x = scale_half((int32_t)((uint32_t)tflm_load16(a) << 16), part1);
        const int32_t y = scale_half((int32_t)((uint32_t)tflm_load16(b) << 16), part2);
        const uint32_t sum = (uint32_t)x + (uint32_t)((y ^ negative) - negative);
        const int32_t scaled = scale_half((int32_t)(sum << 1), whole);
        *output++ = (int16_t)tflm_clamp(scaled, minimum, maximum);
    }
}

// tflm_high_mul of a product of two int16. With the DSP extension the high half of its double is
// one instruction; it takes away the negative double, which always fits into 32 bits.
static inline int32_t high_mul(int32_t product, int32_t multiplier) {
#if TFLM_HAS_DSP
    int32_t y;
    __asm__("smmlsr %0, %1, %2, %3" : "=r" (y) : "r" (-2 * product), "r" (multiplier), "r" (0));
    return y;
#else
    return tflm_high_mul(product, multiplier);
#endif
}

void tflm_mul_row_s16(const tflm_product_t *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, int16_t *output) {
    const int32_t multiplier = params->multiplier, right = -params->shift;
    const int32_t minimum = params->activation_min, maximum = params->activation_max;
    const int32_t step1 = row->step1, step2 = row->step2;
    int16_t *const end = output + row->length;
    if (right <= 0) {  // left, or not at all
        for (; output < end; a += step1, b += step2) {
            const int32_t product = tflm_load16(a) * tflm_load16(b);
            const int32_t scaled = tflm_scale(product, multiplier, -right);
            *output++ = (int16_t)tflm_clamp(scaled, minimum, maximum);
        }
        return;
    }
    const int32_t half = 1 << (right - 1);
    for (; output < end; a += step1, b += step2) {
        const int32_t high = high_mul(tflm_load16(a) * tflm_load16(b), multiplier);  // below 2^30
        const int32_t scaled = (high + half + (high >> 31)) >> right;
        *output++ = (int16_t)tflm_clamp(scaled, minimum, maximum);
    }
}

#endif
