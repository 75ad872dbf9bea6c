// MIRROR_PAD with paddings that a run computes.
#include <stdbool.h>

#include "../common/bytes.h"
#include "../common/computed.h"
#include "generated/layout.h"

// A number of `wide` bytes in 0..limit, else -1.
static int32_t within(const uint8_t *number, int32_t wide, int32_t limit) {
    const int32_t low = tflm_load32(number);
    const bool is_small = wide == 4 || tflm_load32(number + 4) == 0;
    return is_small && low >= 0 && low <= limit ? low : -1;
}

// input     [extents], outermost first, of elements of so many bytes
// paddings  int32 or int64 [rank, 2], of `wide` bytes each
// output    of `nbytes`, as of MIRROR_PAD; zeros where the paddings do not give its shape
// What prepare sees to: rank is 1 to 6; extents are positive. dims[] holds pairs (extent of the
// input, of the output).
void tflm_mirror_pad_at(const tflm_mirror_pad_at_t *params, const uint8_t *input,
    const uint8_t *paddings, uint8_t *output) {
    const int32_t rank = params->rank, wide = params->wide;
    int32_t record[3 + 3 * TFLM_MAX_COMPUTED] = {params->element, params->offset, rank};
    for (int32_t i = 0; i < rank; i++, paddings += 2 * wide) {
        const int32_t extent = params->dims[2 * i], limit = extent - params->offset;
        const int32_t before = within(paddings, wide, limit);
        const int32_t after = within(paddings + wide, wide, limit);
        if (before < 0 || after < 0 || params->dims[2 * i + 1] - extent != before + after) {
            tflm_fill(output, 0, (size_t)params->nbytes);
            return;
        }
        int32_t *const triple = record + 3 + 3 * i;
        triple[0] = before;
        triple[1] = extent;
        triple[2] = after;
    }
    const void *same = record;
    tflm_mirror_pad(same, input, output);
}
