// CIRCULAR_BUFFER. Source: tensorflow/lite/micro/kernels/circular_buffer.cc.
#include "../common/bytes.h"
#include "generated/layout.h"

static void shift(const tflm_circular_t *params, const uint8_t *input, uint8_t *output,
    uint8_t *window) {
    const size_t size = (size_t)params->size, step = (size_t)params->step;
    tflm_move(window, window + step, size - step);
    tflm_move(window + size - step, input, step);
    if (output != window) {
        tflm_move(output, window, size);
    }
}

// input   of `step` bytes
// output  the window
// window  the latest inputs, the last one at its end: it may be the output
void tflm_circular(const tflm_circular_t *params, const uint8_t *input, uint8_t *output,
    uint8_t *window) {
    shift(params, input, output, window);
}

// The same; the run ends here, except each that completes `cycles`. The runner stops behind it.
// state   int32 [2]: runs since the last that went on; 1 where this run is to end
void tflm_circular_every(const tflm_circular_t *params, const uint8_t *input, uint8_t *output,
    uint8_t *window, int32_t *state) {
    shift(params, input, output, window);
    state[0]++;
    state[1] = state[0] != params->cycles;
    if (state[1] == 0) {
        state[0] = 0;
    }
}
