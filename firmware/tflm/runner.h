// Walks the node table of an arena: see runner.c.
#ifndef TFLM_RUNNER_H
#define TFLM_RUNNER_H

#include <stdbool.h>

#include "dispatch.h"

// Where a run is.
typedef struct {
    int32_t node;
    int32_t done;  // of its outputs: what tflm_run_slice() returned
} tflm_place_t;

bool tflm_run(const tflm_spaces_t *spaces, int32_t table, tflm_place_t *place, int32_t last,
    int32_t slices, int32_t budget);

#endif
