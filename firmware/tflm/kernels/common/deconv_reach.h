// Which inputs of a TRANSPOSE_CONV meet in an output.
#ifndef TFLM_DECONV_REACH_H
#define TFLM_DECONV_REACH_H

#include <stdint.h>

// The taps of one axis that an output is under, and the input of the first: with each tap that is
// `stride` further on the input is one less.
typedef struct {
    int32_t tap, input, count;
} tflm_reach_t;

// place: of the output, paddings included
static inline tflm_reach_t tflm_reach_of(
    int32_t place, int32_t stride, int32_t taps, int32_t inputs) {
    const int32_t last = place / stride;
    tflm_reach_t reach = {place - last * stride, last, 0};
    if (last >= inputs) {
        reach.tap += (last - inputs + 1) * stride;
        reach.input = inputs - 1;
    }
    if (reach.tap < taps) {
        const int32_t most = (taps - 1 - reach.tap) / stride;
        reach.count = (most < reach.input ? most : reach.input) + 1;
    }
    return reach;
}

#endif
