// RESHAPE and every other op that moves a tensor as it is.
#include <string.h>

#include "../../layout.h"

// The libraries of small cores move byte by byte. The bytes may overlap.
static void move_words(uint32_t *to, const uint32_t *from, size_t count) {
    if ((uintptr_t)to < (uintptr_t)from) {
        for (size_t i = 0; i < count; i++) {
            to[i] = from[i];
        }
    } else {
        while (count-- > 0) {
            to[count] = from[count];
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
