"""A model with an open batch, on boards: the bytes and the arena of this machine."""

import random

import pytest

from support.models.open_models import dilated
from tflm import Interpreter
from tflm_host.prepare import prepare
from tflm_host.targets.isa import core_of
from tflm_host.targets.run import Job, run_jobs


def outputs(interp, fed):
    interp.inputs[0].data[:] = fed
    interp.invoke()
    return [bytes(tensor.data) for tensor in interp.outputs]


@pytest.mark.parametrize("target", ["unix", "MPS2_AN386", "M0PLUS"])
def test_open_model_on_a_board_has_the_bytes_and_arena_of_this_machine(target):
    right = Interpreter(dilated())
    need = right.arena_used_bytes()
    rng = random.Random(3)
    fed = [rng.randbytes(right.inputs[0].nbytes) for _ in range(3)]
    wanted = [outputs(right, data) for data in fed]
    inputs = [[data] for data in fed]
    prepared = prepare(dilated(is_open=True), core_of(target).isa)
    jobs = [
        Job("open.tflite", dilated(is_open=True), inputs, probe=True),
        Job("prepared.tflite", prepared, inputs, prepared=True),
    ]
    plain, quick = run_jobs(target, jobs)
    assert (plain.error, quick.error) == (None, None)
    assert (plain.arena_used_bytes, plain.exact) == (need, need)
    assert plain.short == [need, need - 16, 16]
    assert plain.outputs == quick.outputs == wanted
