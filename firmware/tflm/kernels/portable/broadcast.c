// MUL, MAXIMUM and MINIMUM. Source: tensorflow/lite/kernels/internal/reference/integer_ops/mul.h,
// maximum_minimum.h.
#include "../common/broadcast_rows.h"

// input1, input2  any shapes that broadcast to the output's
// output          written in order
// What prepare sees to: both input offsets are -127..128, as zero points are int8, so no product is
// above 255 * 255.
void tflm_mul_s8(
    const tflm_product_t *params, const int8_t *input1, const int8_t *input2, int8_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        tflm_mul_row_s8(params, &row, input1 + row.start1, input2 + row.start2, output);
        output += row.length;
    }
}

typedef int8_t (*choice_t)(int8_t a, int8_t b);

// Writes what `choose` makes of each pair of elements; inlined, with its choice.
static inline __attribute__((always_inline)) void choose_s8(const tflm_pairs_t *params,
    const int8_t *input1, const int8_t *input2, int8_t *output, choice_t choose) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const int8_t *a = input1 + row.start1;
        const int8_t *b = input2 + row.start2;
        for (int32_t i = 0; i < row.length; i++, a += row.step1, b += row.step2) {
            *output++ = choose(*a, *b);
        }
    }
}

static inline int8_t larger_s8(int8_t a, int8_t b) {
    return a > b ? a : b;
}

static inline int8_t smaller_s8(int8_t a, int8_t b) {
    return a < b ? a : b;
}

// input1, input2  any shapes that broadcast to the output's
// output          written in order
void tflm_maximum_s8(
    const tflm_pairs_t *params, const int8_t *input1, const int8_t *input2, int8_t *output) {
    choose_s8(params, input1, input2, output, larger_s8);
}

void tflm_minimum_s8(
    const tflm_pairs_t *params, const int8_t *input1, const int8_t *input2, int8_t *output) {
    choose_s8(params, input1, input2, output, smaller_s8);
}
