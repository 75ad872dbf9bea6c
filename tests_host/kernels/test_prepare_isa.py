"""Prepared models with the kernels of each ISA: on this machine, under sanitizers, on boards."""

import os
import subprocess
import sys
from zlib import crc32

import pytest

from kernels.test_kernels_isa import ISAS, passed_with_isa
from runtime.test_mutated_models import BATCH, run_batch
from support.exact import mismatches, zoo_cases
from support.mutations import Corpus
from tflm import Interpreter
from tflm_host.measure.bench import measure
from tflm_host.model import native
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.boards import load_board
from tflm_host.targets.isa import isa_of
from tflm_host.targets.run import run_jobs

TARGETS = ("unix", "MPS2_AN386", "MPS3_AN547", "M0PLUS", "MICROBIT")
PYTHON_HEAP = 20 * 1024  # bytes that a board needs besides arena and model
MUTANTS = 1000
SMALL = 64 * 1024  # a board with less heap tries no second arena


@pytest.mark.slow
@pytest.mark.parametrize("isa", ISAS)
def test_prepared_models_pass_with_the_kernels_of(isa):
    assert (
        passed_with_isa(isa, "tests_host/tools/test_prepare.py", "same_bytes or not_aligned") > 0
    )


def test_broken_prepared_models_with_sanitizers_report_nothing():
    try:
        preload = native.sanitizer_runtime()
    except native.BuildError as error:
        pytest.skip(str(error))
    checked = {"TFLM_CHECKED": "1", "LD_PRELOAD": preload, "ASAN_OPTIONS": "detect_leaks=0"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += [str(ROOT / "tests_host/tools/test_prepare.py"), "-k", "flipped"]
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
        if fits(target, model, Interpreter(model, measure=True).arena_used_bytes()):
            judged.job.model, judged.sum = model, crc32(model)
            judged.job.lock = True
            judged.job.probe = target == "unix" or load_board(target).heap_size > SMALL
            cases.append(judged)
    assert cases
    results = run_jobs(target, [judged.job for judged in cases])
    assert mismatches(cases, results) == []
    for judged, result in zip(cases, results, strict=True):
        need = Interpreter(judged.job.model, measure=True).arena_used_bytes()
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
