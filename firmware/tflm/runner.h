// Walks the node table of an arena: see runner.c.
#ifndef TFLM_RUNNER_H
#define TFLM_RUNNER_H

#include <stdbool.h>

#include "dispatch.h"

// Runs a node of a table that the Python side wrote and checked; nothing is checked here. Returns
// false where the node has no kernel in this build and so belongs to Python, or where Python says
// whether the run goes on.
static inline bool tflm_run_node(const tflm_spaces_t *spaces, const tflm_node_t *node) {
    const int32_t kernel = node->kernel;
    if (kernel >= TFLM_KERNEL_COUNT || tflm_adapters[kernel] == NULL) {
        return false;
    }
    tflm_call(spaces, tflm_record_at(spaces, node->record), node->refs, kernel);
    return kernel != TFLM_CIRCULAR_EVERY;
}

// Where a run is.
typedef struct {
    int32_t node;
    int32_t done;  // of its outputs: what tflm_run_slice() returned
} tflm_place_t;

bool tflm_run(const tflm_spaces_t *spaces, int32_t table, tflm_place_t *place, int32_t last,
    int32_t slices, int32_t budget);

#endif
