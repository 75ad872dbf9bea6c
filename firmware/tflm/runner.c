#include "runner.h"

#include "dispatch.h"

// Runs nodes first..last-1 of the node table at the ref `table`: of the arena, or, for a prepared
// model, of the model.
// Returns the index of the first node that it did not run: `last` when all ran, else that of a
// node which has no kernel here and so belongs to Python.
// The table and its records were written and checked by the Python side; nothing is checked here.
int32_t tflm_run(const tflm_spaces_t *spaces, int32_t table, int32_t first, int32_t last) {
    const tflm_node_t *node = tflm_at(spaces, table);
    node += first;
    for (; first < last; first++, node++) {
        if (!tflm_has(node->kernel)) {
            return first;
        }
        tflm_adapters[node->kernel](spaces, tflm_at(spaces, node->record), node->refs);
    }
    return first;
}

// Tells whether this build holds the kernel with this index of layout.KERNELS.
bool tflm_has(int32_t kernel) {
    return (uint32_t)kernel < TFLM_KERNEL_COUNT && tflm_adapters[kernel] != NULL;
}
