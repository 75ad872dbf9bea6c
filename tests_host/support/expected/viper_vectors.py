"""Random calls of every kernel, with the bytes that kernel_model says they must write.

`vectors(name, count, seed)` yields Vector; `shared_vectors(name, count)` draws them once for all
tests of a process. Kernels that viper_records does not know are called as random models of their
operator call them, and TFLM says what they write. `scripts(vectors)` turns them into MicroPython
code that runs each kernel found by tflm.kernels, integer ones under heap_lock().
"""

import base64
import random
import struct
from functools import lru_cache
from itertools import islice
from types import SimpleNamespace

from support.draw import viper_records
from support.expected.drawn_calls import drawn_calls
from support.reference import kernel_model, kernel_model_curves
from tflm.ops.collect import rows

SHARED = 200  # calls of a kernel that several tests run

_PRELUDE = """
import micropython
from binascii import a2b_base64
from tflm.kernels import find

def place(data, shift):
    if not data:
        return b""
    room = bytearray(len(data) + shift)
    room[shift:] = data
    return memoryview(room)[shift:]

def run(label, name, locked, record, inputs, outputs):
    args = [place(a2b_base64(record), 0)]
    for data, shift in inputs:
        if type(data) is tuple:
            args.append(tuple([place(a2b_base64(d), shift) for d in data]))
        else:
            args.append(place(a2b_base64(data), shift))
    rooms = []
    for data, expected, shift in outputs:
        data = a2b_base64(data)
        room = bytearray(b"\\xa5" * (len(data) + 32))
        room[16 + shift : 16 + shift + len(data)] = data
        rooms.append(room)
        args.append(memoryview(room)[16 + shift : 16 + shift + len(data)])
    written = args[len(args) - len(outputs) :]
    if name == "share":  # takes its outputs as a tuple
        args = args[:2] + [tuple(written)]
    kernel = find(name)
    # kernel(*args) would allocate.
    call = eval("lambda k, a: k(%s)" % ",".join("a[%d]" % i for i in range(len(args))))
    if locked:
        micropython.heap_lock()
    try:
        call(kernel, args)
    finally:
        if locked:
            micropython.heap_unlock()
    for k, (data, expected, shift) in enumerate(outputs):
        room, got = rooms[k], bytes(written[k])
        end = 16 + shift + len(got)
        if room[: 16 + shift] != b"\\xa5" * (16 + shift) or room[end:] != b"\\xa5" * (16 - shift):
            print("DIFFERENT", label, "wrote outside output", k)
        if expected is not None and got != a2b_base64(expected):
            print("DIFFERENT", label, k, list(got[:24]), list(a2b_base64(expected)[:24]))
"""


class Vector:
    """A call: operator parameters, input bytes (a tuple for "..."), (initial, expected)."""

    def __init__(self, name, record, inputs, states, shift):
        fields = rows().kernel(name).fields
        namespace = SimpleNamespace(**record)
        words = [word for f in fields for word in _listed(record[f.replace("[]", "")])]
        # The model calls every array `dims`.
        namespace.dims = record.get("dims", record.get("sizes"))
        model = getattr(kernel_model, name, None) or getattr(kernel_model_curves, name)
        expected = model(namespace, *inputs, *states)
        self.name = name
        self.record = struct.pack(f"<{len(words)}i", *words)
        self.inputs = inputs
        self.outputs = self._outputs(namespace, states, expected)
        self.shift = shift

    def _outputs(self, p, states, expected):
        if "conv_2d" in self.name:
            taps = p.filter_height * p.filter_width * getattr(p, "filter_depth", 0)
            scratch = bytes(4 * (taps + 3 & -4) + 16 * p.output_depth)
            return [(bytes(len(expected[0])), expected[0]), (scratch, None)]
        if not self.name.startswith("svdf"):
            return [(bytes(len(expected[0])), expected[0])]
        state, output = expected[:2]
        scratch = bytes(4 * p.batches * p.filters)
        sums = bytes(4 * p.batches * p.filters // p.rank)
        return [(states[0], state), (bytes(len(output)), output), (scratch, None), (sums, None)]

    def source(self, label):
        """The call of run() for this vector; `raw` arguments are misaligned by self.shift."""
        raw = self._raw_arguments()
        inputs = [(_encoded(a), self.shift if raw[i] else 0) for i, a in enumerate(self.inputs)]
        outputs = [
            (_encoded(data), expected and _encoded(expected), self.shift if raw[-1] else 0)
            for data, expected in self.outputs
        ]
        locked = "f32" not in self.name
        return (
            f"run({label!r},{self.name!r},{locked},{_encoded(self.record)},{inputs},{outputs})\n"
        )

    def _raw_arguments(self):
        arguments = rows().kernel(self.name).arguments
        return [a.strip().startswith("raw") for a in arguments.replace("->", ",").split(",")]


class DrawnVector(Vector):
    """One call of drawn_calls."""

    def __init__(self, name, words, inputs, outputs, shift):
        self.name = name
        self.record = struct.pack(f"<{len(words)}i", *words)
        self.inputs = inputs
        self.outputs = outputs
        self.shift = shift


class _Literal(str):
    """Text that stands for itself in generated source."""

    __repr__ = str.__str__


def _encoded(data):
    if isinstance(data, tuple):
        return _Literal("(" + "".join(_encoded(d) + "," for d in data) + ")")
    return _Literal(repr(base64.b64encode(data)))


def _listed(value):
    return value if isinstance(value, list) else [value]


def vectors(name, count, seed):
    """Yield *count* random calls of kernel *name*."""
    rng = random.Random(f"{name} {seed}")
    make = getattr(viper_records, name, None)
    if make is None:
        for words, inputs, outputs in drawn_calls(name, count, rng):
            yield DrawnVector(name, words, inputs, outputs, rng.randrange(4))
        return
    for _ in range(count):
        record, inputs, states = make(rng)
        yield Vector(name, record, inputs, states, rng.randrange(4))


def shared_vectors(name, count):
    """Return the first *count* of SHARED calls of kernel *name*; a process draws each once."""
    drawn, rest = _drawn_of(name)
    drawn += islice(rest, max(count - len(drawn), 0))
    if len(drawn) < count:
        raise LookupError(f"{count} calls of {name}, {len(drawn)} are there")
    return drawn[:count]


@lru_cache(maxsize=2)
def _drawn_of(name):
    return [], vectors(name, SHARED, seed=2)


def scripts(labelled, size=20000):
    """Yield MicroPython sources, *size* bytes or more each, that run (label, vector) pairs.

    Each prints what differs, then "DONE".
    """
    source = _PRELUDE
    for label, vector in labelled:
        source += vector.source(f"{vector.name} {label}")
        if len(source) > size:
            yield source + 'print("DONE")\n'
            source = _PRELUDE
    yield source + 'print("DONE")\n'
