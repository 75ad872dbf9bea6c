// The loop of ADD and SUB where nothing is broadcast.
#include "../broadcast_add_line.h"

// input1, input2  [count] side by side
// output          [count], written in order
void tflm_add_pairs(const tflm_sum_t *sum, const int8_t *input1, const int8_t *input2,
    int32_t count, int8_t *output) {
    const tflm_sum_t of = *sum;
    for (int32_t i = 0; i < count; i++) {
        output[i] = tflm_add_pair(&of, input1[i], input2[i]);
    }
}
