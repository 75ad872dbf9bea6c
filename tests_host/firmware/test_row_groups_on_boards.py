"""Fused layers on boards: the same bytes and arena, and Ctrl-C in between.

TFLM_CHAINS is how many random chains each board runs.
"""

import os

import pytest

from support.nets.row_groups import answers, chain, fused
from tflm import Interpreter, Model
from tflm_host.certify.scripts import exec_with_ctrl_c
from tflm_host.targets.isa import isa_of
from tflm_host.targets.open_target import open_target
from tflm_host.targets.run import Job, run_jobs

CHAINS = int(os.environ.get("TFLM_CHAINS", "24"))
TARGETS = ("unix", "MPS2_AN386", "M0PLUS", "MPS3_AN547")
CALLS = 50  # of a group that is interrupted: polls come between some
PRESSED = 4  # how often

# Runs on the board: Ctrl-C comes somewhere in run after run, until it came in the group's node.
INTERRUPTED = """
import tflm
def interrupted(path, fed):
    interp = tflm.Interpreter(path, prepared=True)
    print("press Ctrl-C")
    try:
        while True:
            interp.inputs[0].data[:] = fed
            interp.invoke()
    except KeyboardInterrupt:
        pass
    where = interp.graph.current_operator
    interp.inputs[0].data[:] = fed
    interp.invoke()
    print(where, bytes(interp.outputs[0].data).hex())
"""


@pytest.mark.firmware
@pytest.mark.parametrize("target", TARGETS)
def test_random_chains_by_rows_give_the_same_bytes_and_need_the_same_arena(target):
    jobs, expected = [], []
    for seed in range(CHAINS):
        model, inputs = chain(seed)
        by_rows, _ = fused(model, isa_of(target), seed, whole=seed % 3 == 0)
        jobs.append(Job(f"c{seed}", by_rows, inputs, lock=True, probe=True, prepared=True))
        expected.append(answers(model, inputs))
    for job, result, want in zip(jobs, run_jobs(target, jobs), expected, strict=True):
        assert result.error is None, (job.name, result.error)
        assert result.outputs == want, job.name
        need = Interpreter(job.model, measure=True, prepared=True).arena_used_bytes()
        assert (result.arena_used_bytes, result.exact) == (need, need), job.name
        assert result.short == [need, need - 16, 16]


def long_group(isa):
    """Return (unprepared model, file with one group that takes nearly all of the time, inputs)."""
    seed = 0
    while True:
        model, inputs = chain(seed)
        by_rows, groups = fused(model, isa, seed, whole=True)
        count = Model(model).subgraphs[0].operator_count
        lengths = [(len(group.members), sum(group.calls)) for group in groups]
        if len(groups) == 1 and lengths[0][0] == count and lengths[0][1] > CALLS:
            return model, by_rows, inputs, groups[0]
        seed += 1


@pytest.mark.firmware
@pytest.mark.parametrize("target", ["MPS2_AN386", "M0PLUS"])
def test_ctrl_c_between_rows_leaves_an_interpreter_that_runs_again(target):
    model, by_rows, inputs, group = long_group(isa_of(target))
    want = answers(model, inputs[:1])[0][0].hex()
    where = set()
    with open_target(target, models=[("g.tflite", by_rows)]) as device:
        device.exec(INTERRUPTED)
        call = f"interrupted({device.source('g.tflite')}, {inputs[0][0]!r})"
        for _ in range(PRESSED):
            lines = exec_with_ctrl_c(device, call).split()
            where.add(int(lines[-2]))
            assert lines[-1] == want
    assert group.last in where
