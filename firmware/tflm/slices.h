// Long nodes, run a slice at a time, so that there are moments in between: see slices.c.
#ifndef TFLM_SLICES_H
#define TFLM_SLICES_H

#include "dispatch.h"

// Runs the next slice of a node: about `budget` products, or the least part that a kernel can do.
// done: 0, then what the call before returned. Returns 0 when the node is done, -1 where it has no
// kernel in this build.
int32_t tflm_run_slice(
    const tflm_spaces_t *spaces, const tflm_node_t *node, int32_t done, int32_t budget);

// Returns the index of the first node that takes more than one slice; `count` where none does. Reads
// nothing outside of the spaces.
int32_t tflm_first_long(const tflm_spaces_t *spaces, const tflm_sizes_t *sizes,
    const tflm_node_t *nodes, int32_t count, int32_t budget);

#endif
