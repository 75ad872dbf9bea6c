// ADD and SUB of two int8 values: exactly, and by a line that is right for nearly all pairs.
// Source: tensorflow/lite/kernels/internal/reference/integer_ops/add.h.
#ifndef TFLM_BROADCAST_ADD_LINE_H
#define TFLM_BROADCAST_ADD_LINE_H

#include "generated/layout.h"
#include "requantize.h"

// Both inputs are brought to twice the larger scale and left_shift more bits, where their sum fits
// 32 bits. sign: -1 for a difference.
int8_t tflm_add_exactly(const tflm_add_t *params, int32_t value1, int32_t value2, int32_t sign);

// The output of a pair before it is clamped is one of the two numbers that `low` and a little
// more, shifted right, give, where low = value1 * slope1 + value2 * slope2 + start. Where the bits
// that are shifted out stay below `certain` (both at the left), the two are the same: nearly
// always.
typedef struct {
    int32_t slope1, slope2, start, shift;
    uint32_t certain;
} tflm_line_t;

static inline int32_t tflm_line_low(const tflm_line_t *line, int32_t value1, int32_t value2) {
    return line->start + value1 * line->slope1 + value2 * line->slope2;
}

static inline int tflm_line_is_certain(const tflm_line_t *line, int32_t low) {
    return (uint32_t)low << (32 - line->shift) < line->certain;
}

// Sets *line, or returns 0 where no line will do: parameters that no model has.
int32_t tflm_add_line(const tflm_add_t *params, int32_t sign, tflm_line_t *line);

// An ADD or SUB of one node.
typedef struct {
    const tflm_add_t *params;
    tflm_line_t line;
    int32_t sign, minimum, maximum;
} tflm_sum_t;

static inline int8_t tflm_add_pair(const tflm_sum_t *sum, int32_t value1, int32_t value2) {
    const int32_t low = tflm_line_low(&sum->line, value1, value2);
    if (tflm_line_is_certain(&sum->line, low)) {
        return (int8_t)tflm_clamp(low >> sum->line.shift, sum->minimum, sum->maximum);
    }
    return tflm_add_exactly(sum->params, value1, value2, sum->sign);
}

// Outputs of `count` pairs side by side, along the line.
void tflm_add_pairs(const tflm_sum_t *sum, const int8_t *input1, const int8_t *input2,
    int32_t count, int8_t *output);

#endif
