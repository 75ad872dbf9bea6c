// CONV_2D and DEPTHWISE_CONV_2D of int8 with filters of int4, which are unpacked at each call.
#include "generated/layout.h"
#include "../common/unpack_s4.h"

// filter    int4, two a byte; all else as in conv.c
// unpacked  a byte for each of its values
void tflm_conv_2d_s4(const tflm_conv_2d_t *params, const int8_t *input, const uint8_t *filter,
    const uint8_t *bias, const uint8_t *scales, const int32_t *constants, int8_t *output,
    int32_t *scratch, int8_t *unpacked) {
    const int32_t taps = params->filter_height * params->filter_width;
    tflm_unpack_s4(filter, 0, taps * params->filter_depth * params->output_depth, unpacked);
    tflm_conv_2d_s8(params, input, unpacked, bias, scales, constants, output, scratch);
}

void tflm_depthwise_conv_2d_s4(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const uint8_t *filter, const uint8_t *bias, const uint8_t *scales, const int32_t *constants,
    int8_t *output, int32_t *scratch, int8_t *unpacked) {
    const int32_t taps = params->filter_height * params->filter_width;
    tflm_unpack_s4(filter, 0, taps * params->output_depth, unpacked);
    tflm_depthwise_conv_2d_s8(params, input, unpacked, bias, scales, constants, output, scratch);
}
