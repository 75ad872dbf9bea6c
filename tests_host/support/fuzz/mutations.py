"""Broken models: mutant(i) of a corpus is always the same bytes.

Most of a model's bytes are weights, where any value is legal. So half of all edits go to the
structure: to the bytes that no buffer holds.
"""

import random
import struct

from support.nets.one_op_models import case
from tflm.model import Model

ONE_OP_MODELS = 50
INTERESTING = (0, 1, 2, 3, 4, 7, 16, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 0x10000000)
LARGE = 100_000  # bytes; larger models are drawn less often


class Corpus:
    """Valid models to break, [(name, bytes)]; a large one counts for a quarter."""

    def __init__(self, models):
        self._models = [(name, data, _structure(data)) for name, data in models]
        self._weights = [0.25 if len(data) > LARGE else 1.0 for _, data in models]

    def mutant(self, seed):
        """Return (name, bytes) of broken model number *seed*."""
        rng = random.Random(f"mutant {seed}")
        name, data, structure = rng.choices(self._models, self._weights)[0]
        data = bytearray(data)
        edit = rng.choice(
            (self._flip, self._flip, self._word, self._word, self._cut, self._splice)
        )
        for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
            edit(rng, data, structure)
        return f"{seed}-{name}-{edit.__name__.strip('_')}", bytes(data)

    def _place(self, rng, data, structure):
        if rng.random() < 0.5:  # half of them
            start, end = rng.choices(structure, [end - start for start, end in structure])[0]
            return min(rng.randrange(start, end), len(data) - 1)
        return rng.randrange(len(data))

    def _flip(self, rng, data, structure):
        if data:
            data[self._place(rng, data, structure)] ^= 1 << rng.randrange(8)

    def _word(self, rng, data, structure):
        if len(data) < 4:  # bytes of a word
            return
        place = min(self._place(rng, data, structure) & -4, len(data) - 4)
        value = rng.choice((*INTERESTING, len(data), rng.getrandbits(8), rng.getrandbits(32)))
        struct.pack_into("<I", data, place, value)

    def _cut(self, rng, data, structure):
        if data:
            del data[self._place(rng, data, structure) :]

    def _splice(self, rng, data, structure):
        """Put a piece of some model over, or in between, the bytes of this one."""
        if not data:
            return
        _, other, _ = rng.choice(self._models)
        length = rng.choice((1, 4, 16, 64, 1024))
        start = rng.randrange(len(other))
        place = self._place(rng, data, structure)
        replaced = rng.choice((0, length, length, 2 * length))
        data[place : place + replaced] = other[start : start + length]


def _structure(data):
    """Return the ranges (start, end) of *data* that no buffer of the model holds."""
    model = Model(data)
    tensors = (s.tensor(i) for s in model.subgraphs for i in range(s.tensor_count))
    held = sorted({(t.data, t.data + t.nbytes) for t in tensors if t.is_constant})
    ranges, start = [], 0
    for first, end in held:
        if first > start:
            ranges.append((start, first))
        start = max(start, end)
    if start < len(data):
        ranges.append((start, len(data)))
    return ranges


def corpus_of(*folders):
    """Return the Corpus of all models in *folders* that load, and of random one-op models."""
    models = []
    for folder in folders:
        for path in sorted(folder.glob("*.tflite")):
            models.append((path.stem, path.read_bytes()))
    models += [(c.name, c.model) for c in map(case, range(ONE_OP_MODELS))]
    return Corpus(models)
