"""The models of a certificate: all models of models/, and one as large as person_detect.

Inputs and outputs of the models in models/ are stored in their JSON files. The large one is made
here, the same bytes on each machine; large.json has its checksum and TFLM's outputs.
"""

import json
from dataclasses import dataclass
from hashlib import sha256, shake_256

import numpy as np

from ..measure.mobilenet import mobilenet_v1
from ..places import MODELS, PACKAGE

LARGE = "mobilenet_96"
LARGE_JSON = PACKAGE / "certify" / "large.json"
WIDTH, SIZE, CLASSES = 0.25, 96, 16  # the network of person_detect, with more classes
LARGE_INPUTS = 3
INPUTS = ".in"  # after the model's file name: the file with its inputs


@dataclass
class Golden:
    """A model, its inputs one after the other, and the checksum of TFLM's outputs."""

    name: str
    model: bytes
    inputs: bytes
    count: int  # of inferences that inputs are for
    outputs: str  # sha256 of all outputs, one after the other

    @property
    def file(self):
        return self.name + ".tflite"

    @property
    def files(self):
        return [(self.file, self.model), (self.file + INPUTS, self.inputs)]


class Shaken:
    """Random numbers out of SHAKE-256: no version of numpy draws others."""

    def __init__(self, seed):
        self._seed, self._drawn = seed, 0

    def _words(self, count):
        self._drawn += 1
        digest = shake_256(b"%d %d" % (self._seed, self._drawn)).digest(4 * count)
        return np.frombuffer(digest, "<u4").astype(np.int64)

    def integers(self, low, high, shape, dtype):
        return (low + self._words(int(np.prod(shape))) % (high - low)).reshape(shape).astype(dtype)

    def uniform(self, low, high, count):
        return low + (high - low) * (self._words(count) / (1 << 32))


def small():
    """Return a Golden for each model of models/, the smallest first."""
    found = [_stored(json.loads(path.read_text()), path) for path in MODELS.glob("*.json")]
    return sorted(found, key=lambda golden: len(golden.model))


def _stored(facts, path):
    golden = facts["golden"]
    inputs, outputs = (bytes.fromhex(golden[key]) for key in ("inputs", "outputs"))
    model = path.with_suffix(".tflite").read_bytes()
    return Golden(path.stem, model, inputs, golden["count"], sha256(outputs).hexdigest())


def large():
    """Return the Golden of the model that is as large as person_detect.

    Raises ValueError where this machine makes another file than large.json names.
    """
    facts = json.loads(LARGE_JSON.read_text())
    made = drawn(facts["outputs_sha256"])
    if sha256(made.model).hexdigest() != facts["sha256"]:
        raise ValueError(f"{LARGE} is made of other bytes here: report this, with `tflm doctor`")
    return made


def drawn(outputs=""):
    """Return that Golden, with *outputs* as the checksum of its outputs."""
    model = mobilenet_v1(WIDTH, SIZE, CLASSES, Shaken(0))
    inputs = Shaken(1).integers(0, 256, LARGE_INPUTS * SIZE * SIZE, np.uint8).tobytes()
    return Golden(LARGE, model, inputs, LARGE_INPUTS, outputs)
