// The taps of a window along one axis that lie in the image.
#ifndef TFLM_TAPS_H
#define TFLM_TAPS_H

#include <stdint.h>

typedef struct {
    int32_t first, last;  // taps first..last-1
} tflm_taps_t;

// Clips `count` taps, `dilation` apart, from position `start` on, to an image of `extent`
// positions. What prepare sees to: count and dilation are 1..2^15 - 1, start and extent of a
// magnitude below 2^30.
static inline tflm_taps_t tflm_clip_taps(
    int32_t start, int32_t count, int32_t dilation, int32_t extent) {
    const int32_t room = extent - start;
    tflm_taps_t taps = {0, count};
    if (start < 0) {
        taps.first = (dilation - 1 - start) / dilation;
    }
    if (room <= (count - 1) * dilation) {
        taps.last = room > 0 ? (room + dilation - 1) / dilation : 0;
    }
    return taps;
}

#endif
