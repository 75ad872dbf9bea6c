// GATHER and GATHER_ND. Source: tensorflow/lite/micro/kernels/gather.cc, gather_nd.cc.
//
// What an index outside of the input names is zeros.
#include "../common/bytes.h"
#include "../common/load.h"
#include "generated/layout.h"

// input    [batches, outer, extent] rows
// indices  int32 [batches, count]
// output   [batches, outer, count] rows
void tflm_take(
    const tflm_take_t *params, const uint8_t *input, const uint8_t *indices, uint8_t *output) {
    const size_t row = (size_t)params->row;
    for (int32_t b = 0; b < params->batches; b++, indices += 4 * params->count) {
        for (int32_t o = 0; o < params->outer; o++, input += params->extent * params->row) {
            for (int32_t i = 0; i < params->count; i++, output += row) {
                const int32_t index = tflm_load32(indices + 4 * i);
                if (index < 0 || index >= params->extent) {
                    tflm_fill(output, 0, row);
                } else if (row == 1) {
                    *output = input[index];
                } else {
                    tflm_move(output, input + index * params->row, row);
                }
            }
        }
    }
}

// input    of bytes; a row begins at the sum of its index's numbers by their steps
// indices  int32 [count, depth]
// output   count rows
void tflm_take_nd(const tflm_take_nd_t *params, const uint8_t *input, const uint8_t *indices,
    uint8_t *output) {
    const size_t row = (size_t)params->row;
    for (int32_t i = 0; i < params->count; i++, output += row) {
        uint32_t from = 0;  // wraps
        for (int32_t k = 0; k < params->depth; k++, indices += 4) {
            from += (uint32_t)tflm_load32(indices) * (uint32_t)params->steps[k];
        }
        if (from > (uint32_t)params->last) {
            tflm_fill(output, 0, row);
        } else {
            tflm_move(output, input + from, row);
        }
    }
}
