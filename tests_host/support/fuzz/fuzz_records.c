// A coverage-guided fuzzer of the C that reads operator parameters before a model runs: slices.c, which
// says what nodes take long. `fuzz_reader.py` builds it with libFuzzer and the sanitizers.
//
// An input is a file whose snapshot nobody checked: a word with the number of nodes, a word with the
// products of a slice, the nodes, and the bytes at their tagged offsets. The second half of it lies
// in an arena as well.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "slices.h"

enum { HEADER = 8, MOST_NODES = 64 };

static void check(bool holds) {
    if (!holds) {
        abort();
    }
}

// Kernels trust their parameters, so none of them runs here.
const tflm_adapter_t tflm_adapters[TFLM_KERNEL_COUNT];

void tflm_call(const tflm_spaces_t *spaces, const int32_t *record, int32_t refs, int32_t kernel) {
    (void)spaces;
    (void)record;
    (void)refs;
    (void)kernel;
    abort();
}

// Returns a copy of bytes that ends with its block.
static uint8_t *copy_of(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size + !size);
    check(copy != NULL);
    memcpy(copy, data, size);
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const clock_t start = clock();  // of the processor: a busy machine is no finding
    uint32_t header[2];
    if (size < HEADER) {
        return 0;
    }
    memcpy(header, data, HEADER);
    const size_t most = (size - HEADER) / sizeof(tflm_node_t);
    int32_t count = (int32_t)(header[0] % (MOST_NODES + 1));
    count = (size_t)count < most ? count : (int32_t)most;
    const int32_t budget = (int32_t)(header[1] >> 1);

    const size_t half = size / 2;
    uint8_t *model = copy_of(data, size), *arena = copy_of(data + half, size - half);
    tflm_node_t *nodes = (void *)copy_of(data + HEADER, (size_t)count * sizeof(tflm_node_t));
    const tflm_spaces_t spaces = {{arena, model}};
    const tflm_sizes_t sizes = {{size - half, size}};
    for (int32_t i = 0; i < count; i++) {
        const int32_t found = tflm_first_long(&spaces, &sizes, nodes + i, count - i, budget);
        check(found >= 0 && found <= count - i);
        i += found;
    }
    check(memcmp(model, data, size) == 0 && memcmp(arena, data + half, size - half) == 0);
    free(nodes);
    free(arena);
    free(model);
    check(clock() - start < SLOWEST_S * CLOCKS_PER_SEC);
    return 0;
}
