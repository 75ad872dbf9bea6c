#include "runner.h"

// Runs nodes first..last-1 of the node table at the ref `table`: of the arena, or, for a prepared
// model, of the model.
// Returns the index of the first node that it did not run, `last` when all ran.
int32_t tflm_run(const tflm_spaces_t *spaces, int32_t table, int32_t first, int32_t last) {
    const tflm_node_t *node = tflm_at(spaces, table);
    node += first;
    for (; first < last && tflm_run_node(spaces, node); node++) {
        first++;
    }
    return first;
}

// Tells whether this build holds the kernel with this index of layout.KERNELS.
bool tflm_has(int32_t kernel) {
    return (uint32_t)kernel < TFLM_KERNEL_COUNT && tflm_adapters[kernel] != NULL;
}
