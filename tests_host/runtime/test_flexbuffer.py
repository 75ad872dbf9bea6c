"""FlexBuffers against the encoder and reader of the flatbuffers package, whole and damaged."""

import random

import pytest
from flatbuffers import flexbuffers

from support.model_builder import ModelBuilder
from tflm import Model, ModelError
from tflm.flexbuffer import in_order, root

COUNT = 3000


def _value(rng, depth=3):
    kind = rng.randrange(10 if depth else 7)
    leaves = (
        lambda: rng.randrange(-(2 ** rng.randrange(1, 62)), 2 ** rng.randrange(1, 62)),
        lambda: rng.random() * 10 ** rng.randrange(-3, 9),
        lambda: rng.random() < 0.5,  # noqa: PLR2004
        lambda: "".join(rng.choice("abcdé") for _ in range(rng.randrange(9))),
        lambda: rng.randbytes(rng.randrange(9)),
        lambda: None,
        lambda: rng.randrange(256),
        lambda: [rng.randrange(99) for _ in range(rng.randrange(6))],
        lambda: [_value(rng, depth - 1) for _ in range(rng.randrange(5))],
        lambda: {f"k{rng.randrange(99)}": _value(rng, depth - 1) for _ in range(rng.randrange(5))},
    )
    return leaves[kind]()


def test_root_equals_the_encoder_s_own_reader():
    rng = random.Random(1)
    for _ in range(COUNT):
        data = bytes(flexbuffers.Dumps(_value(rng)))
        expected = flexbuffers.Loads(data)
        found = root(data)
        assert str(found) == str(bytes(expected) if isinstance(found, bytes) else expected)


def test_damaged_buffers_raise_value_error_alone():
    rng = random.Random(2)
    refused = 0
    for _ in range(COUNT):
        data = bytearray(flexbuffers.Dumps(_value(rng)))
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        for read in (root, in_order):
            try:
                read(bytes(data[: rng.randrange(len(data) + 1)]))
            except ValueError:
                refused += 1
    assert refused > COUNT


def test_lists_that_share_their_parts_end():
    """Of a few bytes 2^40 values could be made: a list of the same list, 40 times."""
    data = bytearray([0, 0])
    start = len(data)
    packed = 10 << 2  # a vector, of bytes
    for _ in range(40):
        at = len(data) + 1
        data += bytes([2, at - start, at + 1 - start, packed, packed])
        start = at
    data += bytes([len(data) - start, packed, 1])
    with pytest.raises(ValueError, match="too many"):
        root(bytes(data))


def test_in_order_is_the_order_of_the_keys():
    assert in_order(bytes(flexbuffers.Dumps({"b": 1, "a": 2, "c": 3}))) == [2, 1, 3]
    with pytest.raises(ValueError, match="no map"):
        in_order(bytes(flexbuffers.Dumps([1, 2])))


def _model(options):
    builder = ModelBuilder()
    x = builder.tensor([4], "INT16")
    y = builder.tensor([4], "INT16")
    builder.op("SignalDelay", [x], [y], custom_options=options)
    return Model(builder.build([x], [y]))


def test_attributes_are_those_of_the_options():
    options = bytes(flexbuffers.Dumps({"delay_length": 3}))
    assert next(_model(options).operators()).attributes == {"delay_length": 3}
    assert next(_model(b"").operators()).attributes is None
    with pytest.raises(ModelError, match="SignalDelay #0.*custom options"):
        next(_model(b"\xff\xff\x01").operators()).attributes  # noqa: B018
