// UNIDIRECTIONAL_SEQUENCE_LSTM of int16 with int8 weights. Source: as in lstm.c.
#include "generated/layout.h"
#include "../common/channels_s16.h"
#include "../common/curves_s16.h"
#include "../common/dense_sums.h"

#include <string.h>

enum { INPUT, FORGET, CELL, OUTPUT, GATES, CHUNK = 8 };

// What a node has of each gate, in the order above.
typedef struct {
    const int8_t *weights[GATES];
    const int8_t *recurrent[GATES];
    const uint8_t *biases[GATES];
} gates_t;

static int32_t clamp16(int32_t x) {
    return tflm_clamp(x, INT16_MIN, INT16_MAX);
}

// Adds to values[i] the dot of row i and x, from the sum that is there, as int16.
static void add_sums(int32_t *values, uint64_t *sums, const tflm_dense_s16_t *dense,
    int32_t count, const int32_t *words) {
    const tflm_finish_s16_t finish = tflm_finish_of_s16(1, INT16_MIN, INT16_MAX);
    const tflm_factor_t factor = tflm_wide_factor((tflm_factor_t){words[0], words[1]});
    const tflm_channel_s16_t channel = tflm_channel_s16(0, factor, 1);
    tflm_dense_sums_s16(dense, sums, count);
    for (int32_t i = 0; i < count; i++) {
        values[i] += tflm_finish_s16(sums[i], &channel, &finish);
    }
}

// Writes `count` values of a gate from unit `first` on, before its activation.
static void gate_sums(const tflm_lstm_t *params, const gates_t *gates, int32_t gate,
    const int16_t *input, const int16_t *hidden, int32_t first, int32_t count, int32_t *values) {
    const int32_t depth = params->input_depth, units = params->units;
    const int32_t *factors = params->factors + 4 * gate;
    const tflm_dense_s16_t of_input = {
        input, gates->weights[gate] + first * depth, depth, depth};
    const tflm_dense_s16_t of_hidden = {
        hidden, gates->recurrent[gate] + first * units, units, units};
    uint64_t sums[CHUNK], states[CHUNK] = {0};
    for (int32_t i = 0; i < count; i++) {
        const uint8_t *bias = gates->biases[gate] + 8 * (first + i);
        sums[i] = (uint32_t)tflm_load32(bias) | (uint64_t)(uint32_t)tflm_load32(bias + 4) << 32;
        values[i] = 0;
    }
    add_sums(values, sums, &of_input, count, factors);
    add_sums(values, states, &of_hidden, count, factors + 2);
    for (int32_t i = 0; i < count; i++) {
        values[i] = 3 * clamp16(values[i]);
    }
}

// Runs one step of `count` units from `first` on.
static void run_units(const tflm_lstm_t *params, const gates_t *gates, const int16_t *input,
    const int16_t *hidden, int32_t first, int32_t count, int16_t *cell, int16_t *output) {
    const int32_t half = 1 << 30, clip = params->cell_clip, power = params->cell_power;
    int32_t values[GATES][CHUNK];
    for (int32_t gate = 0; gate < GATES; gate++) {
        gate_sums(params, gates, gate, input, hidden, first, count, values[gate]);
    }
    for (int32_t i = 0; i < count; i++) {
        const int32_t kept = tflm_sigmoid_curve(values[FORGET][i]) * cell[i];
        const int32_t added =
            tflm_sigmoid_curve(values[INPUT][i]) * tflm_tanh_curve(values[CELL][i]);
        const int32_t sum = clamp16(tflm_scale(kept, half, -14))
            + clamp16(tflm_scale(added, half, -29 - power));
        const int32_t state = tflm_clamp(clamp16(sum), -clip, clip);
        const int32_t shown =
            tflm_cell_tanh(state, power) * tflm_sigmoid_curve(values[OUTPUT][i]);
        cell[i] = (int16_t)state;
        output[i] = (int16_t)clamp16(
            tflm_scale(shown, params->output_multiplier, params->output_shift));
    }
}

// input   int16, rows [input_depth]: step t of batch b is row t * step_rows + b * batch_rows
// w_...   int8 [units, input_depth] of each gate; r_... [units, units]; b_... int64 [units]
// hidden  [batches, units], cell [batches, units]: kept from one call to the next
// output  int16, rows [units] as in the input
// What prepare sees to: as in lstm.c; no zero point.
void tflm_lstm_s16(const tflm_lstm_t *params, const int16_t *input, const int8_t *w_input,
    const int8_t *w_forget, const int8_t *w_cell, const int8_t *w_output, const int8_t *r_input,
    const int8_t *r_forget, const int8_t *r_cell, const int8_t *r_output, const uint8_t *b_input,
    const uint8_t *b_forget, const uint8_t *b_cell, const uint8_t *b_output, int16_t *hidden,
    int16_t *cell, int16_t *output) {
    const gates_t gates = {{w_input, w_forget, w_cell, w_output},
        {r_input, r_forget, r_cell, r_output}, {b_input, b_forget, b_cell, b_output}};
    const int32_t units = params->units;
    for (int32_t b = 0; b < params->batches; b++, hidden += units, cell += units) {
        int32_t row = b * params->batch_rows;
        for (int32_t t = 0; t < params->steps; t++, row += params->step_rows) {
            int16_t *made = output + row * units;
            for (int32_t first = 0; first < units; first += CHUNK) {
                const int32_t count = units - first < CHUNK ? units - first : CHUNK;
                run_units(params, &gates, input + row * params->input_depth, hidden, first, count,
                    cell + first, made + first);
            }
            memcpy(hidden, made, 2 * (size_t)units);
        }
    }
}
