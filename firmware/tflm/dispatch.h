// From a kernel's number to its code: see dispatch.c.
#ifndef TFLM_DISPATCH_H
#define TFLM_DISPATCH_H

#include <stdbool.h>

#include "generated/layout.h"

// A trampoline: calls one kernel with the addresses of its arguments. If the kernel takes any number
// of arguments, the trampoline finds them itself: their tagged offsets lie before the parameters.
typedef void (*tflm_adapter_t)(
    const int32_t *params, void *const *at, const tflm_spaces_t *spaces, int32_t refs);

// NULL where this build leaves the kernel out.
extern const tflm_adapter_t tflm_adapters[TFLM_KERNEL_COUNT];

// Runs a kernel of this build. `record` has `refs` tagged offsets, then the kernel's parameters.
void tflm_call(
    const tflm_spaces_t *spaces, const int32_t *record, int32_t refs, int32_t kernel);

int32_t tflm_form(int32_t kernel);

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

#endif
