// The loop of ADD and SUB where nothing is broadcast.
#include "../common/broadcast_add_line.h"
#include "../common/clamp.h"

// Writes outputs, saturated to int8, up to the first that the line leaves open. Returns how many.
static int32_t run_certain(const tflm_line_t *from, const int8_t *input1, const int8_t *input2,
    int32_t count, int8_t *output) {
    const tflm_line_t line = *from;
    const int8_t *const end = input1 + count, *value = input1;
    while (value != end) {
        const int32_t low = tflm_line_low(&line, *value, *input2++);
        if (!tflm_line_is_certain(&line, low)) {
            break;
        }
        *output++ = (int8_t)tflm_clamp8(low >> line.shift);
        value++;
    }
    return (int32_t)(value - input1);
}

// input1, input2  [count] side by side
// output          [count], written in order
void tflm_add_pairs(const tflm_sum_t *sum, const int8_t *input1, const int8_t *input2,
    int32_t count, int8_t *output) {
    for (int32_t i = 0; i < count; i++) {
        i += run_certain(&sum->line, input1 + i, input2 + i, count - i, output + i);
        if (i < count) {
            output[i] = tflm_add_exactly(sum->params, input1[i], input2[i], sum->sign);
        }
    }
    if (sum->minimum != INT8_MIN || sum->maximum != INT8_MAX) {
        for (int32_t i = 0; i < count; i++) {
            output[i] = (int8_t)tflm_clamp(output[i], sum->minimum, sum->maximum);
        }
    }
}
