// DEQUANTIZE of integers, four values at a time where the output lies at a multiple of 4 bytes.
#if defined(__ARM_FEATURE_MVE) && __ARM_FEATURE_MVE >> 1

#include <arm_mve.h>

#include "generated/layout.h"
#include "../common/float32.h"

// As in common/plain_convert_dequantize.h; no product is subnormal, which vectors would take for 0.
#define DEQUANTIZED(type, load) \
    const float scale = tflm_float(params->scale); \
    const int32_t size = params->size, zero_point = params->zero_point; \
    const int32_t whole = ((uintptr_t)output & 3) == 0 ? size & -4 : 0; \
    const type *const last = input + whole; \
    for (; input < last; input += 4, output += 16) { \
        const int32x4_t steps = vsubq_n_s32(load(input), zero_point); \
        vstrwq_f32((float *)(void *)output, vmulq_n_f32(vcvtq_f32_s32(steps), scale)); \
    } \
    for (int32_t i = whole; i < size; i++, output += 4) { \
        tflm_store_f32(output, scale * (float)(*input++ - zero_point)); \
    }

static inline int32x4_t load_u8(const uint8_t *from) {
    return vreinterpretq_s32_u32(vldrbq_u32(from));
}

void tflm_dequantize_s8_f32(
    const tflm_dequantize_t *params, const int8_t *input, uint8_t *output) {
    DEQUANTIZED(int8_t, vldrbq_s32)
}

void tflm_dequantize_u8_f32(
    const tflm_dequantize_t *params, const uint8_t *input, uint8_t *output) {
    DEQUANTIZED(uint8_t, load_u8)
}

void tflm_dequantize_s16_f32(
    const tflm_dequantize_t *params, const int16_t *input, uint8_t *output) {
    DEQUANTIZED(int16_t, vldrhq_s32)
}

#else

#include "../common/plain_convert_dequantize.h"

#endif
