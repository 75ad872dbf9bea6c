// Prepare of CONV_2D and DEPTHWISE_CONV_2D: the C counterpart of mp_modules/tflm/ops/conv.py,
// where loading a model spends most of its time.
#ifndef TFLM_CONVOLUTION_H
#define TFLM_CONVOLUTION_H

#include "describe.h"
#include "generated/layout.h"

// Prepares the operator at pos: fills in the words that STRUCTS of ops/conv.py describes. A depthwise
// one has its depth multiplier where CONV_2D has filter_depth. Returns false where Python has to say what is wrong with it.
bool tflm_prepare_convolution(tflm_flatbuffer_t buf, tflm_tensors_t tensors, int32_t pos,
    bool is_depthwise, tflm_convolution_t *made);

#endif
