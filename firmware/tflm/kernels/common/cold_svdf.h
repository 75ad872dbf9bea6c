// The portable kernel of SVDF inside the kernel of an ISA, which calls it tflm_svdf_s8_plain() and
// shares its helpers. Few layers need it: `cold` builds it for size.
#ifndef TFLM_COLD_SVDF_H
#define TFLM_COLD_SVDF_H

#include "generated/layout.h"

#define tflm_svdf_s8 tflm_svdf_s8_plain
__attribute__((cold)) void tflm_svdf_s8(const tflm_svdf_t *params, const int8_t *input,
    const int8_t *weights_feature, const int8_t *weights_time, const uint8_t *bias, int8_t *state,
    int8_t *output, int32_t *scratch, int32_t *output_scratch);
#include "plain_svdf.h"
#undef tflm_svdf_s8

#endif
