"""FlexBuffers against the encoder and reader of the flatbuffers package, whole and damaged."""

import random
import struct

import pytest
from flatbuffers import flexbuffers

from support.models.model_builder import ModelBuilder
from tflm import Model, ModelError
from tflm.file.flexbuffer import in_order, root

COUNT = 3000
KEY, STRING, VECTOR, BLOB = 4, 5, 10, 25  # types


def _value(rng, depth=3):
    kind = rng.randrange(10 if depth else 7)
    leaves = (
        lambda: rng.randrange(-(2 ** rng.randrange(1, 62)), 2 ** rng.randrange(1, 62)),
        lambda: rng.random() * 10 ** rng.randrange(-3, 9),
        lambda: rng.random() < 0.5,
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


def _built(add):
    """Return the FlexBuffer whose one value *add* gives to the encoder."""
    builder = flexbuffers.Builder()
    add(builder)
    return bytes(builder.Finish())


SMALL, LARGE = [1, 2, 3, 4], [-(2**40), 2**33, 7, -1]
KINDS = {
    "indirect int": (lambda b: b.IndirectInt(-300), -300),
    "indirect uint": (lambda b: b.IndirectUInt(2**40), 2**40),
    "indirect float": (lambda b: b.IndirectFloat(0.5), 0.5),
    "key": (lambda b: b.Key("name"), "name"),
    "typed ints": (lambda b: b.TypedVectorFromElements(LARGE), LARGE),
    "typed uints": (
        lambda b: b.TypedVectorFromElements(SMALL, flexbuffers.Type.UINT),
        SMALL,
    ),
    "typed floats": (lambda b: b.TypedVectorFromElements([0.5, -2.0]), [0.5, -2.0]),
    "typed bools": (
        lambda b: b.TypedVectorFromElements([True, False, True, True, False]),
        [True, False, True, True, False],
    ),
    **{
        f"fixed {kind} {count}": (
            lambda b, given=given, count=count: b.FixedTypedVectorFromElements(given[:count]),
            given[:count],
        )
        for kind, given in (("ints", LARGE), ("floats", [0.5, 1.5, -2.5, 8.0]))
        for count in (2, 3, 4)
    },
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_type_that_the_encoder_knows_is_read(kind):
    add, expected = KINDS[kind]
    found = root(_built(add))
    assert found == expected
    assert str(found) == str(expected)  # True is no 1, 2.0 no 2


def test_fixed_vectors_of_uints_are_read():
    for count in (2, 3, 4):
        packed = 16 + 3 * (count - 2) + 1  # ints, uints and floats of 2, then of 3, of 4
        data = bytes([250, 1, 2, 3][:count]) + bytes([count, packed << 2, 1])
        assert root(data) == [250, 1, 2, 3][:count]


def test_half_floats_are_refused_and_single_ones_are_read():
    assert root(struct.pack("<f", 0.75) + bytes([3 << 2 | 2, 4])) == 0.75
    with pytest.raises(ValueError, match="a float of 2 bytes"):
        root(bytes([0, 60, 3 << 2 | 1, 2]))


# Buffers that end just right, and the same with a length that is one too large.
@pytest.mark.parametrize(
    ("data", "value", "damaged", "message"),
    [
        (
            [2, 97, 98, 2, 5 << 2, 1],
            "ab",
            [6, 97, 98, 2, 5 << 2, 1],
            "a text of 6 bytes at byte 1",
        ),
        ([1, 7, 4, 2, 10 << 2, 1], [7], [6, 7, 4, 2, 10 << 2, 1], "a list of 6 values at byte 1"),
        ([1, 7, 1, 11 << 2, 1], [7], [5, 7, 1, 11 << 2, 1], "a list of 5 values at byte 1"),
    ],
)
def test_lengths_that_lead_out_of_the_buffer_are_refused(data, value, damaged, message):
    assert root(bytes(data)) == value
    with pytest.raises(ValueError, match=message):
        root(bytes(damaged))


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ([4, 97, 1, 5 << 2, 1], "a\x01\x14\x01"),
        ([4, 7, 1, 11 << 2, 1], [7, 1, 11 << 2, 1]),
        ([2, 97, 98, 1, 3, 1, 15 << 2, 1], ["ab"]),  # a typed vector of texts, as old files have
    ],
)
def test_text_and_typed_list_may_reach_to_the_last_byte(data, value):
    assert root(bytes(data)) == value


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([1, 2, 3, 1 << 2, 3], "a number of 3 bytes"),
        ([9, 5 << 2, 1], "the offset at byte 0 leads out of the FlexBuffer"),
        ([0, 5 << 2, 1], "ends before byte -1"),
        ([5, 1 << 2, 2], "ends before byte -1"),
        ([97, 98, 3, 2, 4 << 2, 1], "ends before byte 6"),
        ([0, 37 << 2, 1], "a value of the unknown type 37"),
        ([4 << 2, 1], "a FlexBuffer of 2 bytes"),
    ],
)
def test_places_outside_of_the_buffer_are_refused(data, message):
    with pytest.raises(ValueError, match=message):
        root(bytes(data))


def test_map_with_fewer_keys_than_values_is_refused():
    data = bytearray(flexbuffers.Dumps({"a": 5, "b": 6}))
    at = data.index(bytes([97, 0, 98, 0])) + 4
    assert data[at] == 2
    data[at] = 1
    with pytest.raises(ValueError, match="not one key for each value"):
        root(bytes(data))


def _nested(levels):
    value = 3
    for _ in range(levels):
        value = [value]
    return value


def test_lists_in_lists_end_at_a_depth_of_15():
    assert root(bytes(flexbuffers.Dumps(_nested(15)))) == _nested(15)
    with pytest.raises(ValueError, match="more than 15 deep"):
        root(bytes(flexbuffers.Dumps(_nested(16))))


def test_typed_lists_count_as_a_level_as_others_do():
    def deep(levels):
        def add(builder):
            if levels == 0:
                builder.TypedVectorFromElements([1, 2, 3, 4, 5])
            else:
                with builder.Vector():
                    deep(levels - 1)(builder)

        return add

    found = root(_built(deep(14)))
    for _ in range(14):
        (found,) = found
    assert found == [1, 2, 3, 4, 5]
    with pytest.raises(ValueError, match="more than 15 deep"):
        root(_built(deep(15)))


def test_lists_that_share_their_parts_end():
    """Of a few bytes 2^40 values could be made: a list of the same list, 40 times."""
    for levels, message in ((40, "more than 15 deep"), (12, "values share bytes")):
        with pytest.raises(ValueError, match=message):
            root(_lists_of_the_same_list(levels))


def _lists_of_the_same_list(levels):
    data = bytearray([0, 0])
    start = len(data)
    packed = VECTOR << 2  # of bytes
    for _ in range(levels):
        at = len(data) + 1
        data += bytes([2, at - start, at + 1 - start, packed, packed])
        start = at
    return bytes(data + bytes([len(data) - start, packed, 1]))


def _vector(data, places, kind):
    """Return the FlexBuffer *data* with a vector at its end, of values that lie at *places*."""
    data = bytearray(data) + bytes(-len(data) % 4)
    data += struct.pack("<I", len(places))
    start = len(data)
    for place in places:
        data += struct.pack("<I", len(data) - place)
    data += bytes([kind << 2 | 2]) * len(places)
    data += bytes(-len(data) % 4)
    return bytes(data + struct.pack("<IBB", len(data) - start, VECTOR << 2 | 2, 4))


@pytest.mark.parametrize("kind", [KEY, STRING, BLOB], ids=["keys", "texts", "blobs"])
def test_values_that_share_one_text_have_the_same_object(kind):
    """Of n bytes some n^2 / 10 could be made."""
    size = 4000
    data = struct.pack("<I", size) + b"x" * size + b"\0"
    values = root(_vector(data, [4] * 800, kind))
    assert len({id(value) for value in values}) == 1
    assert values == [b"x" * size if kind == BLOB else "x" * size] * 800
    assert in_order(bytes(flexbuffers.Dumps({"a": "long", "b": "long"}))) == ["long", "long"]


@pytest.mark.parametrize("kind", [KEY, STRING, BLOB], ids=["keys", "texts", "blobs"])
def test_texts_that_overlap_are_more_than_the_buffer_holds(kind):
    data = struct.pack("<I", 257) * 200 + b"x" * 4000 + b"\0"
    places = [804 + i for i in range(400)] if kind == KEY else [4 * i + 4 for i in range(200)]
    with pytest.raises(ValueError, match="values share bytes"):
        root(_vector(data, places, kind))


@pytest.mark.parametrize("count", [1, 60])
def test_encoder_s_shared_keys_and_texts_are_no_fault(count):
    builder = flexbuffers.Builder(share_strings=True, share_keys=True)
    with builder.Vector():
        for _ in range(count):
            with builder.Map():
                builder.String("a key of many letters", "a text of many letters")
                builder.String("another key of many letters", "a text of many letters")
    data = bytes(builder.Finish())
    one = {"a key of many letters": "a text of many letters"}
    one["another key of many letters"] = "a text of many letters"
    assert root(data) == [one] * count


def test_buffer_that_holds_one_text_may_be_full_of_it():
    """A byte less of budget would refuse it."""
    for text in ("", "x" * 300):
        assert root(bytes(flexbuffers.Dumps(text))) == text


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
