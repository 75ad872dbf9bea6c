"""Models edited as what they are: mutant(n) of a corpus is always the same bytes.

A whole model is unpacked by FlatBuffers' object API, a few of its parts are changed, and it is
packed again. TURNS mutants come of each such draft: the draft itself, and others with some of its
bytes edited in place (packed_places.py), which can do what the object API cannot: two offsets to
one vector, wrong lengths, odd vtables.
"""

import random
from functools import lru_cache

import flatbuffers
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

from cases import OPS
from support.fuzz import structured_edits
from support.fuzz.packed_places import edit, places
from support.nets.memory_graphs import graph
from support.nets.one_op_models import case
from support.nets.sparse_networks import network

TURNS = 8
ONE_OP_MODELS = 4 * len(OPS)
NETS = 40
LARGE = 60_000  # bytes; larger models are drawn less often
SMALL = 2500  # bytes of a file that is cut at every byte
IDENTIFIER = b"TFL3"


class StructuredCorpus:
    """Valid models to edit, [(name, bytes)]; one that is large counts for a tenth."""

    def __init__(self, models):
        self.models = [(name, data) for name, data in models if unpack(data) is not None]
        self._weights = [0.1 if len(data) > LARGE else 1.0 for _, data in self.models]
        self._draft = lru_cache(2)(self._make_draft)

    def mutant(self, number):
        """Return (name, bytes) of mutant *number*."""
        name, data, found = self._draft(number // TURNS)
        if number % TURNS == 0:
            return f"{number}-{name}", data
        what, data = edit(random.Random(f"turn {number}"), data, found)
        return f"{number}-{name}-{what}", data

    def _make_draft(self, number):
        """Return (name, bytes, Places) of draft *number*."""
        rng = random.Random(f"draft {number}")
        name, data = rng.choices(self.models, self._weights)[0]
        model = unpack(data)
        edits = []
        for _ in range(rng.choice((0, 1, 1, 1, 1, 2, 3))):
            change = rng.choice(structured_edits.EDITS)
            change(rng, model, self)
            edits.append(change.__name__)
        packed = pack(model)
        if packed is None:  # a value that its field cannot hold
            return f"{name}-unpacked", data, places(data)
        return "-".join([name, *edits]), packed, places(packed)

    def donor(self, rng):
        """Return some model of the corpus, not a large one, unpacked."""
        name, data = rng.choice(self.models)
        while len(data) > LARGE:
            name, data = rng.choice(self.models)
        return unpack(data)

    def cuts(self):
        """Yield (name, bytes) of every small model, cut at every byte."""
        for name, data in self.models:
            if len(data) <= SMALL:
                for end in range(len(data)):
                    yield f"{name}-cut-{end}", data[:end]


def unpack(data):
    """Return the schema's ModelT of *data*, None where it cannot be read."""
    try:
        return schema.ModelT.InitFromPackedBuf(data, 0)
    except Exception:  # the generated reader checks nothing and raises anything
        return None


def pack(model):
    """Return the bytes of the ModelT *model*, None where a field cannot hold its value."""
    builder = flatbuffers.Builder(1024)
    try:
        builder.Finish(model.Pack(builder), IDENTIFIER)
    except Exception:  # it raises what numpy, struct and flatbuffers raise
        return None
    return bytes(builder.Output())


def corpus_of(*folders):
    """Return the corpus of the models in *folders*, random one-op models and random networks."""
    models = []
    for folder in folders:
        for path in sorted(folder.rglob("*.tflite")):
            models.append((path.stem[-40:], path.read_bytes()))
    models += [(c.name, c.model) for c in map(case, range(ONE_OP_MODELS))]
    models += [(f"network{i}", network(i)[0]) for i in range(NETS)]
    models += [(f"graph{i}", graph(i)) for i in range(NETS)]
    return StructuredCorpus(models)
