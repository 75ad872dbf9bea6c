"""One step of an LSTM from any cell state: roundings that random models hit once in thousands."""

import random
import struct

import pytest

import _tflm
from support.native.native_call import Call, run_nodes
from support.reference.kernel_model import clamp, multiply

UNITS = 70  # two blocks of the kernel, and some units more
BATCHES = 60
ONE = 1 << 30, 1  # a factor
LARGE = 1 << 20  # the sum of a gate that is at its end
GATES = range(4)  # input, forget, cell, output
FORGET, CELL, OUTPUT = 1, 2, 3


def curve(gate, total):
    """Return the value of *gate* whose sum is *total*, with the library's own curves."""
    x = 3 * clamp(total, -32768, 32767)
    library = _tflm._lib
    return (library.tflm_tanh_curve if gate == CELL else library.tflm_sigmoid_curve)(x)


def scaled(product, shift):
    """Return *product* / 2**(shift + 1), halves up and then away from zero, as int16."""
    high = (product + 1) // 2
    size = (2 * abs(high) + (1 << shift)) >> (shift + 1)
    return clamp(size if high >= 0 else -size, -32768, 32767)


def hyperbolic(state, power):
    """Return the tangent of a cell state of the scale 2**power, as tflm_cell_tanh()."""
    shift = power + 12
    x = 3 * state << shift if shift >= 0 else (3 * state + (1 << (-shift - 1))) >> -shift
    return _tflm._lib.tflm_tanh_curve(x)


def stepped(cell, values, power, clip, factor):
    """Return (cell state, hidden state without its zero point) after a step from *cell*."""
    total = scaled(values[FORGET] * cell, 14) + scaled(values[0] * values[CELL], 29 + power)
    state = clamp(clamp(total, -32768, 32767), -clip, clip)
    return state, multiply(hyperbolic(state, power) * values[OUTPUT], *factor)


def biases_of(rng):
    """Return a bias for each unit of a gate: half, its ends, near half, or any."""
    ends = LARGE, -LARGE, -LARGE
    return [
        rng.choice(
            (0, *ends, rng.randint(-700, 700), rng.randint(-700, 700), rng.randint(-9999, 9999))
        )
        for _ in range(UNITS)
    ]


@pytest.mark.parametrize("power", [-29, -28, -16, -15, -14, -12, -8, 2])
@pytest.mark.parametrize("clip", [32768, 32767, 900, 0])
def test_step_from_any_cell_state_rounds_as_tflm(power, clip):
    rng = random.Random(100 * power + clip)
    biases = [biases_of(rng) for _ in GATES]
    cells = [
        rng.choice((rng.randint(-32768, 32767), rng.randint(-9, 9), -32768, 32767, 16385))
        for _ in range(BATCHES * UNITS)
    ]
    factor, zero = (1 << 30 | rng.getrandbits(29), rng.randint(-24, -20)), rng.randint(-128, 127)
    words = [1, BATCHES, 1, UNITS, BATCHES, 1, 0, zero, power, clip, *factor] + [*ONE, *ONE] * 4
    values = [[curve(gate, bias) for bias in biases[gate]] for gate in GATES]
    wanted = [
        stepped(cell, [values[gate][i % UNITS] for gate in GATES], power, clip, factor)
        for i, cell in enumerate(cells)
    ]
    weights = [bytes(UNITS)] * 4 + [bytes(UNITS * UNITS)] * 4
    inputs = [bytes(BATCHES), *weights, *(struct.pack(f"<{UNITS}i", *row) for row in biases)]
    hidden = bytes(clamp(shown + zero, -128, 127) & 0xFF for _, shown in wanted)
    outputs = [bytes(len(cells)), struct.pack(f"<{len(cells)}h", *cells), bytes(len(cells))]
    call = Call("lstm_s8", struct.pack(f"<{len(words)}i", *words), inputs, outputs)
    made = call.run(run_nodes)
    assert struct.unpack(f"<{len(cells)}h", made[1]) == tuple(state for state, _ in wanted)
    assert made[0] == made[2] == hidden


DEPTH, STEPS, ROWS = 5, 2, 3  # of the input: values, steps, batches


def gate_of(gate, row, weights, hidden, recurrent, bias, offsets, factors):
    """Return the value of *gate* for one unit, from its rows of weights."""
    total = bias + sum(w * (x + offsets[0]) for w, x in zip(weights, row, strict=True))
    state = sum(w * (h - offsets[1]) for w, h in zip(recurrent, hidden, strict=True))
    first, second = (
        clamp(multiply(value, *factor), -32768, 32767)
        for value, factor in ((total, factors[:2]), (state, factors[2:]))
    )
    return curve(gate, first + second)


@pytest.mark.parametrize("seed", range(3))
def test_steps_use_the_weights_and_factors_of_each_gate(seed):
    rng = random.Random(seed)

    def small(count):
        return [rng.randint(-127, 127) for _ in range(count)]

    weights = [[small(DEPTH) for _ in range(UNITS)] for _ in GATES]
    recurrent = [[small(UNITS) for _ in range(UNITS)] for _ in GATES]
    biases = [[rng.randint(-3000, 3000) for _ in range(UNITS)] for _ in GATES]
    factors = [
        [1 << 30 | rng.getrandbits(29), rng.randint(-5, -2)]
        + [1 << 30 | rng.getrandbits(29), rng.randint(-8, -5)]
        for _ in GATES
    ]
    rows = [small(DEPTH) for _ in range(STEPS * ROWS)]  # step t of batch b: row t + 2 * b
    hidden, cells = small(ROWS * UNITS), [rng.randint(-9000, 9000) for _ in range(ROWS * UNITS)]
    offset, zero, factor = rng.randint(-127, 128), rng.randint(-9, 9), (1 << 30, -22)
    words = [STEPS, ROWS, DEPTH, UNITS, 1, STEPS, offset, zero, -12, 32767, *factor]
    words += sum(factors, [])
    packed = [bytes(w & 0xFF for row in gate for w in row) for gate in weights + recurrent]
    inputs = [bytes(x & 0xFF for row in rows for x in row), *packed]
    inputs += [struct.pack(f"<{UNITS}i", *row) for row in biases]
    outputs = [
        bytes(h & 0xFF for h in hidden),
        struct.pack(f"<{len(cells)}h", *cells),
        bytes(STEPS * ROWS * UNITS),
    ]
    made = Call("lstm_s8", struct.pack(f"<{len(words)}i", *words), inputs, outputs).run(run_nodes)
    wanted = []
    for b in range(ROWS):
        state, cell = (held[b * UNITS : (b + 1) * UNITS] for held in (hidden, cells))
        for t in range(STEPS):
            values = [
                [
                    gate_of(
                        gate,
                        rows[t + b * STEPS],
                        weights[gate][i],
                        state,
                        recurrent[gate][i],
                        biases[gate][i],
                        (offset, zero),
                        factors[gate],
                    )
                    for gate in GATES
                ]
                for i in range(UNITS)
            ]
            found = [stepped(c, v, -12, 32767, factor) for c, v in zip(cell, values, strict=True)]
            cell = [one for one, _ in found]
            state = [clamp(shown + zero, -128, 127) for _, shown in found]
            wanted += state
    assert list(made[2]) == [one & 0xFF for one in wanted]
    assert len(set(wanted)) > 20
