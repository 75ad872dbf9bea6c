// UNIDIRECTIONAL_SEQUENCE_LSTM. Source: tensorflow/lite/micro/kernels/lstm_eval.cc.
#include "generated/layout.h"
#include "../common/curves_s16.h"
#include "../common/dense_sums.h"
#include "../common/requantize_row.h"
#include "../common/scale_s16.h"

#include <string.h>

enum { INPUT, FORGET, CELL, OUTPUT, GATES, CHUNK = 32 };

// What a node has of each gate, in the order above.
typedef struct {
    const int8_t *weights[GATES];
    const int8_t *recurrent[GATES];
    const uint8_t *biases[GATES];
} gates_t;

// Makes values of a gate from its sums, in a loop without calls: what it needs stays in registers.
static inline __attribute__((always_inline)) void curve_short(const uint32_t *sums,
    const uint32_t *states, tflm_factor_t by_input, tflm_factor_t by_hidden, int32_t is_cell,
    int32_t count, int32_t *values) {
    for (const uint32_t *const end = sums + count; sums != end;) {
        int32_t x = tflm_scale_s16_short(*sums++, by_input);
        x = 3 * tflm_clamp16(x + tflm_scale_s16_short(*states++, by_hidden));
        *values++ = is_cell ? tflm_hyperbolic(x) : tflm_sigmoid(x);
    }
}

static __attribute__((noinline)) void curve_short_cell(const uint32_t *sums,
    const uint32_t *states, tflm_factor_t by_input, tflm_factor_t by_hidden, int32_t count,
    int32_t *values) {
    curve_short(sums, states, by_input, by_hidden, 1, count, values);
}

static __attribute__((noinline)) void curve_short_gate(const uint32_t *sums,
    const uint32_t *states, tflm_factor_t by_input, tflm_factor_t by_hidden, int32_t count,
    int32_t *values) {
    curve_short(sums, states, by_input, by_hidden, 0, count, values);
}

// Any gate's.
static void curve(const uint32_t *sums, const uint32_t *states, tflm_factor_t by_input,
    tflm_factor_t by_hidden, int32_t is_cell, int32_t count, int32_t *values) {
    for (int32_t i = 0; i < count; i++) {
        const int32_t x = 3 * tflm_clamp16(
            tflm_scale_s16_plain(sums[i], by_input) + tflm_scale_s16_plain(states[i], by_hidden));
        values[i] = is_cell ? tflm_hyperbolic(x) : tflm_sigmoid(x);
    }
}

// Writes `count` values of a gate from unit `first` on.
static void run_gate(const tflm_lstm_t *params, const gates_t *gates, int32_t gate,
    const int8_t *input, const int8_t *hidden, int32_t first, int32_t count, int32_t *values) {
    const int32_t depth = params->input_depth, units = params->units;
    const int32_t *factors = params->factors + 4 * gate;
    const tflm_dense_t of_input = {
        input, gates->weights[gate] + first * depth, depth, depth, params->input_offset};
    const tflm_dense_t of_hidden = {hidden, gates->recurrent[gate] + first * units, units, units,
        tflm_wrapping_sub(0, params->hidden_zero_point)};
    const tflm_factor_t by_input = {factors[0], factors[1]}, by_hidden = {factors[2], factors[3]};
    uint32_t sums[CHUNK], states[CHUNK];
    for (int32_t i = 0; i < count; i++) {
        sums[i] = (uint32_t)tflm_load32(gates->biases[gate] + 4 * (first + i));
        states[i] = 0;
    }
    tflm_dense_sums(&of_input, sums, count);
    tflm_dense_sums(&of_hidden, states, count);
    if (tflm_is_short(by_input) && tflm_is_short(by_hidden)) {
        (gate == CELL ? curve_short_cell : curve_short_gate)(
            sums, states, by_input, by_hidden, count, values);
    } else {
        curve(sums, states, by_input, by_hidden, gate == CELL, count, values);
    }
}

// How a product of two numbers of 16 bits becomes a cell state: scaled by half, rounded, then
// shifted to the right, rounded away from zero.
typedef struct {
    int32_t shift, half, signs;
} state_t;

static state_t state_of(int32_t shift) {
    return (state_t){shift, shift > 0 ? 1 << (shift - 1) : 0, shift > 0 ? -1 : 0};
}

static int32_t scaled(int32_t product, const state_t *state) {
    const int32_t high = (product + 1) >> 1;
    return tflm_clamp16((high + state->half + ((high >> 31) & state->signs)) >> state->shift);
}

// Runs one step of `count` units from `first` on.
static void run_units(const tflm_lstm_t *params, const gates_t *gates, const int8_t *input,
    const int8_t *hidden, int32_t first, int32_t count, int16_t *cell, int8_t *output) {
    const tflm_factor_t factor = {params->output_multiplier, params->output_shift};
    const int32_t clip = params->cell_clip, power = params->cell_power;
    const state_t kept = state_of(14), added = state_of(29 + power);
    int32_t values[GATES][CHUNK];
    uint32_t shown[CHUNK];
    for (int32_t gate = 0; gate < GATES; gate++) {
        run_gate(params, gates, gate, input, hidden, first, count, values[gate]);
    }
    for (int32_t i = 0; i < count; i++) {
        const int32_t sum = scaled(values[FORGET][i] * cell[i], &kept)
            + scaled(values[INPUT][i] * values[CELL][i], &added);
        const int32_t state = tflm_clamp(tflm_clamp16(sum), -clip, clip);
        shown[i] = (uint32_t)(tflm_cell_tanh(state, power) * values[OUTPUT][i]);
        cell[i] = (int16_t)state;
    }
    tflm_requantize_row(shown, count, factor, params->hidden_zero_point, output);
}

// input   int8, rows [input_depth]: step t of batch b is row t * step_rows + b * batch_rows
// w_...   [units, input_depth] of each gate; r_... [units, units]; b_... int32 [units]
// hidden  [batches, units], cell [batches, units]: kept from one call to the next
// output  int8, rows [units] as in the input
// What prepare sees to: cell_power is -29..2; cell_clip is 0..2^15.
void tflm_lstm_s8(const tflm_lstm_t *params, const int8_t *input, const int8_t *w_input,
    const int8_t *w_forget, const int8_t *w_cell, const int8_t *w_output, const int8_t *r_input,
    const int8_t *r_forget, const int8_t *r_cell, const int8_t *r_output, const uint8_t *b_input,
    const uint8_t *b_forget, const uint8_t *b_cell, const uint8_t *b_output, int8_t *hidden,
    int16_t *cell, int8_t *output) {
    const gates_t gates = {{w_input, w_forget, w_cell, w_output},
        {r_input, r_forget, r_cell, r_output}, {b_input, b_forget, b_cell, b_output}};
    const int32_t units = params->units;
    for (int32_t b = 0; b < params->batches; b++, hidden += units, cell += units) {
        int32_t row = b * params->batch_rows;
        for (int32_t t = 0; t < params->steps; t++, row += params->step_rows) {
            const int8_t *values = input + row * params->input_depth;
            int8_t *made = output + row * units;
            for (int32_t first = 0; first < units; first += CHUNK) {
                const int32_t count = units - first < CHUNK ? units - first : CHUNK;
                run_units(params, &gates, values, hidden, first, count, cell + first,
                    made + first);
            }
            memcpy(hidden, made, (size_t)units);
        }
    }
}
