// Prepare of CONV_2D and DEPTHWISE_CONV_2D: the C counterpart of mp_modules/tflm/ops/conv.py,
// where loading a model spends most of its time.
#ifndef TFLM_CONVOLUTION_H
#define TFLM_CONVOLUTION_H

#include <stddef.h>

#include "describe.h"
#include "generated/layout.h"

typedef struct {
    int32_t distance;    // that the output must start before the input to lie over it
    int32_t scales;      // position of the filter's scales
    int32_t activation;  // fused; its bounds are left out of the parameters
    int32_t is_packed;   // whether the filter is int4
    // A depthwise one has its depth multiplier where CONV_2D has filter_depth.
    tflm_conv_2d_t record;
} tflm_convolution_t;
_Static_assert(offsetof(tflm_convolution_t, record) == 4 * sizeof(int32_t)
    && sizeof(tflm_convolution_t) == 27 * sizeof(int32_t), "ops/conv.py reads these words");

// Prepares the operator at pos. Returns false where Python has to say what is wrong with it.
bool tflm_prepare_convolution(tflm_flatbuffer_t buf, tflm_tensors_t tensors, int32_t pos,
    bool is_depthwise, tflm_convolution_t *made);

#endif
