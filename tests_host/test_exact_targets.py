"""Every MicroPython target gives TFLM's bytes, in the arena that the host predicts."""

import pytest
from exact import mismatches, one_op_cases, zoo_cases
from random_models import OPS

from tflm import Interpreter
from tflm_host.run import run_jobs

TARGETS = [
    ("unix", "c"),
    ("unix", "viper"),
    ("MPS2_AN386", "c"),
    ("MPS2_AN386", "viper"),
    ("MPS2_AN385", "c"),
    ("MICROBIT", "c"),
]
BOTH_BACKENDS = [("MPS2_AN386", "c"), ("MPS2_AN386", "viper")]
MODELS_PER_OP = 4  # of 28 kinds: 112 in all


@pytest.fixture(scope="module")
def whole_models(oracle, zoo):
    return zoo_cases(oracle, zoo)


@pytest.fixture(scope="module")
def one_op_models(oracle):
    return [judged for op in OPS for judged in one_op_cases(oracle, op, MODELS_PER_OP)]


def run_on(target, backend, cases, **options):
    for judged in cases:
        judged.job.backend = backend
        judged.job.lock = options.get("lock", False)
        judged.job.probe = options.get("probe", False)
    return run_jobs(target, [judged.job for judged in cases])


@pytest.mark.parametrize(("target", "backend"), TARGETS)
def test_zoo_models_bytes_and_arena_equal_tflm_and_host(whole_models, target, backend):
    # Every invoke runs under heap_lock: one that allocates raises MemoryError.
    results = run_on(target, backend, whole_models, lock=True, probe=True)
    assert mismatches(whole_models, results) == []
    for judged, result in zip(whole_models, results, strict=True):
        need = Interpreter(judged.job.model).arena_used_bytes()
        assert result.backend == backend
        assert result.arena_used_bytes == need, judged.job.name
        assert result.exact == need, judged.job.name
        assert result.short == [need, need - 16, 16], judged.job.name


@pytest.mark.parametrize(("target", "backend"), BOTH_BACKENDS)
def test_one_op_random_models_board_bytes_equal_tflm(one_op_models, target, backend):
    results = run_on(target, backend, one_op_models)
    assert mismatches(one_op_models, results) == []
