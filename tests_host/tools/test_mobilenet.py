"""The MobileNetV2 with random weights that `make arena` measures is one that TFLM runs."""

import numpy as np

import _tflm
from tflm import Interpreter, Model
from tflm_host.measure import ledger
from tflm_host.measure.arena_table import GENERATED, GOALS
from tflm_host.measure.mobilenet import mobilenet_v2
from tflm_host.prepare import prepare

WIDTH, SIZE = 0.35, 32


def test_small_one_gives_what_tflm_gives_plain_and_prepared(oracle):
    model = mobilenet_v2(WIDTH, SIZE)
    fed = np.random.default_rng(1).integers(-128, 128, SIZE * SIZE * 3, np.int8).tobytes()
    oracle.load(model)
    (want,) = oracle.invoke([fed])
    prepared = prepare(model, _tflm.isa)
    assert Model(prepared, prepared=True).snapshot.groups()
    for data in (model, prepared):
        interpreter = Interpreter(data, prepared=True)
        interpreter.inputs[0].data[:] = fed
        interpreter.invoke()
        assert bytes(interpreter.outputs[0].data) == bytes(want)


def test_those_of_the_table_meet_their_goals_row_by_row():
    goals = ledger.parse(GOALS.read_text(), ("model",))
    for name, make in GENERATED.items():
        arena = Model(prepare(make(), _tflm.isa), prepared=True).arena_required()
        assert arena <= goals[name,]["prepared"]
