// Walks the node table of an arena: see runner.c.
#ifndef TFLM_RUNNER_H
#define TFLM_RUNNER_H

#include <stdbool.h>

#include "dispatch.h"

// Runs a node of a table that the Python side wrote and checked; nothing is checked here. Returns
// false where the node has no kernel in this build and so belongs to Python.
static inline bool tflm_run_node(const tflm_spaces_t *spaces, const tflm_node_t *node) {
    const tflm_adapter_t adapter =
        node->kernel < TFLM_KERNEL_COUNT ? tflm_adapters[node->kernel] : NULL;
    if (adapter == NULL) {
        return false;
    }
    adapter(spaces, tflm_at(spaces, node->record), node->refs);
    return true;
}

int32_t tflm_run(const tflm_spaces_t *spaces, int32_t table, int32_t first, int32_t last);
bool tflm_has(int32_t kernel);

#endif
