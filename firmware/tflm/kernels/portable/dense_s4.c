// FULLY_CONNECTED of int8 with a filter of int4, of which some rows at a time are unpacked.
#include "generated/layout.h"
#include "../common/unpack_s4.h"

enum { ROWS = 16 };  // ops/dense.py takes scratch for so many

// filter    int4, two a byte; all else as in dense.c
// unpacked  [ROWS, input_depth], or as many rows as there are where these are fewer
void tflm_fully_connected_s4(const tflm_fully_connected_t *params, const int8_t *input,
    const uint8_t *filter, const uint8_t *bias, int8_t *output, int8_t *unpacked) {
    const int32_t depth = params->input_depth, channels = params->output_depth;
    tflm_fully_connected_t rows = *params;
    rows.batches = 1;
    for (int32_t c = 0; c < channels; c += ROWS) {
        rows.output_depth = channels - c < ROWS ? channels - c : ROWS;
        tflm_unpack_s4(filter, c * depth, rows.output_depth * depth, unpacked);
        for (int32_t b = 0; b < params->batches; b++) {
            tflm_fully_connected_s8(&rows, input + b * depth, unpacked,
                bias == NULL ? NULL : bias + 4 * c, NULL, output + b * channels + c);
        }
    }
}
