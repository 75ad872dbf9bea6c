// RESHAPE and every other op that moves a tensor as it is.
#include <string.h>

#include "../../layout.h"

typedef struct {
    uint32_t words[4];
} block_t;  // moved by one load and one store of several registers

// The libraries of small cores move byte by byte. The bytes may overlap.
static void move_words(uint32_t *to, const uint32_t *from, size_t count) {
    const size_t blocks = count / 4;
    block_t *target = (void *)to;
    const block_t *source = (const void *)from;
    if ((uintptr_t)to < (uintptr_t)from) {
        for (size_t i = 0; i < blocks; i++) {
            const block_t block = source[i];
            target[i] = block;
        }
        for (size_t i = 4 * blocks; i < count; i++) {
            to[i] = from[i];
        }
    } else {
        for (size_t i = count; i > 4 * blocks; i--) {
            to[i - 1] = from[i - 1];
        }
        for (size_t i = blocks; i > 0; i--) {
            const block_t block = source[i - 1];
            target[i - 1] = block;
        }
    }
}

// input, output  nbytes bytes, at any places: they may overlap, or be the same, and then there is
//                nothing to do
void tflm_copy(const tflm_copy_t *params, const uint8_t *input, uint8_t *output) {
    const size_t nbytes = (size_t)params->nbytes;
    if (input == output) {
        return;
    }
    if (((uintptr_t)input | (uintptr_t)output | nbytes) % sizeof(uint32_t) == 0) {
        move_words((void *)output, (const void *)input, nbytes / sizeof(uint32_t));
    } else {
        memmove(output, input, nbytes);
    }
}
