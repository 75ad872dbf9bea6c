"""Small nets of Keras 3 on boards: outputs of LiteRT or TFLM, and the arena of this machine."""

import numpy as np
import pytest

from support.nets.keras_files import LINES, data_of, drawn, is_right, runnable
from tflm import Interpreter
from tflm_host.prepare import prepare
from tflm_host.targets.isa import core_of
from tflm_host.targets.run import Job, run_jobs

NAMES = [name for name, kind, *_ in LINES if kind != "refused"]


@pytest.fixture(scope="module")
def models(shared):
    return {name: runnable(data_of(shared, name)) for name in NAMES}


@pytest.mark.parametrize("target", ["unix", "MPS2_AN386", "M0PLUS"])
def test_every_file_gives_the_stored_outputs_plain_and_prepared(target, models):
    interpreters = [Interpreter(model) for model in models.values()]
    fed = [inputs_of(interp) for interp in interpreters]
    isa = core_of(target).isa
    plain = [Job(name, model, x) for (name, model), x in zip(models.items(), fed, strict=True)]
    quick = [
        Job("prepared." + job.name, prepare(job.model, isa), job.inputs, prepared=True)
        for job in plain
    ]
    results = run_jobs(target, plain + quick)
    assert [result.error for result in results] == [None] * len(results)
    assert [r.arena_used_bytes for r in results[: len(plain)]] == [
        interp.arena_used_bytes() for interp in interpreters
    ]
    for name, interp, first, second in zip(
        NAMES, interpreters, results, results[len(plain) :], strict=False
    ):
        assert (name, first.outputs) == (name, second.outputs)
        kinds = [tensor.dtype for tensor in interp.outputs]
        assert is_right(name, [np.frombuffer(o, k) for o, k in pairs(first.outputs, kinds)]), name


def inputs_of(interp):
    """Return the bytes of the inputs of each run."""
    kinds = [(np.dtype(tensor.dtype), tensor.shape) for tensor in interp.inputs]
    return [[value.tobytes() for value in values] for values in drawn(kinds)]


def pairs(outputs, kinds):
    """Return (bytes, type) of each output of each run."""
    return [pair for run in outputs for pair in zip(run, kinds, strict=True)]
