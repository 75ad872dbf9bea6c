"""What the generators of random models draw: scales, zero points, shapes and tensor bytes."""

import struct
from dataclasses import dataclass
from functools import partial
from math import prod

from support.models.model_builder import ACTIVATIONS, TYPE_SIZES, ModelBuilder, Quant

RANK_LIMIT = 4


def f32(value):
    """Return *value* as float32 rounds it."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def pack(code, values):
    return struct.pack(f"<{len(values)}{code}", *values)


@dataclass
class Draw:
    """Random choices of one case, all from one seeded generator."""

    rng: object
    make_builder: type = ModelBuilder

    def odds(self, share):
        return self.rng.random() < share

    def size(self, low, high):
        return self.rng.randint(low, high)

    def shape(self, rank=None, limit=9):
        rank = self.size(1, RANK_LIMIT) if rank is None else rank
        return [self.size(1, limit) for _ in range(rank)]

    def scale(self, low=0.002, high=0.5):
        """Log-uniform, as float32."""
        return f32(low * (high / low) ** self.rng.random())

    def zero_point(self):
        return self.rng.choice((0, -128, 127, self.size(-128, 127), self.size(-20, 20)))

    def quant(self):
        return Quant(self.scale(), self.zero_point())

    def quant_of(self, dtype):
        """Return what converters give a tensor of *dtype*, None where that is nothing."""
        if dtype in ("INT8", "INT16"):
            return self.quant() if dtype == "INT8" else Quant(self.scale())
        return None

    def activation(self):
        return ACTIVATIONS[self.rng.choice(("NONE", "NONE", *ACTIVATIONS))]

    def spread(self):
        """Factor on an ideal output scale: mostly near 1, at times absurd."""
        if self.odds(0.1):
            return self.rng.choice((1e-3, 1e-2, 50.0, 1e4))
        return self.rng.uniform(0.3, 3)

    def int8(self, count):
        kind = self.rng.random()
        if kind < 0.1:  # one in ten is extremes only
            return bytes(self.rng.choices((0x80, 0x7F), k=count))
        return self.rng.randbytes(count)

    def weights(self, count):
        """int8 from -127 up, as converters write them."""
        return bytes(self.rng.randint(-127, 127) & 0xFF for _ in range(count))

    def weights_of(self, dtype, count):
        """int8 weights, or int4 ones: two a byte."""
        return self.weights(count) if dtype == "INT8" else self.rng.randbytes((count + 1) // 2)

    def bools(self, count):
        likely = self.rng.choice((0.1, 0.5, 0.9))
        return bytes(self.rng.random() < likely for _ in range(count))

    def int16(self, count):
        if self.odds(0.1):
            return pack("h", self.rng.choices((-32768, 32767), k=count))
        return pack("h", [self.rng.randint(-32768, 32767) for _ in range(count)])

    def int32(self, count, limit):
        return pack("i", [self.rng.randint(-limit, limit) for _ in range(count)])

    def float32(self, count, limit=4.0):
        return pack("f", [self.rng.uniform(-limit, limit) for _ in range(count)])

    def bytes_of(self, dtype, count):
        """Return the bytes of *count* random elements."""
        makers = {
            "INT8": self.int8,
            "UINT8": self.int8,
            "INT16": self.int16,
            "FLOAT32": self.float32,
            "BOOL": self.bools,
        }
        if dtype in makers:
            return makers[dtype](count)
        return self.rng.randbytes(count * TYPE_SIZES[dtype])


class OneOp:
    """A model under construction and the makers of its inputs."""

    def __init__(self, draw):
        self.draw = draw
        self.builder = draw.make_builder()
        self.inputs = []
        self.makers = []

    def input(self, shape, quant, dtype="INT8"):
        """Add a graph input of random contents."""
        tensor = self.builder.tensor(shape, dtype, quant)
        self.inputs.append(tensor)
        self.makers.append(partial(self.draw.bytes_of, dtype, prod(shape)))
        return tensor

    def const(self, shape, dtype, data, quant=None):
        return self.builder.tensor(shape, dtype, quant, data)

    def ints(self, values, shape=None, dtype="INT32", make=None):  # noqa: ARG002
        """Add constant *values*; make() returns others, which would do as well."""
        code = {"INT32": "i", "INT64": "q"}[dtype]
        return self.const(shape or [len(values)], dtype, pack(code, values))

    def finish(self, op, inputs, output, **options):
        """Add the operator; *output* is (shape, quant, dtype). Return model and input makers."""
        shape, quant, dtype = output
        out = self.builder.tensor(shape, dtype, quant)
        self.builder.op(op, inputs, [out], **options)
        return self.builder.build(self.inputs, [out]), self.makers


class Computed(OneOp):
    """A model whose axes, paddings and the like are an input, drawn again for each invoke."""

    def ints(self, values, shape=None, dtype="INT32", make=None):
        code = {"INT32": "i", "INT64": "q"}[dtype]
        tensor = self.input(shape or [len(values)], None, dtype)
        self.makers[-1] = lambda: pack(code, make() if make else values)
        return tensor
