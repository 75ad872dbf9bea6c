// ADD and SUB. Source: tensorflow/lite/kernels/internal/reference/integer_ops/add.h, sub.h, add.h.
#include "../common/broadcast_add_line.h"
#include "../common/float32.h"
#include "../common/strided.h"

static void run_row(const tflm_sum_t *sum, int32_t has_line, const tflm_row_t *row,
    const int8_t *a, const int8_t *b, int8_t *output) {
    if (has_line && row->step1 == 1 && row->step2 == 1) {
        tflm_add_pairs(sum, a, b, row->length, output);
        return;
    }
    for (int32_t i = 0; i < row->length; i++, a += row->step1, b += row->step2) {
        output[i] = tflm_add_exactly(sum->params, *a, *b, sum->sign);
    }
}

static void add_or_subtract(const tflm_add_t *params, const int8_t *input1, const int8_t *input2,
    int8_t *output, int32_t sign) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const int32_t rows = tflm_rows(shape);
    tflm_sum_t sum = {.params = params, .sign = sign,
        .minimum = params->activation_min, .maximum = params->activation_max};
    const int32_t has_line = tflm_add_line(params, sign, &sum.line);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        run_row(&sum, has_line, &row, input1 + row.start1, input2 + row.start2, output);
        output += row.length;
    }
}

// input1, input2  any shapes that broadcast to the output's
// output          written in order
// What prepare sees to: both input offsets are -127..128; left_shift is 20, so moved inputs are
// below 2^28; no shift of the three factors is positive, so no sum leaves 32 bits.
void tflm_add_s8(
    const tflm_add_t *params, const int8_t *input1, const int8_t *input2, int8_t *output) {
    add_or_subtract(params, input1, input2, output, 1);
}

void tflm_sub_s8(
    const tflm_add_t *params, const int8_t *input1, const int8_t *input2, int8_t *output) {
    add_or_subtract(params, input1, input2, output, -1);
}

// float32 inputs of any shapes that broadcast to the output's. Values may be infinite or NaN; the
// bounds of the activation are finite.
void tflm_add_f32(const tflm_add_f32_t *params, const uint8_t *input1, const uint8_t *input2,
    uint8_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const float minimum = tflm_float(params->activation_min);
    const float maximum = tflm_float(params->activation_max);
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        const uint8_t *a = input1 + 4 * row.start1;
        const uint8_t *b = input2 + 4 * row.start2;
        for (int32_t i = 0; i < row.length; i++, a += 4 * row.step1, b += 4 * row.step2) {
            const float sum = tflm_load_f32(a) + tflm_load_f32(b);
            tflm_store_f32(output, tflm_clamp_f32(sum, minimum, maximum));
            output += 4;
        }
    }
}
