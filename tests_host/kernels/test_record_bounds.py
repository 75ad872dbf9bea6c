"""Forged operator parameters: C reads nothing outside of the arena and the model."""

import random
import struct

import pytest

from support.fuzz.fuzz_reader import RECORDS, run_inputs
from support.fuzz.guided import EDITS
from support.fuzz.record_seeds import input_of, of_models
from tflm.ops.collect import rows
from tflm_host.places import ROOT

COUNT = 20_000
REFS = 6
KERNELS = {kernel.name: kernel for kernel in rows().kernels}
RANKS = (0, 3, -1, -4, 5, 17, 0x2AAAAAAB, 0x55555556, 0x7FFFFFFF)  # three times some are little

MORE = (0, 2, 6)  # words of dimensions that are there


def node(name, more=0, **words):
    """Return the input with one node: 1 in all parameters but *words*, and *more* words of 1."""
    kernel = KERNELS[name]
    fields = [field for field in kernel.fields if not field.endswith("[]")]
    values = [words.pop(field, 1) for field in fields] + more * [1]
    assert not words
    refs = [0] * REFS
    record = struct.pack(f"<{REFS + len(values)}i", *refs, *values)
    return input_of(kernel.number, REFS, record)


def ranked(name, more, first, second=None):
    """Return the input whose last parameters, which count dimensions, are these; see node()."""
    kernel = KERNELS[name]
    fields = [field for field in kernel.fields if not field.endswith("[]")]
    last = {fields[-1]: first} if second is None else {fields[-2]: first, fields[-1]: second}
    return node(name, more, **last)


def test_rank_of_zero_divides_nothing():
    assert run_inputs(RECORDS, [node(name, rank=0) for name in KERNELS if "svdf" in name]) is None


@pytest.mark.parametrize("way", ["broadcast", "mean"])
def test_ranks_whose_words_would_wrap_around_are_read_nowhere(way):
    names = [kernel.name for kernel in KERNELS.values() if kernel.slices.split()[:1] == [way]]
    assert names
    if way == "mean":
        inputs = [ranked(n, w, a, b) for n in names for w in MORE for a in RANKS for b in RANKS]
    else:
        inputs = [ranked(n, w, a) for n in names for w in MORE for a in RANKS]
    assert run_inputs(RECORDS, inputs) is None


def test_changed_records_are_read_within_their_spaces():
    models = [path.read_bytes() for path in sorted((ROOT / "models").glob("*.tflite"))]
    seeds = of_models(models)
    rng = random.Random(25)
    inputs = []
    for _ in range(COUNT):
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.randint(1, 4)):
            rng.choice(EDITS)(rng, data, seeds)
        inputs.append(bytes(data[:4096]))
    assert run_inputs(RECORDS, inputs) is None
