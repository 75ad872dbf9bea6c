// MEAN, SUM, REDUCE_MAX and REDUCE_MIN of float32. Source: tensorflow/lite/kernels/internal/
// reference/reduce.h.
#include "generated/layout.h"
#include "../float32.h"
#include "../reduced.h"

// Numbers of tflm/ops/reduce.py.
enum { MEAN, SUM, MAX, MIN };

typedef float (*fold_t)(float folded, float x);

static inline float sum(float folded, float x) {
    return folded + x;
}

static inline float larger(float folded, float x) {
    return x > folded ? x : folded;
}

static inline float smaller(float folded, float x) {
    return x < folded ? x : folded;
}

// Folds the reduced axes in the order of memory; divides by `divisor`.
static inline __attribute__((always_inline)) void reduce(const tflm_reduce_f32_t *params,
    const uint8_t *input, uint8_t *output, float start, float divisor, fold_t fold) {
    const tflm_axes_t kept = {params->dims, params->kept};
    const tflm_reduced_t reduced =
        tflm_reduced(params->dims + 2 * params->kept, params->reduced);
    const int32_t outputs = tflm_positions(kept);
    for (int32_t i = 0; i < outputs; i++, output += 4) {
        const uint8_t *first = input + 4 * tflm_distance(kept, i);
        float folded = start;
        for (int32_t r = 0; r < reduced.rows; r++) {
            const uint8_t *element = first + 4 * tflm_distance(reduced.outer, r);
            for (int32_t j = reduced.length; j > 0; j--, element += 4 * reduced.step) {
                folded = fold(folded, tflm_load_f32(element));
            }
        }
        tflm_store_f32(output, folded / divisor);
    }
}

// input   float32 of any shape
// output  float32 [kept extents], written in order
void tflm_reduce_f32(const tflm_reduce_f32_t *params, const uint8_t *input, uint8_t *output) {
    const tflm_axes_t reduced = {params->dims + 2 * params->kept, params->reduced};
    const float most = 0x1.fffffep127f;
    switch (params->function) {
        case MEAN: reduce(params, input, output, 0.0f, (float)tflm_positions(reduced), sum); break;
        case SUM: reduce(params, input, output, 0.0f, 1.0f, sum); break;
        case MAX: reduce(params, input, output, -most, 1.0f, larger); break;
        default: reduce(params, input, output, most, 1.0f, smaller); break;
    }
}
