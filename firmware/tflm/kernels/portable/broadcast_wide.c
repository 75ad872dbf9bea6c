// ADD, SUB and MUL of int16 and of int32. Source: tensorflow/lite/kernels/internal/reference/
// integer_ops/add.h, mul.h; add.h, sub.h, mul.h.
#include "generated/layout.h"
#include "../fixed_point.h"
#include "../strided.h"

// Computes one row of outputs; the steps of `row` are in bytes.
typedef void (*run_t)(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output);

static void walk(const void *params, tflm_broadcast_t shape, const uint8_t *const inputs[2],
    uint8_t *output, int32_t size, run_t run) {
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        tflm_row_t row = tflm_row(shape, r);
        row.step1 *= size;
        row.step2 *= size;
        run(params, &row, inputs[0] + row.start1 * size, inputs[1] + row.start2 * size, output);
        output += row.length * size;
    }
}

static inline void sum_s16(const tflm_add_t *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, int16_t *output, int32_t sign) {
    const int32_t one = 1 << 15;
    for (int32_t i = 0; i < row->length; i++, a += row->step1, b += row->step2) {
        const int32_t x =
            tflm_scale(tflm_load16(a) * one, params->input1_multiplier, params->input1_shift);
        const int32_t y =
            tflm_scale(tflm_load16(b) * one, params->input2_multiplier, params->input2_shift);
        const int32_t sum = sign > 0 ? tflm_wrapping_add(x, y) : tflm_wrapping_sub(x, y);
        const int32_t scaled =
            tflm_scale(sum, params->output_multiplier, params->output_shift);
        output[i] = (int16_t)tflm_clamp(scaled, params->activation_min, params->activation_max);
    }
}

static void add_row_s16(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output) {
    sum_s16(params, row, a, b, (void *)output, 1);
}

static void sub_row_s16(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output) {
    sum_s16(params, row, a, b, (void *)output, -1);
}

static void mul_row_s16(const void *record, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *to) {
    const tflm_mul_t *params = record;
    int16_t *output = (void *)to;
    for (int32_t i = 0; i < row->length; i++, a += row->step1, b += row->step2) {
        const int32_t product = tflm_load16(a) * tflm_load16(b);
        const int32_t scaled = tflm_scale(product, params->multiplier, params->shift);
        output[i] = (int16_t)tflm_clamp(scaled, params->activation_min, params->activation_max);
    }
}

// input1, input2  int16 of any shapes that broadcast to the output's
// output          written in order
// What prepare sees to: zero points are 0, and no shift of the three factors of a sum is positive,
// so that no sum leaves 32 bits.
void tflm_add_s16(
    const tflm_add_t *params, const uint8_t *input1, const uint8_t *input2, int16_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    walk(params, shape, (const uint8_t *[]){input1, input2}, (void *)output, 2, add_row_s16);
}

void tflm_sub_s16(
    const tflm_add_t *params, const uint8_t *input1, const uint8_t *input2, int16_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    walk(params, shape, (const uint8_t *[]){input1, input2}, (void *)output, 2, sub_row_s16);
}

void tflm_mul_s16(
    const tflm_mul_t *params, const uint8_t *input1, const uint8_t *input2, int16_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    walk(params, shape, (const uint8_t *[]){input1, input2}, (void *)output, 2, mul_row_s16);
}

typedef enum { SUM, DIFFERENCE, PRODUCT } operation_t;

static inline void row_s32(const void *record, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *to, operation_t operation) {
    const tflm_pairs_s32_t *params = record;
    int32_t *output = (void *)to;
    for (int32_t i = 0; i < row->length; i++, a += row->step1, b += row->step2) {
        const uint32_t x = (uint32_t)tflm_load32(a), y = (uint32_t)tflm_load32(b);
        const uint32_t value =
            operation == SUM ? x + y : operation == DIFFERENCE ? x - y : x * y;
        output[i] =
            tflm_clamp((int32_t)value, params->activation_min, params->activation_max);
    }
}

static void add_row_s32(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output) {
    row_s32(params, row, a, b, output, SUM);
}

static void sub_row_s32(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output) {
    row_s32(params, row, a, b, output, DIFFERENCE);
}

static void mul_row_s32(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output) {
    row_s32(params, row, a, b, output, PRODUCT);
}

// input1, input2  int32 of any shapes that broadcast to the output's; results wrap
// output          written in order
void tflm_add_s32(const tflm_pairs_s32_t *params, const uint8_t *input1, const uint8_t *input2,
    int32_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    walk(params, shape, (const uint8_t *[]){input1, input2}, (void *)output, 4, add_row_s32);
}

void tflm_sub_s32(const tflm_pairs_s32_t *params, const uint8_t *input1, const uint8_t *input2,
    int32_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    walk(params, shape, (const uint8_t *[]){input1, input2}, (void *)output, 4, sub_row_s32);
}

void tflm_mul_s32(const tflm_pairs_s32_t *params, const uint8_t *input1, const uint8_t *input2,
    int32_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    walk(params, shape, (const uint8_t *[]){input1, input2}, (void *)output, 4, mul_row_s32);
}
