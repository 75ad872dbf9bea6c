// ADD and SUB. Source: tensorflow/lite/kernels/internal/reference/integer_ops/add.h, sub.h, add.h.
#include "../add.h"
#include "../float32.h"
#include "../strided.h"

typedef struct {
    const tflm_add_t *params;
    tflm_line_t line;
    int32_t has_line;
    int32_t sign;
} sum_t;

// Outputs of `count` pairs side by side. Not inlined: it needs all registers.
static __attribute__((noinline)) void run_pairs(
    const sum_t *sum, const int8_t *a, const int8_t *b, int32_t count, int8_t *output) {
    const tflm_line_t line = sum->line;
    const int32_t minimum = sum->params->activation_min, maximum = sum->params->activation_max;
    for (int32_t i = 0; i < count; i++) {
        const int32_t low = tflm_line_low(&line, a[i], b[i]);
        if (tflm_line_is_certain(&line, low)) {
            output[i] = (int8_t)tflm_clamp(low >> line.shift, minimum, maximum);
        } else {
            output[i] = tflm_add_exactly(sum->params, a[i], b[i], sum->sign);
        }
    }
}

static void run_row(
    const sum_t *sum, const tflm_row_t *row, const int8_t *a, const int8_t *b, int8_t *output) {
    if (sum->has_line && row->step1 == 1 && row->step2 == 1) {
        run_pairs(sum, a, b, row->length, output);
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
    sum_t sum = {.params = params, .sign = sign};
    sum.has_line = tflm_add_line(params, sign, &sum.line);
    for (int32_t r = 0; r < rows; r++) {
        const tflm_row_t row = tflm_row(shape, r);
        run_row(&sum, &row, input1 + row.start1, input2 + row.start2, output);
        output += row.length;
    }
}

// input1, input2  any shapes that broadcast to the output's
// output          written in order
void tflm_add_s8(
    const tflm_add_t *params, const int8_t *input1, const int8_t *input2, int8_t *output) {
    add_or_subtract(params, input1, input2, output, 1);
}

void tflm_sub_s8(
    const tflm_add_t *params, const int8_t *input1, const int8_t *input2, int8_t *output) {
    add_or_subtract(params, input1, input2, output, -1);
}

// float32 inputs of any shapes that broadcast to the output's
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
