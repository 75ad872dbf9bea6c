// ADD, SUB and MUL of int16 and of int32; DIV, FLOOR_DIV and FLOOR_MOD of int32; SQUARED_DIFFERENCE
// of integers.
// Source: tensorflow/lite/kernels/internal/reference/integer_ops/add.h, mul.h; add.h, sub.h, mul.h,
// div.h; tensorflow/lite/micro/kernels/squared_difference.cc; tensorflow/lite/kernels/floor_div.cc,
// floor_mod.cc.
#include "../common/broadcast_rows.h"
#include "../common/fixed_point.h"

// Computes one row of outputs; the steps of `row` are in bytes.
typedef void (*run_t)(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output);

static __attribute__((noinline)) void walk(const void *params, tflm_broadcast_t shape,
    const uint8_t *const inputs[2], uint8_t *output, int32_t size, run_t run) {
    const int32_t rows = tflm_rows(shape);
    for (int32_t r = 0; r < rows; r++) {
        tflm_row_t row = tflm_row(shape, r);
        row.step1 *= size;
        row.step2 *= size;
        run(params, &row, inputs[0] + row.start1 * size, inputs[1] + row.start2 * size, output);
        output += row.length * size;
    }
}

static void add_row_s16(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output) {
    tflm_sum_row_s16(params, row, a, b, (void *)output, 1);
}

static void sub_row_s16(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output) {
    tflm_sum_row_s16(params, row, a, b, (void *)output, -1);
}

static void mul_row_s16(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output) {
    tflm_mul_row_s16(params, row, a, b, (void *)output);
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
    const tflm_product_t *params, const uint8_t *input1, const uint8_t *input2, int16_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    walk(params, shape, (const uint8_t *[]){input1, input2}, (void *)output, 2, mul_row_s16);
}

// (a - b)^2 of elements of `size` bytes: 1 or 2.
static inline void squares(const tflm_add_t *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output, int32_t size) {
    const int32_t up = params->left_shift;
    for (int32_t i = 0; i < row->length; i++, a += row->step1, b += row->step2, output += size) {
        const uint32_t x = (uint32_t)(size == 1 ? (int8_t)*a : tflm_load16(a));
        const uint32_t y = (uint32_t)(size == 1 ? (int8_t)*b : tflm_load16(b));
        const uint32_t difference =
            (uint32_t)tflm_scale((int32_t)((x + (uint32_t)params->input1_offset) << up),
                params->input1_multiplier, params->input1_shift)
            - (uint32_t)tflm_scale((int32_t)((y + (uint32_t)params->input2_offset) << up),
                params->input2_multiplier, params->input2_shift);
        const int32_t scaled = tflm_scale((int32_t)(difference * difference),
            params->output_multiplier, params->output_shift);
        const int32_t z = tflm_clamp(tflm_wrapping_add(scaled, params->output_offset),
            params->activation_min, params->activation_max);
        if (size == 1) {
            *output = (uint8_t)z;
        } else {
            *(int16_t *)(void *)output = (int16_t)z;
        }
    }
}

static void square_row_s8(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output) {
    squares(params, row, a, b, output, 1);
}

static void square_row_s16(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output) {
    squares(params, row, a, b, output, 2);
}

// input1, input2  int8 or int16 of any shapes that broadcast to the output's
// output          written in order
// What prepare sees to: as for sums, but the output's shift may be positive; squares wrap.
void tflm_squared_difference_s8(
    const tflm_add_t *params, const int8_t *input1, const int8_t *input2, int8_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    const uint8_t *const inputs[] = {(const void *)input1, (const void *)input2};
    walk(params, shape, inputs, (void *)output, 1, square_row_s8);
}

void tflm_squared_difference_s16(
    const tflm_add_t *params, const uint8_t *input1, const uint8_t *input2, int16_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    walk(params, shape, (const uint8_t *[]){input1, input2}, (void *)output, 2, square_row_s16);
}

typedef enum { SUM, DIFFERENCE, PRODUCT, QUOTIENT, SQUARE, FLOOR, MODULO } operation_t;

// Towards 0; 0 where b is 0. The lowest number divided by -1 wraps.
static uint32_t quotient(int32_t a, int32_t b) {
    return b == 0 ? 0 : b == -1 ? 0u - (uint32_t)a : (uint32_t)(a / b);
}

// Towards the lower number; 0 where b is 0.
static uint32_t floor_of(uint32_t x, uint32_t y) {
    const uint32_t z = quotient((int32_t)x, (int32_t)y);
    return z - (y != 0 && x - z * y != 0 && (int32_t)(x ^ y) < 0);
}

static inline uint32_t result_s32(uint32_t x, uint32_t y, operation_t operation) {
    switch (operation) {
        case SUM: return x + y;
        case DIFFERENCE: return x - y;
        case PRODUCT: return x * y;
        case QUOTIENT: return quotient((int32_t)x, (int32_t)y);
        case FLOOR: return floor_of(x, y);
        case MODULO: return y == 0 ? 0 : x - floor_of(x, y) * y;
        default: return (x - y) * (x - y);
    }
}

static inline void row_s32(const void *record, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *to, operation_t operation) {
    const tflm_pairs_s32_t *params = record;
    int32_t *output = (void *)to;
    for (int32_t i = 0; i < row->length; i++, a += row->step1, b += row->step2) {
        const uint32_t x = (uint32_t)tflm_load32(a), y = (uint32_t)tflm_load32(b);
        const int32_t value = (int32_t)result_s32(x, y, operation);
        output[i] = tflm_clamp(value, params->activation_min, params->activation_max);
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

static void div_row_s32(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output) {
    row_s32(params, row, a, b, output, QUOTIENT);
}

static void floor_row_s32(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output) {
    row_s32(params, row, a, b, output, FLOOR);
}

static void modulo_row_s32(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output) {
    row_s32(params, row, a, b, output, MODULO);
}

static void square_row_s32(const void *params, const tflm_row_t *row, const uint8_t *a,
    const uint8_t *b, uint8_t *output) {
    row_s32(params, row, a, b, output, SQUARE);
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

void tflm_div_s32(const tflm_pairs_s32_t *params, const uint8_t *input1, const uint8_t *input2,
    int32_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    walk(params, shape, (const uint8_t *[]){input1, input2}, (void *)output, 4, div_row_s32);
}

void tflm_squared_difference_s32(const tflm_pairs_s32_t *params, const uint8_t *input1,
    const uint8_t *input2, int32_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    walk(params, shape, (const uint8_t *[]){input1, input2}, (void *)output, 4, square_row_s32);
}

void tflm_floor_div_s32(const tflm_pairs_s32_t *params, const uint8_t *input1,
    const uint8_t *input2, int32_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    walk(params, shape, (const uint8_t *[]){input1, input2}, (void *)output, 4, floor_row_s32);
}

void tflm_floor_mod_s32(const tflm_pairs_s32_t *params, const uint8_t *input1,
    const uint8_t *input2, int32_t *output) {
    const tflm_broadcast_t shape = {params->dims, params->rank};
    walk(params, shape, (const uint8_t *[]){input1, input2}, (void *)output, 4, modulo_row_s32);
}
