"""Loading a convolution by the C that firmware has leaves the bytes that Python leaves.

The C is compiled here for CPython, and put in the place that it has in firmware.
"""

import struct
from array import array
from itertools import product
from math import prod

import pytest

import tflm
from runtime.test_reader_c import edits, with_vector_last, without_a_field
from support.models.model_builder import ModelBuilder, Quant
from support.native.reader_library import Reader
from support.nets.one_op_models import case_of
from tflm import schema
from tflm.file import flatbuffer
from tflm.model import Model
from tflm.ops import conv


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return Reader(tmp_path_factory.mktemp("reader"))


def loaded(data, arena_bytes):
    """Return the arena that loading *data* leaves, or the error."""
    arena = bytearray(arena_bytes)
    try:
        interp = tflm.Interpreter(data, arena)
    except ValueError as error:
        return str(error)
    return interp.arena_used_bytes(), bytes(arena)


def compare_loads(reader, monkeypatch, models, arena_bytes=1 << 14):
    """Compare what loading leaves with and without the C of convolutions; count the sound."""
    plain = [loaded(data, arena_bytes) for data in models]
    with monkeypatch.context() as patch:
        patch.setattr(conv, "convolution", reader.convolution)
        fast = [loaded(data, arena_bytes) for data in models]
    for a, b in zip(plain, fast, strict=True):
        assert a == b
    return sum(not isinstance(found, str) for found in plain)


@pytest.mark.parametrize("op", ["conv_2d", "depthwise_conv_2d", "conv_2d_s4", "conv_2d_deep"])
def test_convolutions_load_the_same(reader, monkeypatch, op):
    models = [case_of(op, seed).model for seed in range(60)]
    assert compare_loads(reader, monkeypatch, models) > 20


def _output_size(given, axis):
    size, kernel = given["size"][axis], given["kernel"][axis]
    span = 1 if given["padding"] == 0 else (kernel - 1) * given["dilation"][axis] + 1
    return -(-(size - span + 1) // given["stride"][axis])


def a_convolution(**changes):
    """Return a model of a small convolution with *changes*, sound or not."""
    given = {
        "depthwise": False, "batches": (1, 1), "size": (5, 4), "kernel": (3, 2), "depth": 2,
        "filters": 4, "filter_depth": 2, "stride": (1, 1), "dilation": (1, 1), "padding": 0,
        "activation": 0, "out": None, "bias": "INT32", "bias_size": None, "multiplier": 2,
        "scales": [0.1], "points": None, "input": Quant(0.5, 3), "output": Quant(0.25, -5),
        "type": "INT8", "filter_type": "INT8", "output_type": "INT8", "more_inputs": 0,
        "outputs": 1, "filter_batches": None, "before": 0,
    }  # fmt: skip
    assert not set(changes) - set(given)
    g = {**given, **changes}
    out = g["out"] or [_output_size(g, axis) for axis in (0, 1)]
    b = ModelBuilder("")
    for _ in range(g["before"]):
        b.tensor([1, 2], "INT8", name="")
    x = b.tensor([g["batches"][0], *g["size"], g["depth"]], g["type"], g["input"], name="")
    depth = g["filters"] if g["depthwise"] else g["filter_depth"]
    shape = [1 if g["depthwise"] else g["filters"], *g["kernel"], depth]
    shape[0] = g["filter_batches"] or shape[0]
    points = [0] * len(g["scales"]) if g["points"] is None else g["points"]
    quant = Quant(g["scales"], points, 3 if g["depthwise"] else 0)
    w = b.tensor(shape, g["filter_type"], quant, data=bytes(prod(shape)), name="")
    inputs = [x, w]
    if g["bias"]:
        n = g["bias_size"] or g["filters"]
        inputs.append(b.tensor([n], g["bias"], name="", data=bytes(8 * n)))
    inputs += [x] * g["more_inputs"]
    y = [
        b.tensor([g["batches"][1], *out, g["filters"]], g["output_type"], g["output"], name="")
        for _ in range(g["outputs"])
    ]
    options = {"depth_multiplier": g["multiplier"]} if g["depthwise"] else {}
    b.op(
        "DEPTHWISE_CONV_2D" if g["depthwise"] else "CONV_2D", inputs, y, padding=g["padding"],
        stride_h=g["stride"][0], stride_w=g["stride"][1],
        dilation_h=g["dilation"][0], dilation_w=g["dilation"][1],
        activation=g["activation"], **options,
    )  # fmt: skip
    return b.build([x], y[-1:])


def float_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


TINY, BELOW, MOST = float_of(0x00800000), float_of(0x007FFFFF), float_of(0x7F7FFFFF)
INFINITE, NAN = float("inf"), float("nan")


def each(**choices):
    """Return the dicts with one value of each of *choices*."""
    return [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]


def quants(scales=(0.5,), points=(0,)):
    return [Quant(scale, point) for scale in scales for point in points]


STEPS = [1, 2, 3, 0, -1, 32767, 32768]
POINTS = [-128, -129, 127, 128, 1 << 32, -1 << 32, (1 << 32) - 5]
SCALES = [0.0, -0.5, TINY, BELOW, MOST, INFINITE, NAN]
FACTORS = [*SCALES, 2.0**27, 2.0**28, 2.0**28 * 1.999, 2.0**29]
POWERS = [(14, 14), (15, 14), (15, 15), (14, 15), (29, 0), (30, 0), (28, 0)]
ONE = [1]
CHANGES = [
    {},
    {"bias": None, "more_inputs": 1},
    {"outputs": 2},
    *({"size": (n, 7), "kernel": (3, k)} for n in (1, 2, 3, 4) for k in (1, 3, 7, 8)),
    *each(stride=list(product(STEPS, STEPS)), out=[(5, 4)]),
    *each(stride=list(product((1, 2, 3, 32767, 32768), (1, 2))), padding=[0, 1]),
    *each(dilation=list(product(STEPS, STEPS)), out=[(5, 4)]),
    *each(dilation=list(product((1, 2, 3), (1, 2, 3, 4))), padding=[0, 1]),
    *each(kernel=list(product((2, 32767, 32768), ONE)), depth=ONE, filter_depth=ONE, filters=ONE),
    *each(kernel=list(product(ONE, (32767, 32768))), depth=ONE, filter_depth=ONE, filters=ONE),
    *each(padding=[0, 1, 2, -1], out=[(5, 4), (5, 3), (4, 4), (6, 4), (3, 3), (2, 3)]),
    *each(padding=ONE, kernel=[(6, 2), (7, 2)], out=[(1, 3)]),
    *each(activation=range(6)),
    *each(batches=[(2, 2), (1, 2), (2, 1), (3, 3)]),
    *each(batches=[(1, 1), (3, 3)], size=[(8, 5)], stride=[(2, 1)], filters=[1, 9]),
    *each(depth=[4], filter_depth=[1, 2, 3, 4], filters=[2, 3, 4, 6]),
    *each(filter_batches=[3, 5]),
    *each(bias=[None, "INT64", "FLOAT32", "INT8"]),
    *each(bias_size=[1, 3, 5]),
    *each(more_inputs=[1, 2]),
    *each(type=["UINT8", "INT4"]),
    *each(filter_type=["INT4", "INT16", "UINT8"]),
    *each(output_type=["UINT8", "INT4", "INT16"]),
    *each(input=[None, Quant([0.5], []), *quants(points=POINTS), *quants(SCALES)]),
    *each(output=[None, Quant([0.5], []), *quants(points=POINTS), *quants(SCALES)]),
    *each(scales=[[factor] for factor in FACTORS], input=quants([1.0]), output=quants([1.0])),
    *each(scales=[[0.1] * n for n in (2, 3, 4, 5)]),
    *each(scales=[[0.1, 0.2, factor, 0.1] for factor in FACTORS]),
    *each(scales=[[0.1, 0.2, 0.3, 2.0**29], [2.0**29, 0.2, 0.3, 0.1]]),
    *(
        {"input": Quant(2.0**n), "output": Quant(2.0**-m), "scales": [scale]}
        for n, m in POWERS
        for scale in (TINY, 2.0, 1.0, 0.5)
    ),
    {"scales": [0.1], "points": []},
    *each(scales=[[MOST], [INFINITE], [NAN]], input=quants([TINY]), output=quants([1.0])),
    *each(
        size=[(1, 1)], kernel=[(1, 1)], depth=ONE, filter_depth=ONE, filters=ONE, multiplier=ONE
    ),
    *each(batches=[(0, 0)]),
    *each(before=[1, 3]),
    # How near the output may come to the input: at the row after the padding, of the last image.
    {"size": (5, 40), "kernel": (3, 1), "stride": (2, 1), "filters": 3},
    {"size": (3, 40), "kernel": (2, 1), "stride": (2, 1), "filters": 7, "batches": (2, 2)}
    | {"depth": 4, "filter_depth": 4},
]
MULTIPLIERS = [
    {"filter_batches": 2},
    {"multiplier": 1 << 30, "depth": 4, "filters": 4},
    *each(multiplier=[-1, 0, 1, 2, 3], depth=[1, 2], filters=[1, 2, 4]),
]


@pytest.mark.parametrize("depthwise", [False, True], ids=["conv", "depthwise"])
def test_convolution_at_a_limit_loads_the_same(reader, monkeypatch, depthwise):
    changes = CHANGES + MULTIPLIERS * depthwise
    models = [a_convolution(depthwise=depthwise, **change) for change in changes]
    sound = compare_loads(reader, monkeypatch, models, 1 << 18)
    assert len(models) // 4 < sound < len(models)


@pytest.mark.parametrize("depthwise", [False, True], ids=["conv", "depthwise"])
def test_convolution_without_a_field_loads_the_same(reader, monkeypatch, depthwise):
    given = {"depthwise": depthwise, "padding": 1, "activation": 1, "scales": [0.1] * 4}
    models = list(without_a_field(a_convolution(**given)))
    models += without_a_field(a_convolution(**given, multiplier=1, depth=4, filter_depth=4))
    assert len(models) > 40
    assert compare_loads(reader, monkeypatch, models) > 8


@pytest.mark.parametrize("depthwise", [False, True], ids=["conv", "depthwise"])
def test_vector_that_ends_with_the_file_loads_the_same(reader, monkeypatch, depthwise):
    models = list(with_vector_last(a_convolution(depthwise=depthwise, scales=[0.1] * 4)))
    assert compare_loads(reader, monkeypatch, models) == len(models) > 10
    models = [data + struct.pack("<f", MOST) for data in models]  # which is no scale of any
    assert compare_loads(reader, monkeypatch, models) == len(models)


class Parts:
    """A sound model of one convolution, and where C finds the fields of its operator."""

    def __init__(self, **changes):
        self.data = a_convolution(**changes)
        self.graph = Model(self.data).subgraphs[0]
        self.pos = flatbuffer.follow(memoryview(self.data), self.graph.operators_at)
        self.fields = flatbuffer.table(memoryview(self.data), self.pos, schema.OPERATOR_FIELDS)

    def prepare(self, reader, data):
        """Return whether C accepts the convolution in *data*, whose places are those of this."""
        words = array("i", conv._NO_WORDS)
        return reader.convolution(data, self.graph.places, self.pos, False, words)

    def without(self, slot):
        vtable = self.pos - struct.unpack_from("<i", self.data, self.pos)[0]
        at = vtable + 4 + 2 * slot
        return self.data[:at] + bytes(2) + self.data[at + 2 :]


@pytest.mark.parametrize(
    "slot", [schema.OPERATOR_INPUTS, schema.OPERATOR_OUTPUTS, schema.OPERATOR_OPTIONS]
)
def test_what_lies_at_byte_0_stands_for_no_absent_field(reader, slot):
    parts = Parts()
    target = flatbuffer.follow(memoryview(parts.data), parts.fields[slot])
    for data, is_sound in (parts.data, True), (parts.without(slot), False):
        assert parts.prepare(reader, struct.pack("<I", target) + data[4:]) == is_sound


def test_byte_0_stands_for_no_absent_type_of_options(reader):
    parts = Parts()
    data = parts.without(schema.OPERATOR_OPTIONS_TYPE)
    assert not parts.prepare(reader, bytes([1]) + data[1:])


@pytest.mark.parametrize("depthwise", [False, True], ids=["conv", "depthwise"])
def test_options_of_another_operator_load_the_same(reader, monkeypatch, depthwise):
    parts = Parts(depthwise=depthwise)
    at = parts.fields[schema.OPERATOR_OPTIONS_TYPE]
    models = [parts.data[:at] + bytes([kind]) + parts.data[at + 1 :] for kind in range(8)]
    assert compare_loads(reader, monkeypatch, models) == 1


def test_field_behind_the_options_is_not_read(reader, monkeypatch):
    parts = Parts()
    data, at = parts.data, parts.fields[schema.OPERATOR_OPTIONS]
    fields = 0, 4, 8, 0, 0, 0, 0, 0xFFFF  # strides, and an eighth that is outside of the table
    vtable = struct.pack("<10H", 20, 12, *fields)
    data = data[:at] + struct.pack("<I", len(data) + len(vtable) - at) + data[at + 4 :]
    data += vtable + struct.pack("<3i", len(vtable), 1, 1)
    assert parts.prepare(reader, data)
    assert compare_loads(reader, monkeypatch, [data]) == 1


@pytest.mark.parametrize("count", [1, 2])
def test_filter_that_the_operator_does_not_name_is_not_tensor_0(reader, monkeypatch, count):
    b = ModelBuilder("")
    x, y = (b.tensor([1, 1, 1, 1], "INT8", Quant(0.5, 0), name="") for _ in range(2))
    b.op("CONV_2D", [x] * count, [y], padding=0, stride_h=1, stride_w=1)
    assert compare_loads(reader, monkeypatch, [b.build([x], [y])]) == (count == 2)


@pytest.mark.slow
@pytest.mark.parametrize("depthwise", [False, True], ids=["conv", "depthwise"])
def test_convolution_with_a_byte_changed_loads_the_same(reader, monkeypatch, depthwise):
    data = a_convolution(depthwise=depthwise, stride=(2, 1), dilation=(1, 2), scales=[0.1] * 4)
    models = [one for one in edits(data, ()) if len(one) == len(data)]
    assert compare_loads(reader, monkeypatch, models) > len(models) // 10
