// Arguments that a run computes. A kernel cannot fail: it looks at all of them, and where they do not
// give the shape that the model names it writes zeros.
#ifndef TFLM_COMPUTED_H
#define TFLM_COMPUTED_H

#include "load.h"

enum { TFLM_MAX_COMPUTED = 6 };  // dimensions; ops/common_shapes.py has it, too

// The axes named in `axes`, a bit each; -1 where one is none of `rank`.
static inline int32_t tflm_named_axes(const uint8_t *axes, int32_t count, int32_t rank) {
    int32_t mask = 0;
    for (int32_t i = 0; i < count; i++, axes += 4) {
        const int32_t axis = tflm_load32(axes);
        if (axis < -rank || axis >= rank) {
            return -1;
        }
        mask |= 1 << (axis < 0 ? axis + rank : axis);
    }
    return mask;
}

#endif
