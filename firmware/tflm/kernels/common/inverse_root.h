// The inverse of a square root in fixed point. Source: GetInvSqrtQuantizedMultiplierExp of
// tensorflow/lite/kernels/internal/common.cc.
#ifndef TFLM_INVERSE_ROOT_H
#define TFLM_INVERSE_ROOT_H

#include "requantize.h"

// Returns 1 / sqrt(x) as a factor with a shift of 0 or less; what is below 1 counts as 1.
tflm_factor_t tflm_inverse_root(int32_t x);

#endif
