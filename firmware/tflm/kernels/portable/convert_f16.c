// DEQUANTIZE of float16.
#include "generated/layout.h"
#include "../common/float32.h"

enum { INFINITE = 31 << 10, SMALLEST_NORMAL = 1 << 10 };

// input   float16 [size]
// output  float32 [size]
// The parameters for scale and zero point are not used.
void tflm_dequantize_f16_f32(
    const tflm_dequantize_t *params, const uint8_t *input, uint8_t *output) {
    for (int32_t i = params->size; i > 0; i--, input += 2, output += 4) {
        const int32_t half = tflm_load16(input), sign = half & INT32_MIN;
        const int32_t magnitude = half & INT16_MAX;
        int32_t bits = magnitude << 13;  // exponents are 127 - 15 too small
        if (magnitude >= INFINITE) {
            bits += (255 - 31) << 23;
        } else if (magnitude >= SMALLEST_NORMAL) {
            bits += (127 - 15) << 23;
        } else {
            bits = tflm_bits((float)magnitude * 0x1p-24f);
        }
        tflm_store32(output, sign | bits);
    }
}
