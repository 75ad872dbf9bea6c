// TOPK_V2. Source: tensorflow/lite/kernels/topk_v2.cc: of equal elements the first comes first.
#include "../common/float32.h"
#include "generated/layout.h"

static int32_t load(const uint8_t *p, int32_t element) {
    return element == 1 ? (int8_t)*p : element == 2 ? tflm_load16(p) : tflm_load32(p);
}

static int is_larger(const uint8_t *a, const uint8_t *b, int32_t element, int32_t is_float) {
    if (is_float) {
        return tflm_load_f32(a) > tflm_load_f32(b);
    }
    return load(a, element) > load(b, element);
}

// Writes the places of the `count` largest of a row, the largest first.
static void find(const tflm_topk_t *params, const uint8_t *row, int32_t *places) {
    const int32_t element = params->element, count = params->count;
    int32_t found = 0;
    for (int32_t i = 0; i < params->size; i++) {
        const uint8_t *const x = row + i * element;
        int32_t at = found;
        while (at > 0 && is_larger(x, row + places[at - 1] * element, element, params->is_float)) {
            at--;
        }
        if (at == count) {
            continue;
        }
        found += found < count;
        for (int32_t k = found - 1; k > at; k--) {
            places[k] = places[k - 1];
        }
        places[at] = i;
    }
}

// input   [rows, size] of int8, int16, int32 or float32
// values  [rows, count], the largest first
// places  int32 [rows, count]: where they are in the row
// What prepare sees to: count is no larger than size.
void tflm_topk(
    const tflm_topk_t *params, const uint8_t *input, uint8_t *values, int32_t *places) {
    const int32_t element = params->element;
    for (int32_t r = 0; r < params->rows; r++, input += params->size * element) {
        find(params, input, places);
        for (int32_t k = 0; k < params->count; k++, values += element) {
            const uint8_t *const from = input + *places++ * element;
            for (int32_t i = 0; i < element; i++) {
                values[i] = from[i];
            }
        }
    }
}
