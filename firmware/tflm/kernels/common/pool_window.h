// The part of a pooling window that lies inside the image.
#ifndef TFLM_POOL_WINDOW_H
#define TFLM_POOL_WINDOW_H

#include <stdint.h>

typedef struct {
    int32_t first, last;  // positions first..last-1 of the image
} tflm_span_t;

// Clips a window of `size` positions from `start` to an image of `extent` positions.
// start > -2^30 and extent < 2^30: the paddings and tensor sizes that prepare admits.
static inline tflm_span_t tflm_clip(int32_t start, int32_t size, int32_t extent) {
    const tflm_span_t span = {
        start > 0 ? start : 0,
        size < extent - start ? start + size : extent,
    };
    return span;
}

#endif
