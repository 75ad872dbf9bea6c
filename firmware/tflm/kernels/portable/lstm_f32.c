// UNIDIRECTIONAL_SEQUENCE_LSTM of float32. Source: as in lstm.c.
#include "generated/layout.h"
#include "../common/dot_f32.h"
#include "../common/exp_f32.h"

#include <float.h>
#include <string.h>

enum { INPUT, FORGET, CELL, OUTPUT, GATES };

// What a node has of each gate, in the order above.
typedef struct {
    const uint8_t *weights[GATES];
    const uint8_t *recurrent[GATES];
    const uint8_t *biases[GATES];
} gates_t;

// Infinities become the largest numbers.
static float bounded(float x) {
    return tflm_clamp_f32(x, -FLT_MAX, FLT_MAX);
}

// Makes the dots of x and `count` rows, 1 or TFLM_DOTS.
static void dots(
    float sums[TFLM_DOTS], const uint8_t *x, const uint8_t *rows, int32_t n, int32_t count) {
    memset(sums, 0, TFLM_DOTS * sizeof(*sums));
    if (count == TFLM_DOTS) {
        tflm_dots_f32(sums, x, rows, 4 * n, n);
    } else {
        sums[0] = tflm_dot_f32(0.0f, x, rows, n);
    }
}

// Writes `count` values of a gate from unit `first` on, 1 or TFLM_DOTS.
static void run_gate(const tflm_lstm_f32_t *params, const gates_t *gates, int32_t gate,
    const uint8_t *input, const float *hidden, int32_t first, int32_t count, float *values) {
    const int32_t depth = params->input_depth, units = params->units;
    float states[TFLM_DOTS];
    dots(values, input, gates->weights[gate] + 4 * first * depth, depth, count);
    dots(states, (const void *)hidden, gates->recurrent[gate] + 4 * first * units, units, count);
    for (int32_t i = 0; i < count; i++) {
        const float bias = tflm_load_f32(gates->biases[gate] + 4 * (first + i));
        const float x = bounded(values[i] + bias) + bounded(states[i]);
        values[i] = gate == CELL ? tflm_tanh(x) : tflm_float(tflm_logistic_inline(tflm_bits(x)));
    }
}

// input   float32, rows [input_depth]: step t of batch b is row t * step_rows + b * batch_rows
// w_...   float32 [units, input_depth] of each gate; r_... [units, units]; b_... [units]
// hidden  [batches, units], cell [batches, units]: kept from one call to the next
// output  float32, rows [units] as in the input
// cell_clip is positive or infinite.
void tflm_lstm_f32(const tflm_lstm_f32_t *params, const uint8_t *input, const uint8_t *w_input,
    const uint8_t *w_forget, const uint8_t *w_cell, const uint8_t *w_output,
    const uint8_t *r_input, const uint8_t *r_forget, const uint8_t *r_cell,
    const uint8_t *r_output, const uint8_t *b_input, const uint8_t *b_forget,
    const uint8_t *b_cell, const uint8_t *b_output, float *hidden, float *cell, float *output) {
    const gates_t gates = {{w_input, w_forget, w_cell, w_output},
        {r_input, r_forget, r_cell, r_output}, {b_input, b_forget, b_cell, b_output}};
    const int32_t units = params->units;
    const float clip = tflm_float(params->cell_clip);
    int32_t most = TFLM_DOTS;
    for (int32_t gate = 0; gate < GATES; gate++) {
        if (!tflm_are_aligned(gates.weights[gate], gates.recurrent[gate])) {
            most = 1;
        }
    }
    for (int32_t b = 0; b < params->batches; b++, hidden += units, cell += units) {
        int32_t row = b * params->batch_rows;
        for (int32_t t = 0; t < params->steps; t++, row += params->step_rows) {
            const uint8_t *values = input + 4 * row * params->input_depth;
            float *made = output + row * units;
            int32_t count;
            for (int32_t c = 0; c < units; c += count) {
                float of[GATES][TFLM_DOTS];
                count = units - c >= most ? most : 1;
                for (int32_t gate = 0; gate < GATES; gate++) {
                    run_gate(params, &gates, gate, values, hidden, c, count, of[gate]);
                }
                for (int32_t i = 0; i < count; i++) {
                    float x = bounded(of[FORGET][i] * cell[c + i]);
                    x += bounded(of[INPUT][i] * of[CELL][i]);
                    x = tflm_clamp_f32(x, -clip, clip);
                    cell[c + i] = x;
                    made[c + i] = bounded(tflm_tanh(x) * of[OUTPUT][i]);
                }
            }
            memcpy(hidden, made, 4 * (size_t)units);
        }
    }
}
