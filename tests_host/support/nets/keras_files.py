"""The small nets of Keras 3 in shared/keras, their inputs, and what their outputs must be.

keras_golden.txt has a line for each file. ai-edge-litert need not be installed:

    exact N CRC   LiteRT's outputs are N bytes with this checksum
    near PART     they are in keras_near.npz, and ours differ by at most this part of the largest
    tflm N CRC    so for TFLM's outputs; LiteRT's kernels differ or lack an operator
    runs          neither has all operators in these types, or LiteRT rounds another way
    refused       the runtime lacks an operator, and `tflm convert` cannot help
"""

from pathlib import Path
from zlib import crc32

import numpy as np

from tflm import Interpreter
from tflm.base.errors import ModelError, UnsupportedOpError
from tflm_host.model.listed import updated
from tflm_host.model.rebuilt import rebuilt

REFERENCE = Path(__file__).parents[1] / "reference"
LINES = [line.split() for line in (REFERENCE / "keras_golden.txt").read_text().splitlines()]
SUMS = {name: rest for name, kind, *rest in LINES if kind in ("exact", "tflm")}
PARTS = {name: float(rest[0]) for name, kind, *rest in LINES if kind == "near"}
NEAR = np.load(REFERENCE / "keras_near.npz")  # by name: the outputs of all runs, one after another
RUNS = 3


def data_of(shared, name):
    return (shared / "keras" / f"{name}.tflite").read_bytes()


def values(kind, shape, rng):
    """Return drawn numbers for an input: few positions in int32 ones, which choose rows."""
    if kind == np.float32:
        return rng.uniform(-1.5, 1.5, shape).astype(kind)
    return rng.integers(0, 3, shape).astype(kind)


def drawn(details):
    """Yield the inputs of each run; *details* are (type, shape) of each."""
    for seed in range(RUNS):
        rng = np.random.default_rng(seed)
        yield [values(kind, shape, rng) for kind, shape in details]


def runnable(data):
    """Return *data* as it is, or as `tflm convert` writes it where it does not load."""
    try:
        Interpreter(data, measure=True)
    except (ModelError, UnsupportedOpError):
        return updated(rebuilt(data))
    return data


def summed(outputs):
    data = b"".join(output.tobytes() for output in outputs)
    return [str(len(data)), f"{crc32(data):08x}"]


def is_right(name, outputs):
    """Return whether the outputs of all runs are those of the file; true where none are known."""
    if name in PARTS:
        return _far(outputs, NEAR[name]) <= PARTS[name]
    return name not in SUMS or summed(outputs) == SUMS[name]


def _far(found, expected):
    """Return the largest difference as a part of the largest number, in the worst output."""
    parts = np.split(expected, np.cumsum([output.size for output in found])[:-1])
    pairs = list(zip(found, parts, strict=True))
    return max(np.abs(a - b).max() / np.abs(b).max() for a, b in pairs)
