// Reductions over axes that a run computes.
// Source: tensorflow/lite/kernels/internal/reference/reduce.h, arg_min_max.h.
#include "../common/bytes.h"
#include "../common/computed.h"
#include "generated/layout.h"

enum { MAX_HEAD = 4 };

// Numbers of tflm/ops/reduce.py. Behind them are the last three again, with int64 places.
enum { MEAN_S8, MEAN_S16, MAX_S8, MIN_S8, REDUCE_F32, ARG_MAX_S8, ARG_MIN_S8, ARG_F32, WIDE };

// Writes "kept", "reduced" and "dims" of operator parameters; returns how many outputs they make.
static int32_t write_pairs(int32_t *words, const int32_t *shape, int32_t rank, int32_t mask) {
    int32_t steps[TFLM_MAX_COMPUTED], step = 1, outputs = 1, counts[2] = {0, 0}, at = 2;
    for (int32_t i = rank - 1; i >= 0; i--) {
        steps[i] = step;
        step *= shape[i];
    }
    for (int32_t is_reduced = 0; is_reduced < 2; is_reduced++) {
        for (int32_t i = 0; i < rank; i++) {
            if ((mask >> i & 1) == is_reduced) {
                words[at++] = shape[i];
                words[at++] = steps[i];
                counts[is_reduced]++;
                outputs *= is_reduced ? 1 : shape[i];
            }
        }
    }
    words[0] = counts[0];
    words[1] = counts[1];
    return outputs;
}

// Writes "outer", "extent" and "inner" of operator parameters; returns how many outputs they make.
static int32_t write_axis(int32_t *words, const int32_t *shape, int32_t rank, int32_t mask) {
    words[0] = words[1] = words[2] = 1;
    for (int32_t i = 0, at = 0; i < rank; i++) {
        at = mask >> i & 1 ? 1 : at == 1 ? 2 : at;
        words[at] *= shape[i];
    }
    return words[0] * words[2];
}

// Spreads `count` int32, none below 0, to int64 in the same place.
static void widen(uint8_t *output, int32_t count) {
    int32_t *const words = (int32_t *)(void *)output;
    for (int32_t i = count - 1; i >= 0; i--) {
        const int32_t word = words[i];
        words[2 * i] = word;
        words[2 * i + 1] = 0;
    }
}

// input   as of the kernel called
// axes    int32, so many as `named`
// output  as of that kernel; zeros where the axes do not give so many as `outputs`, of `nbytes`
// What prepare sees to: words[] holds the first words of that kernel's parameters, then the shape.
void tflm_reduce_at(const tflm_reduce_at_t *params, const uint8_t *input, const uint8_t *axes,
    uint8_t *output) {
    int32_t record[MAX_HEAD + 2 + 2 * TFLM_MAX_COMPUTED] = {0};
    const int32_t rank = params->rank, fixed = params->fixed;
    const int32_t is_wide = params->function >= WIDE;
    const int32_t function = is_wide ? params->function - WIDE + ARG_MAX_S8 : params->function;
    const int32_t *shape = params->words + fixed;
    const int32_t mask = tflm_named_axes(axes, params->named, rank);
    int32_t outputs = -1;
    for (int32_t i = 0; i < fixed; i++) {
        record[i] = params->words[i];
    }
    if (mask >= 0) {
        int32_t *const rest = record + fixed;
        outputs = function < ARG_MAX_S8 ? write_pairs(rest, shape, rank, mask)
                                        : write_axis(rest, shape, rank, mask);
    }
    if (outputs != params->outputs) {
        tflm_fill(output, 0, (size_t)params->nbytes);
        return;
    }
    const void *same = record, *data = input;
    void *to = output;
    switch (function) {
        case MEAN_S8: tflm_mean_s8(same, data, to); break;
        case MEAN_S16: tflm_mean_s16(same, data, to); break;
        case MAX_S8: tflm_reduce_max_s8(same, data, to); break;
        case MIN_S8: tflm_reduce_min_s8(same, data, to); break;
        case REDUCE_F32: tflm_reduce_f32(same, data, to); break;
        case ARG_MAX_S8: tflm_arg_max_s8(same, data, to); break;
        case ARG_MIN_S8: tflm_arg_min_s8(same, data, to); break;
        default: tflm_arg_f32(same, data, to); break;
    }
    if (is_wide) {
        widen(output, outputs);
    }
}
