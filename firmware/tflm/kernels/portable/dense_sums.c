#include "../dense_sums.h"
#include "../dot.h"

void tflm_dense_sums(const tflm_dense_t *dense, uint32_t *sums, int32_t count) {
    const int32_t depth = dense->depth;
    const int8_t *row = dense->rows;
    for (; count >= 2; count -= 2, sums += 2, row += 2 * depth) {
        tflm_dot_pair(dense->values, row, depth, dense->offset, sums);
    }
    if (count > 0) {
        *sums += tflm_dot(dense->values, row, depth, dense->offset);
    }
}
