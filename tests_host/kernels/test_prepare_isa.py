"""Prepared models with the kernels of each ISA: on this machine, under sanitizers, on boards."""

import os
import subprocess
import sys
from zlib import crc32

import pytest

from runtime.test_mutated_models import BATCH, run_batch
from support.expected.exact import mismatches, zoo_cases
from support.fuzz.mutations import Corpus
from support.native.each_isa import with_each_isa
from tflm import Interpreter
from tflm_host.measure.bench import measure
from tflm_host.model import native
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.boards import load_board
from tflm_host.targets.isa import isa_of
from tflm_host.targets.run import run_jobs
from tools import test_prepare
from tools.test_prepare import pair  # noqa: F401 - a fixture

TARGETS = ("unix", "MPS2_AN386", "MPS3_AN547", "M0PLUS", "MICROBIT")
PYTHON_HEAP = 20 * 1024  # bytes that a board needs besides arena and model
MUTANTS = 1000
FLIPPED = (  # what runs with sanitizers
    test_prepare.test_any_flipped_bit_of_the_snapshot_is_found,
    test_prepare.test_check_finds_a_flipped_bit_anywhere_and_loading_need_not,
    test_prepare.test_flipped_bits_anywhere_never_crash,
)
SMALL = 64 * 1024  # a board with less heap tries no second arena


test_one_op_models = with_each_isa(test_prepare.test_prepared_one_op_random_models_same_bytes)
test_more_one_op_models = pytest.mark.long(
    with_each_isa(test_prepare.test_more_prepared_one_op_random_models_same_bytes)
)
test_zoo_models = with_each_isa(
    test_prepare.test_prepared_zoo_model_same_bytes_in_an_arena_of_the_plan_alone
)
test_networks = with_each_isa(
    test_prepare.test_prepared_random_networks_same_bytes_and_many_channels_go
)
test_not_aligned = with_each_isa(
    test_prepare.test_prepared_model_not_aligned_in_memory_runs_as_an_ordinary_one
)


@pytest.mark.slow
def test_broken_prepared_models_with_sanitizers_report_nothing():
    try:
        preload = native.sanitizer_runtime()
    except native.BuildError as error:
        pytest.skip(str(error))
    checked = {"TFLM_CHECKED": "1", "LD_PRELOAD": preload, "ASAN_OPTIONS": "detect_leaks=0"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += [f"{test_prepare.__file__}::{test.__name__}" for test in FLIPPED]
    done = subprocess.run(
        command,
        env={**os.environ, **checked},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    assert "3 passed" in done.stdout


@pytest.mark.firmware
def test_mutated_prepared_models_on_unix_with_sanitizers_no_report():
    paths = sorted((ROOT / "models").glob("*.tflite"))
    corpus = Corpus([(path.stem, prepare(path.read_bytes(), "portable")) for path in paths])
    outcomes = []
    for first in range(0, MUTANTS, BATCH):
        mutants = [corpus.mutant(seed) for seed in range(first, first + BATCH)]
        for (name, _), outcome in zip(mutants, run_batch(mutants), strict=True):
            assert len(outcome) == 1, (name, outcome)
            outcomes.append(outcome)
    assert outcomes.count("r") > MUTANTS // 10
    assert outcomes.count("m") > MUTANTS // 10


def fits(target, model, arena):
    if target == "unix":
        return True
    board = load_board(target)
    return len(model) + 4096 < board.romfs_size and arena + PYTHON_HEAP < board.heap_size


@pytest.mark.firmware
@pytest.mark.parametrize("target", TARGETS)
def test_prepared_zoo_models_bytes_equal_tflm_and_arena_equals_the_hosts(oracle, zoo, target):
    cases = []
    for judged in zoo_cases(oracle, zoo):
        model = prepare(judged.job.model, isa_of(target))
        if fits(target, model, Interpreter(model, measure=True, prepared=True).arena_used_bytes()):
            judged.job.model, judged.sum = model, crc32(model)
            judged.job.lock = True
            judged.job.probe = target == "unix" or load_board(target).heap_size > SMALL
            cases.append(judged)
    assert cases
    results = run_jobs(target, [judged.job for judged in cases])
    assert mismatches(cases, results) == []
    for judged, result in zip(cases, results, strict=True):
        need = Interpreter(judged.job.model, measure=True, prepared=True).arena_used_bytes()
        assert result.arena_used_bytes == need, judged.job.name
        if judged.job.probe:
            assert result.exact == need
            assert result.short == [need, need - 16, 16]


LOAD_INSTRUCTIONS = 500_000
LOAD_HEAP = 6 * 1024  # bytes besides arena and model


@pytest.mark.firmware
def test_prepared_person_detect_loads_in_half_a_million_instructions(zoo):
    model = prepare((zoo / "person_detect.tflite").read_bytes(), isa_of("MPS2_AN386"))
    cost = measure("MPS2_AN386", "person.tflite", model)
    assert cost.load <= LOAD_INSTRUCTIONS
    assert cost.heap <= LOAD_HEAP
