// DYNAMIC_UPDATE_SLICE, SLICE from where it computes. Source: tensorflow/lite/micro/kernels/dynamic_update_slice.cc.
#include "../common/bytes.h"
#include "../common/load.h"
#include "generated/layout.h"

#define RANK 6

// A start of `wide` bytes, in 0..limit.
static int32_t clamped(const uint8_t *start, int32_t wide, int32_t limit) {
    const int32_t low = tflm_load32(start);
    const int32_t high = wide == 8 ? tflm_load32(start + 4) : low >> 31;
    if (high < 0) {
        return 0;
    }
    return high > 0 || (uint32_t)low > (uint32_t)limit ? limit : low;
}

// Moves runs between a tensor, from its start, and a part of it, where they lie one after the other:
// into the tensor or, where is_update is 0, out of it.
static void move_part(const tflm_update_t *params, uint8_t *tensor, uint8_t *part,
    const uint8_t *starts, int is_update) {
    const int32_t rank = params->rank, *dims = params->dims;
    const int32_t run = params->run, step = params->step;
    for (int32_t d = 0; d < rank; d++, starts += params->wide) {
        tensor += clamped(starts, params->wide, dims[3 * d + 1]) * dims[3 * d + 2];
    }
    int32_t digits[RANK] = {0};
    for (int32_t d = 0; d >= 0;) {
        if (is_update) {
            tflm_move_rows(tensor, step, part, run, (size_t)run, params->count);
        } else {
            tflm_move_rows(part, run, tensor, step, (size_t)run, params->count);
        }
        part += run * params->count;
        for (d = rank - 1; d >= 0; d--) {
            const int32_t *axis = dims + 3 * d;
            if (++digits[d] < axis[0]) {
                tensor += axis[2];
                break;
            }
            tensor -= (axis[0] - 1) * axis[2];
            digits[d] = 0;
        }
    }
}

// input   of bytes
// update  of bytes: all runs, one after the other
// starts  int32 or int64 [rank]
// output  as the input, with the update in its place
// What prepare sees to: rank is 1 to 6; extents are positive.
void tflm_update(const tflm_update_t *params, const uint8_t *input, const uint8_t *update,
    const uint8_t *starts, uint8_t *output) {
    if (output != input) {
        tflm_move(output, input, (size_t)params->nbytes);
    }
    move_part(params, output, (uint8_t *)update, starts, 1);
}

// Copies only the part of the input. Source: tensorflow/lite/micro/kernels/slice.cc.
void tflm_slice_at(const tflm_update_t *params, const uint8_t *input, const uint8_t *starts,
    uint8_t *output) {
    move_part(params, (uint8_t *)input, output, starts, 0);
}
