// DYNAMIC_UPDATE_SLICE. Source: tensorflow/lite/micro/kernels/dynamic_update_slice.cc.
#include "../bytes.h"
#include "../load.h"
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

// input   of bytes
// update  of bytes: all runs, one after the other
// starts  int32 or int64 [rank]
// output  as the input, with the update in its place
// What prepare sees to: rank is 1 to 6; extents are positive.
void tflm_update(const tflm_update_t *params, const uint8_t *input, const uint8_t *update,
    const uint8_t *starts, uint8_t *output) {
    const int32_t rank = params->rank, *dims = params->dims;
    if (output != input) {
        tflm_move(output, input, (size_t)params->nbytes);
    }
    for (int32_t d = 0; d < rank; d++, starts += params->wide) {
        output += clamped(starts, params->wide, dims[3 * d + 1]) * dims[3 * d + 2];
    }
    int32_t digits[RANK] = {0};
    for (int32_t d = 0; d >= 0;) {
        tflm_move_rows(
            output, params->step, update, params->run, (size_t)params->run, params->count);
        update += params->run * params->count;
        for (d = rank - 1; d >= 0; d--) {
            const int32_t *axis = dims + 3 * d;
            if (++digits[d] < axis[0]) {
                output += axis[2];
                break;
            }
            output -= (axis[0] - 1) * axis[2];
            digits[d] = 0;
        }
    }
}
