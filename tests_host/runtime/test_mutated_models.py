"""Broken and wrong models are refused with tflm's own errors, quickly, and never crash.

TFLM_FUZZ_FIRST and TFLM_FUZZ_COUNT choose other mutants than the first ones: `make fuzz`.
"""

import os
import time
from collections import Counter

import pytest

from support.fuzz.mutations import corpus_of
from support.fuzz.wrong_models import wrong_model
from tflm import ArenaError, Interpreter, ModelError
from tflm_host.places import ROOT
from tflm_host.targets.open_target import open_target

FIRST = int(os.environ.get("TFLM_FUZZ_FIRST", "0"))
HOST_COUNT = int(os.environ.get("TFLM_FUZZ_COUNT", "20000"))
SANITIZED_COUNT = HOST_COUNT // 10
BATCH = 100
SLOWEST_S = 2.0
ARENA_BYTES = (
    128 * 1024
)  # every valid model of the corpus fits, and a monster does not run for hours

# Runs on the sanitized MicroPython; the result is one letter a model.
DRIVER = """
import tflm
def attempt(path):
    try:
        interp = tflm.Interpreter(path, arena)
        interp.invoke()
        return "r"
    except tflm.ModelError:
        return "m"
    except tflm.ArenaError:
        return "a"
    except Exception as error:
        return "%s %s" % (type(error).__name__, error)
"""


@pytest.fixture(scope="module")
def corpus(zoo):
    return corpus_of(zoo, ROOT / "models")


def attempt(model, arena):
    """Return the name of the error that *model* raised, or "allocated"."""
    try:
        Interpreter(model, arena)
    except ModelError:
        return "ModelError"
    except ArenaError:
        return "ArenaError"
    return "allocated"


def check_on_host(make):
    """Load and allocate HOST_COUNT models, (name, bytes) from *make*; return the outcomes."""
    arena = bytearray(ARENA_BYTES)
    outcomes, failures, slowest = Counter(), [], (0.0, "")
    for seed in range(FIRST, FIRST + HOST_COUNT):
        name, model = make(seed)
        loaded = bytearray(model)
        start = time.perf_counter()
        try:
            outcomes[attempt(loaded, arena)] += 1
        except Exception as error:  # which one it is, is the question
            failures.append(f"{name}: {type(error).__name__}: {error}")
        slowest = max(slowest, (time.perf_counter() - start, name))
        if loaded != model:
            failures.append(f"{name}: the model has changed")
    assert failures == []
    assert slowest[0] < SLOWEST_S, slowest
    # The models are worth something only if many are broken and many are not.
    assert outcomes["ModelError"] > HOST_COUNT // 10
    assert outcomes["allocated"] > HOST_COUNT // 10


@pytest.mark.slow
def test_mutated_models_load_and_allocate_raise_only_tflm_errors_in_time(corpus):
    check_on_host(corpus.mutant)


@pytest.mark.slow
def test_wrong_models_load_and_allocate_raise_only_tflm_errors_in_time():
    check_on_host(wrong_model)


def run_batch(mutants):
    """Return the outcome of each of *mutants* on the sanitized MicroPython."""
    files = [(f"{i}.tflite", model) for i, (_, model) in enumerate(mutants)]
    with open_target("unix-asan", models=files, heap="64m") as target:
        target.exec(f"arena = bytearray({ARENA_BYTES})" + DRIVER)
        return [target.exec(f"print(attempt({target.path(name)!r}))").strip() for name, _ in files]


def check_sanitized(make):
    """Load and invoke SANITIZED_COUNT models under the sanitizers."""
    outcomes, failures = Counter(), []
    for first in range(FIRST, FIRST + SANITIZED_COUNT, BATCH):
        count = min(BATCH, FIRST + SANITIZED_COUNT - first)
        mutants = [make(seed) for seed in range(first, first + count)]
        for (name, _), outcome in zip(mutants, run_batch(mutants), strict=True):
            outcomes[outcome[:1]] += 1
            if len(outcome) > 1:
                failures.append(f"{name}: {outcome}")
    assert failures == []
    assert outcomes["r"] > SANITIZED_COUNT // 10


@pytest.mark.firmware
def test_mutated_models_invoke_under_sanitizers_no_report(corpus):
    check_sanitized(corpus.mutant)


@pytest.mark.firmware
def test_wrong_models_invoke_under_sanitizers_no_report():
    check_sanitized(wrong_model)
