// A fuzzer of fence.c, which reads a snapshot whose sum anybody can forge: `fuzz_reader.py` builds it.
//
// An input is a word, the position of the snapshot's header, and the file. Every kernel has the
// form 1 here.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fence.h"
#include "generated/layout.h"


int32_t tflm_form(int32_t kernel) {
    return kernel >= 0 && kernel < TFLM_KERNEL_COUNT;
}

static void check(bool holds) {
    if (!holds) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int32_t header, nodes = 0;
    if (size < sizeof(header)) {
        return 0;
    }
    memcpy(&header, data, sizeof(header));
    size -= sizeof(header);
    uint8_t *file = malloc(size + !size);  // which ends with its block
    check(file != NULL);
    memcpy(file, data + sizeof(header), size);
    const int32_t found = tflm_fence(file, size, header);
    if (found > 0) {
        memcpy(&nodes, file + header + 36, sizeof(nodes));
        check(found <= nodes);
    }
    check(found >= TFLM_FENCE_KERNELS);
    check(memcmp(file, data + sizeof(header), size) == 0);
    free(file);
    return 0;
}
