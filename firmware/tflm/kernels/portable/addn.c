// ADD_N. Source: tensorflow/lite/micro/kernels/add_n.cc.
#include "generated/layout.h"
#include "../common/float32.h"
#include "../common/requantize.h"

enum { BLOCK = 32 };  // elements that are summed up before any of them is written

// inputs  count tensors of int8 [size], of one scale and zero point
// output  int8 [size], another scale and zero point
// A sum is in steps of 2^-19, wraps, and begins with a value of 0 whose zero point TFLM takes off,
// too.
void tflm_add_n_s8(const tflm_add_n_t *params, const tflm_args_t *inputs, int8_t *output) {
    const tflm_range_t range = {params->output_zero_point, INT8_MIN, INT8_MAX};
    const tflm_factor_t factor = {params->multiplier, params->shift};
    const uint32_t none = 0u - (uint32_t)(params->count + 1) * (uint32_t)params->zero_point;
    uint32_t sums[BLOCK];
    for (int32_t first = 0; first < params->size; first += BLOCK) {
        const int32_t rest = params->size - first, count = rest < BLOCK ? rest : BLOCK;
        for (int32_t i = 0; i < count; i++) {
            sums[i] = none;
        }
        for (int32_t k = 0; k < params->count; k++) {
            const int8_t *input = (const int8_t *)tflm_argument(inputs, k) + first;
            for (int32_t i = 0; i < count; i++) {
                sums[i] += (uint32_t)input[i];
            }
        }
        for (int32_t i = 0; i < count; i++) {
            output[first + i] = tflm_requantize(sums[i] << 19, factor, range);
        }
    }
}

// inputs  count tensors of float32 [size]
// output  float32 [size]
void tflm_add_n_f32(const tflm_add_n_f32_t *params, const tflm_args_t *inputs, uint8_t *output) {
    float sums[BLOCK];
    for (int32_t first = 0; first < params->size; first += BLOCK) {
        const int32_t rest = params->size - first, count = rest < BLOCK ? rest : BLOCK;
        for (int32_t i = 0; i < count; i++) {
            sums[i] = 0.0f;
        }
        for (int32_t k = 0; k < params->count; k++) {
            const uint8_t *input = tflm_argument(inputs, k) + 4 * first;
            for (int32_t i = 0; i < count; i++) {
                sums[i] += tflm_load_f32(input + 4 * i);
            }
        }
        for (int32_t i = 0; i < count; i++) {
            tflm_store_f32(output + 4 * (first + i), sums[i]);
        }
    }
}
