// ADD, SUB and MUL of int16, four pairs at a time where both inputs lie side by side.
#include "../common/broadcast_rows.h"

#define tflm_sum_row_s16 sum_row_plain
#define tflm_mul_row_s16 mul_row_plain
static void sum_row_plain(const tflm_add_t *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, int16_t *output, int32_t sign);
static void mul_row_plain(const tflm_product_t *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, int16_t *output);
#include "../common/plain_broadcast_rows_s16.h"
#undef tflm_sum_row_s16
#undef tflm_mul_row_s16

#include "requantize_lanes.h"

enum { SIZE = sizeof(int16_t) };

// Loads of four values fault at an odd address.
static int32_t is_vector(const tflm_row_t *row, const uint8_t *a, const uint8_t *b) {
    return row->step1 == SIZE && row->step2 == SIZE && (((uintptr_t)a | (uintptr_t)b) & 1) == 0;
}

static tflm_row_t rest_of(const tflm_row_t *row, int32_t done) {
    return (tflm_row_t) {
        .length = row->length - done, .step1 = row->step1, .step2 = row->step2};
}

typedef struct {
    int32x4_t multiplier, shift;
} factors_t;

static factors_t factors(int32_t multiplier, int32_t shift) {
    return (factors_t) {vdupq_n_s32(multiplier), vdupq_n_s32(shift)};
}

static inline int32x4_t scaled(int32x4_t x, factors_t by) {
    return tflm_scale_four(x, by.multiplier, by.shift);
}

static inline int32x4_t load(const uint8_t *from) {
    return vldrhq_s32((const int16_t *)(const void *)from);
}

void tflm_sum_row_s16(const tflm_add_t *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, int16_t *output, int32_t sign) {
    const factors_t by1 = factors(params->input1_multiplier, params->input1_shift);
    const factors_t by2 = factors(params->input2_multiplier, params->input2_shift);
    const factors_t by = factors(params->output_multiplier, params->output_shift);
    const int32x4_t minimum = vdupq_n_s32(params->activation_min);
    const int32x4_t maximum = vdupq_n_s32(params->activation_max);
    const int32x4_t up = vdupq_n_s32(15);
    const int32_t end = is_vector(row, a, b) ? row->length - 3 : 0;
    int32_t i = 0;
    for (; i < end; i += 4) {
        const int32x4_t x = scaled(vshlq_s32(load(a + SIZE * i), up), by1);
        const int32x4_t y = scaled(vshlq_s32(load(b + SIZE * i), up), by2);
        const int32x4_t sum = scaled(vmlaq_n_s32(x, y, sign), by);
        vstrhq_s32(output + i, vminq_s32(vmaxq_s32(sum, minimum), maximum));
    }
    const tflm_row_t rest = rest_of(row, i);
    sum_row_plain(params, &rest, a + i * row->step1, b + i * row->step2, output + i, sign);
}

void tflm_mul_row_s16(const tflm_product_t *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, int16_t *output) {
    const factors_t by = factors(params->multiplier, params->shift);
    const int32x4_t minimum = vdupq_n_s32(params->activation_min);
    const int32x4_t maximum = vdupq_n_s32(params->activation_max);
    const int32_t end = params->shift <= 0 && is_vector(row, a, b) ? row->length - 3 : 0;
    int32_t i = 0;
    for (; i < end; i += 4) {
        const int32x4_t product = vmulq_s32(load(a + SIZE * i), load(b + SIZE * i));
        vstrhq_s32(output + i, vminq_s32(vmaxq_s32(scaled(product, by), minimum), maximum));
    }
    const tflm_row_t rest = rest_of(row, i);
    mul_row_plain(params, &rest, a + i * row->step1, b + i * row->step2, output + i);
}
