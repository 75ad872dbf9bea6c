// SHAPE, ZEROS_LIKE, BROADCAST_ARGS.
#include <stdbool.h>

#include "../common/bytes.h"
#include "generated/layout.h"

// output  int32 [rank]
void tflm_shape(const tflm_shape_t *params, const uint8_t *input, int32_t *output) {
    (void)input;
    for (int32_t i = 0; i < params->rank; i++) {
        output[i] = params->dims[i];
    }
}

void tflm_zeros(const tflm_zeros_t *params, const uint8_t *input, uint8_t *output) {
    (void)input;
    tflm_fill(output, 0, (size_t)params->nbytes);
}

static bool is_one(const uint8_t *number, int32_t nbytes) {
    int32_t others = number[0] ^ 1;
    for (int32_t i = 1; i < nbytes; i++) {
        others |= number[i];
    }
    return others == 0;
}

// input1, input2  shapes, of numbers of so many bytes; the shorter one has fewer first numbers
// output          the shape that both become
void tflm_broadcast_args(const tflm_broadcast_args_t *params, const uint8_t *input1,
    const uint8_t *input2, uint8_t *output) {
    const int32_t number = params->number;
    for (int32_t left = params->size; left > 0; left--, output += number) {
        const uint8_t *from = NULL;  // of the shape that reaches so far: another may have no place
        if (left <= params->first) {
            from = input1 + (params->first - left) * number;
        }
        if (from == NULL || (left <= params->second && is_one(from, number))) {
            from = input2 + (params->second - left) * number;
        }
        tflm_move(output, from, (size_t)number);
    }
}
