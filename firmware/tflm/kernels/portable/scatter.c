// ONE_HOT and SCATTER_ND. Source: tensorflow/lite/kernels/one_hot.cc; tensorflow/lite/kernels/
// internal/reference/reference_ops.h: ScatterNd.
#include "../common/bytes.h"
#include "../common/float32.h"
#include "generated/layout.h"

enum { IS_FLOAT = -1, IS_BOOL = 0 };  // else the bytes of an integer

// indices   int32 or int64 [outer, inner]; of int64 the low 32 bits count
// on, off   one element each
// output    [outer, depth, inner]: `on` where the index is the place along depth, else `off`
void tflm_one_hot(const tflm_one_hot_t *params, const uint8_t *indices, const uint8_t *on,
    const uint8_t *off, uint8_t *output) {
    const int32_t row = params->inner * params->index_size;
    const size_t size = (size_t)params->size;
    for (int32_t o = 0; o < params->outer; o++, indices += row) {
        for (int32_t place = 0; place < params->depth; place++) {
            for (int32_t at = 0; at < row; at += params->index_size, output += size) {
                tflm_move(output, tflm_load32(indices + at) == place ? on : off, size);
            }
        }
    }
}

// Adds `count` elements to others; integers wrap, and bools are true if one of both is.
static void add(uint8_t *to, const uint8_t *from, int32_t count, int32_t type) {
    const int32_t size = type == IS_FLOAT ? 4 : type == IS_BOOL ? 1 : type;
    for (int32_t i = 0; i < count; i++, to += size, from += size) {
        if (type == IS_FLOAT) {
            tflm_store_f32(to, tflm_load_f32(to) + tflm_load_f32(from));
        } else if (type == IS_BOOL) {
            *to |= *from;
        } else {
            uint32_t sum = 0;
            for (int32_t byte = 0; byte < size; byte++) {
                sum = (sum >> 8) + to[byte] + from[byte];
                to[byte] = (uint8_t)sum;
            }
        }
    }
}

// indices   int32 [count, depth]
// updates   [count, row] of the output's type
// output    zeros, and each update added at its place, in the order of updates. Updates whose
//           place is outside of the output add nothing.
void tflm_scatter_nd(const tflm_scatter_t *params, const uint8_t *indices, const uint8_t *updates,
    uint8_t *output) {
    const int32_t type = params->type, row = params->row;
    const int32_t nbytes = row * (type == IS_FLOAT ? 4 : type == IS_BOOL ? 1 : type);
    tflm_fill(output, 0, (size_t)params->nbytes);
    for (int32_t i = 0; i < params->count; i++, updates += nbytes) {
        uint32_t to = 0;  // wraps
        for (int32_t k = 0; k < params->depth; k++, indices += 4) {
            to += (uint32_t)tflm_load32(indices) * (uint32_t)params->steps[k];
        }
        if (to <= (uint32_t)params->last) {
            add(output + to, updates, row, type);
        }
    }
}
