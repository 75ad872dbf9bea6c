// CUMSUM along an axis that a run computes.
#include "../common/bytes.h"
#include "../common/computed.h"
#include "generated/layout.h"

enum { MAX_REST = 5 };

// input   as of the kernel called
// axis    int32
// output  as of that kernel; zeros where there is no such axis
// What prepare sees to: words[] holds that kernel's parameters after "step", then the shape.
void tflm_cumsum_at(
    const tflm_cumsum_at_t *params, const uint8_t *input, const uint8_t *axis, uint8_t *output) {
    // outer, extent, inner, first, step
    int32_t record[5 + MAX_REST] = {1, 1, 1};
    const int32_t rank = params->rank, *shape = params->words + params->fixed;
    const int32_t mask = tflm_named_axes(axis, 1, rank);
    if (mask < 0) {
        tflm_fill(output, 0, (size_t)params->nbytes);
        return;
    }
    for (int32_t i = 0, at = 0; i < rank; i++) {
        at = mask >> i & 1 ? 1 : at == 1 ? 2 : at;
        record[at] *= shape[i];
    }
    record[3] = params->reverse ? (record[1] - 1) * record[2] : 0;
    record[4] = params->reverse ? -record[2] : record[2];
    for (int32_t i = 0; i < params->fixed; i++) {
        record[5 + i] = params->words[i];
    }
    const void *same = record, *data = input;
    void *to = output;
    if (params->is_float) {
        tflm_cumsum_f32(same, data, to);
    } else {
        tflm_cumsum_s8(same, data, to);
    }
}
