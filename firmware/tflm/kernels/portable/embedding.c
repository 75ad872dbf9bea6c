// EMBEDDING_LOOKUP of int8 to float32. Source: tensorflow/lite/micro/kernels/embedding_lookup.cc.
#include "generated/layout.h"
#include "../common/float32.h"

// table   int8 [extent, row]
// ids     int32 [count]
// output  float32 [count, row] = table * scale; zeros where an id is outside
void tflm_embed_s8_f32(const tflm_embed_t *params, const uint8_t *table, const uint8_t *ids,
    uint8_t *output) {
    const float scale = tflm_float(params->scale);
    for (int32_t i = 0; i < params->count; i++) {
        const int32_t id = tflm_load32(ids + 4 * i);
        const int is_inside = id >= 0 && id < params->extent;
        const int8_t *row = (const int8_t *)table + (is_inside ? id * params->row : 0);
        for (int32_t k = 0; k < params->row; k++, output += 4) {
            tflm_store_f32(output, is_inside ? (float)row[k] * scale : 0);
        }
    }
}
