// MEAN, SUM, REDUCE_PROD, REDUCE_MAX and REDUCE_MIN of float32.
// Source: tensorflow/lite/kernels/internal/reference/reduce.h.
#include "generated/layout.h"
#include "../common/float32.h"
#include "../common/reduced.h"

static float sum_of(const uint8_t *first, const tflm_reduced_t *reduced) {
    float sum = 0.0f;
    for (int32_t r = 0; r < reduced->rows; r++) {
        const uint8_t *element = first + 4 * tflm_distance(reduced->outer, r);
        for (int32_t j = reduced->length; j > 0; j--, element += 4 * reduced->step) {
            sum += tflm_load_f32(element);
        }
    }
    return sum;
}

static float product_of(const uint8_t *first, const tflm_reduced_t *reduced) {
    float product = 1.0f;
    for (int32_t r = 0; r < reduced->rows; r++) {
        const uint8_t *element = first + 4 * tflm_distance(reduced->outer, r);
        for (int32_t j = reduced->length; j > 0; j--, element += 4 * reduced->step) {
            product *= tflm_load_f32(element);
        }
    }
    return product;
}

// The largest of the elements with the bits of `flip` turned over, turned back: of their negatives,
// it is the least. What is not a number is none of them.
static float largest_of(const uint8_t *first, const tflm_reduced_t *reduced, int32_t flip) {
    float most = -0x1.fffffep127f;
    for (int32_t r = 0; r < reduced->rows; r++) {
        const uint8_t *element = first + 4 * tflm_distance(reduced->outer, r);
        for (int32_t j = reduced->length; j > 0; j--, element += 4 * reduced->step) {
            const float x = tflm_float(tflm_load32(element) ^ flip);
            most = x > most ? x : most;
        }
    }
    return tflm_float(tflm_bits(most) ^ flip);
}

// input   float32 of any shape
// output  float32 [kept extents], written in order. Elements are taken in the order of memory.
void tflm_reduce_f32(const tflm_reduce_f32_t *params, const uint8_t *input, uint8_t *output) {
    const int32_t *const dims = params->dims + 2 * params->kept;
    const tflm_axes_t kept = {params->dims, params->kept}, all = {dims, params->reduced};
    const tflm_reduced_t reduced = tflm_reduced(dims, params->reduced);
    const float count = (float)tflm_positions(all);
    const int32_t outputs = tflm_positions(kept);
    for (int32_t i = 0; i < outputs; i++, output += 4) {
        const uint8_t *first = input + 4 * tflm_distance(kept, i);
        float y;
        switch (params->function) {
            case TFLM_REDUCE_F32_MEAN: y = sum_of(first, &reduced) / count; break;
            case TFLM_REDUCE_F32_SUM: y = sum_of(first, &reduced); break;
            case TFLM_REDUCE_F32_REDUCE_PROD: y = product_of(first, &reduced); break;
            case TFLM_REDUCE_F32_REDUCE_MAX: y = largest_of(first, &reduced, 0); break;
            default: y = largest_of(first, &reduced, INT32_MIN); break;
        }
        tflm_store_f32(output, y);
    }
}
