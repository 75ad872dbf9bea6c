// EQUAL, NOT_EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL; LOGICAL_NOT. MAXIMUM and MINIMUM of
// wide integers. Source: tensorflow/lite/kernels/internal/reference/comparisons.h,
// maximum_minimum.h.
#include "generated/layout.h"
#include "../common/fixed_point.h"
#include "../common/float32.h"
#include "../common/strided.h"

enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

static int64_t load64(const uint8_t *p) {
    const uint64_t low = (uint32_t)tflm_load32(p), high = (uint32_t)tflm_load32(p + 4);
    return (int64_t)(low | high << 32);
}

// An integer of 1, 2, 4 or 8 bytes; one byte is a bool.
static inline int64_t load(const uint8_t *p, int32_t nbytes) {
    switch (nbytes) {
        case 1:
            return *p;
        case 2:
            return tflm_load16(p);
        case 4:
            return tflm_load32(p);
        default:
            return load64(p);
    }
}

static int32_t order(int64_t a, int64_t b) {
    return a < b ? LESS : a > b ? GREATER : EQUAL;
}

static int32_t order_f32(float a, float b) {
    return a < b ? LESS : a > b ? GREATER : a == b ? EQUAL : UNORDERED;
}

// input1, input2  of any shapes that broadcast to the output's; kind: 0 bool, 1 int32, 2 int64,
//                 3 float32
// output          bool, written in order
void tflm_compare(const tflm_compare_t *params, const uint8_t *input1, const uint8_t *input2,
    uint8_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const int32_t is_float = params->kind == 3;
    const int32_t size = params->kind == 0 ? 1 : params->kind == 2 ? 8 : 4;
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const uint8_t *a = input1 + row.start1 * size, *b = input2 + row.start2 * size;
        for (int32_t i = 0; i < row.length; i++) {
            const int32_t found = is_float ? order_f32(tflm_load_f32(a), tflm_load_f32(b))
                                           : order(load(a, size), load(b, size));
            *output++ = (found & params->accepted) != 0;
            a += row.step1 * size;
            b += row.step2 * size;
        }
    }
}

// input1, input2  int8 of any shapes that broadcast to the output's
// output          bool, written in order
// What prepare sees to: no shift is positive.
void tflm_compare_s8(const tflm_compare_s8_t *params, const int8_t *input1, const int8_t *input2,
    uint8_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const int8_t *a = input1 + row.start1, *b = input2 + row.start2;
        for (int32_t i = 0; i < row.length; i++, a += row.step1, b += row.step2) {
            const uint32_t x = ((uint32_t)*a + (uint32_t)params->input1_offset) << 8;
            const uint32_t y = ((uint32_t)*b + (uint32_t)params->input2_offset) << 8;
            const int32_t found =
                order(tflm_scale((int32_t)x, params->input1_multiplier, params->input1_shift),
                    tflm_scale((int32_t)y, params->input2_multiplier, params->input2_shift));
            *output++ = (found & params->accepted) != 0;
        }
    }
}

// input1, input2  int16 of any shapes that broadcast to the output's
// output          bool, written in order
// Real numbers are compared, exactly. What prepare sees to: factors are 1..2^24 - 1, exponents 0..24,
// so a product fits into 63 bits.
void tflm_compare_s16(const tflm_compare_s16_t *params, const uint8_t *input1,
    const uint8_t *input2, uint8_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const int64_t factor1 = (int64_t)params->input1_factor << params->input1_exponent;
    const int64_t factor2 = (int64_t)params->input2_factor << params->input2_exponent;
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const uint8_t *a = input1 + 2 * row.start1, *b = input2 + 2 * row.start2;
        for (int32_t i = 0; i < row.length; i++, a += 2 * row.step1, b += 2 * row.step2) {
            const int32_t found = order(tflm_load16(a) * factor1, tflm_load16(b) * factor2);
            *output++ = (found & params->accepted) != 0;
        }
    }
}

// input, output  bool [elements]
void tflm_logical_not(const tflm_not_t *params, const uint8_t *input, uint8_t *output) {
    for (int32_t i = 0; i < params->elements; i++) {
        output[i] = input[i] == 0;
    }
}

// input1, input2  integers of nbytes, of any shapes that broadcast to the output's
// output          written in order: the larger ones, or the smaller ones
void tflm_extreme(const tflm_extreme_t *params, const uint8_t *input1, const uint8_t *input2,
    uint8_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const int32_t size = params->nbytes;
    const int32_t rows = tflm_rows(shape), first = params->is_minimum ? LESS : GREATER;
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const uint8_t *a = input1 + row.start1 * size, *b = input2 + row.start2 * size;
        for (int32_t i = 0; i < row.length; i++, output += size) {
            const uint8_t *from = order(load(a, size), load(b, size)) == first ? a : b;
            memmove(output, from, (size_t)size);
            a += row.step1 * size;
            b += row.step2 * size;
        }
    }
}
