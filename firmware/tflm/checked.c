// Only in builds with a sanitizer (TFLM_CHECKED): the one file here that takes heap.
#include "checked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Returns a copy of the bytes whose end is the end of its block. Its address is as far from a
// multiple of 4 as the original's, so that a misaligned model stays one.
static uint8_t *copy_of(const uint8_t *bytes, size_t size) {
    const size_t slack = (uintptr_t)bytes % 4;
    uint8_t *block = malloc(slack + size + (slack + size == 0));
    if (block == NULL) {
        abort();
    }
    if (size != 0) {
        memcpy(block + slack, bytes, size);
    }
    return block + slack;
}

static void drop_copy(uint8_t *copy) {
    free(copy - (uintptr_t)copy % 4);
}

// Ends the process where a kernel has written into its copy of the model.
static void check_model(const uint8_t *copy, const void *model, size_t size) {
    if (size != 0 && memcmp(copy, model, size) != 0) {
        fputs("a kernel wrote into the model\n", stderr);
        abort();
    }
}

static void put_back(uint8_t *bytes, const uint8_t *copy, size_t size) {
    if (size != 0) {
        memcpy(bytes, copy, size);
    }
}

// Does what tflm_run does, on copies of all spaces in heap blocks of just their size: an access
// past either end is one past a block, and a store into the model is noticed.
bool tflm_run_checked(const tflm_spaces_t *spaces, const tflm_sizes_t *sizes, int32_t table,
    tflm_place_t *place, int32_t last, int32_t slices, int32_t budget) {
    uint8_t *arena = copy_of(spaces->base[TFLM_ARENA], sizes->of[TFLM_ARENA]);
    uint8_t *model = copy_of(spaces->base[TFLM_MODEL], sizes->of[TFLM_MODEL]);
    uint8_t *const bytes = tflm_tail(spaces);
    uint8_t *tail = copy_of(bytes, sizes->of[TFLM_TAIL]);
    const tflm_spaces_t copies = {{arena, model, tflm_tail_base(tail)}};
    const bool is_pause = tflm_run(&copies, table, place, last, slices, budget);
    put_back(spaces->base[TFLM_ARENA], arena, sizes->of[TFLM_ARENA]);
    put_back(bytes, tail, sizes->of[TFLM_TAIL]);
    check_model(model, spaces->base[TFLM_MODEL], sizes->of[TFLM_MODEL]);
    drop_copy(tail);
    drop_copy(model);
    drop_copy(arena);
    return is_pause;
}
