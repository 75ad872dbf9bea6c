"""What a model's file says besides tensors and operators: metadata, sum, stream, arena."""

import struct
import sys
from binascii import crc32

import pytest

import _tflm
import tflm
from support.models.model_builder import ModelBuilder, Quant
from support.models.open_models import dilated
from tflm import model as models
from tflm_host.places import ROOT
from tflm_host.prepare import prepare

DIGITS = (ROOT / "models" / "digits_cnn.tflite").read_bytes()


def relu(metadata=(), inputs=None, outputs=None):
    """Return a model of one RELU with *metadata*, pairs of a name and bytes."""
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", Quant(0.1, 3)) for _ in range(2))
    b.op("RELU", [x], [y])
    for name, data in metadata:
        b.add_metadata(name, data)
    return b.build([x] if inputs is None else inputs, [y] if outputs is None else outputs)


def test_file_that_is_missing_is_named(tmp_path, monkeypatch):
    path = str(tmp_path / "missing.tflite")
    with pytest.raises(FileNotFoundError, match="No such file or directory: .*missing.tflite"):
        tflm.Model(path)

    def as_on_boards(*_):
        error = OSError(2)  # with one argument, its number
        error.errno = 2
        raise error

    monkeypatch.setattr("builtins.open", as_on_boards)
    with pytest.raises(FileNotFoundError) as caught:
        tflm.Model(path)
    assert caught.value.args == (2, path)


def test_first_eight_bytes_make_a_file_a_model_and_the_rest_damage_it():
    for data in (b"\x04\0\0\0TFL", b"\x04\0\0\0TFL4", b"TFL3"):
        with pytest.raises(tflm.ModelError, match="not a .tflite file"):
            tflm.Model(data)
    with pytest.raises(tflm.ModelError, match="model: .* at byte 4 points outside the file"):
        tflm.Model(b"\x04\0\0\0TFL3")
    for size in (8, 9, 20):
        with pytest.raises(tflm.ModelError, match=f"the root table at {size} is past the end"):
            tflm.Model(struct.pack("<I", size) + b"TFL3" + bytes(size - 8))


def test_file_of_the_most_bytes_is_read_and_one_byte_more_refused(monkeypatch):
    data = relu()
    monkeypatch.setattr(models, "MAX_BYTES", len(data))
    tflm.Model(data)
    with pytest.raises(tflm.ModelError, match=f"{len(data) + 1} bytes, {len(data)} at most"):
        tflm.Model(data + b"\0")


def test_model_without_a_subgraph_is_refused():
    b = ModelBuilder()
    b.subgraphs = []
    b.bind = lambda *_: None
    with pytest.raises(tflm.ModelError, match="the model has no subgraph"):
        tflm.Model(b.build([], []))


@pytest.mark.parametrize("index", [2, 3, -1])
@pytest.mark.parametrize("side", ["inputs", "outputs"])
def test_input_or_output_that_is_no_tensor_is_refused(side, index):
    with pytest.raises(tflm.ModelError, match=f"input or output tensor {index} of 2 does not"):
        tflm.Model(relu(**{side: [index]}))


def test_metadata_is_found_by_its_whole_name():
    rows = [("AAAA", b"first"), ("AAAB", b"second one"), ("AAA", b"3"), ("AAAAA", b"")]
    model = tflm.Model(relu(rows))
    assert {name: bytes(data) for name, data in model.metadata.items()} == dict(rows)
    for name, data in rows:
        pos, nbytes = model.metadata_entry(name)
        assert bytes(model.buf[pos : pos + nbytes]) == data
    for name in ("AA", "AAAC", "BAAA", "AAAAAA", ""):
        assert model.metadata_entry(name) == (0, 0)


def test_stream_is_two_words():
    def stream(data):
        return tflm.Model(relu([("TFLM_STREAM", data)])).stream

    assert stream(struct.pack("<2I", 11, 3)) == (11, 3)
    assert stream(struct.pack("<2I", 11, 0)) is None
    assert stream(bytes(7)) is None
    assert stream(struct.pack("<2IB", 11, 3, 0)) is None
    assert tflm.Model(relu()).stream is None


def summed():
    """Return a model with the right sum, and the sum's position."""
    data = bytearray(relu([("TFLM_SUM", b"sum.")]))
    at = data.index(b"sum.")
    struct.pack_into("<I", data, at, crc32(bytes(data[at + 4 :]), crc32(bytes(data[:at]))))
    return data, at


def test_sum_is_that_of_all_other_bytes():
    data, at = summed()
    assert tflm.Model(data).check() is True
    with pytest.raises(tflm.ModelError, match="the checksum of the file is wrong"):
        tflm.Model(data + b"\0").check()
    for place in (at, at + 3, data.index(b"made by")):
        data, _ = summed()
        data[place] ^= 1
        with pytest.raises(tflm.ModelError, match="the checksum of the file is wrong"):
            tflm.Model(data).check()


@pytest.mark.parametrize("nbytes", [0, 3, 5, 8])
def test_sum_of_another_size_is_none(nbytes):
    assert tflm.Model(relu([("TFLM_SUM", bytes(nbytes))])).check() is False


def test_prepared_model_without_a_sum_is_refused():
    data = prepare(DIGITS, _tflm.isa)
    assert tflm.Model(data, prepared=True).check() is True
    data = data.replace(b"TFLM_SUM", b"TFLM_SUN")
    with pytest.raises(tflm.ModelError, match="has no checksum: prepare it again"):
        tflm.Model(data, prepared=True).check()
    assert tflm.Model(data).check() is False


def test_arena_that_a_model_needs_is_that_of_how_it_runs(monkeypatch):
    data = prepare(DIGITS, _tflm.isa)
    plain, trusted = tflm.Model(data, prepared=False), tflm.Model(data, prepared=True)
    need = tflm.Interpreter(data, prepared=False).arena_used_bytes()
    assert trusted.arena_required() == tflm.Interpreter(trusted).arena_used_bytes() < need
    assert plain.arena_required() == need
    monkeypatch.setattr(
        models, "choose_backend", lambda *_, **__: "viper"
    )  # which runs no snapshot
    assert trusted.arena_required() == plain.arena_required()


def test_arena_of_an_open_model_is_that_of_the_right_shapes():
    need = tflm.Model(dilated()).arena_required()
    assert tflm.Model(dilated(is_open=True)).arena_required() == need


def test_operator_that_is_missing_is_no_reason_to_look_for_other_shapes():
    """A model with a loop that is loaded again raises a ModelError, with a word on loops."""
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", Quant(0.1, 3)) for _ in range(2))
    b.op("WHILE", [x], [y], cond_subgraph=0, body_subgraph=0)
    with pytest.raises(tflm.UnsupportedOpError, match="WHILE"):
        tflm.Model(b.build([x], [y])).arena_required(tflm.OpResolver())


def test_model_that_is_missing_is_no_model_of_another_type():
    with pytest.raises(TypeError, match="the model is missing: give its path or its bytes"):
        tflm.Model(None)
    with pytest.raises(TypeError, match="a model is a path or its bytes, not float"):
        tflm.Model(0.5)


def test_firmware_for_prepared_models_says_how_each_model_may_run(monkeypatch):
    plain, untrusted = tflm.Model(DIGITS), tflm.Model(prepare(DIGITS, _tflm.isa))
    monkeypatch.setitem(sys.modules, "tflm.load.loading", None)  # which such a build leaves out
    with pytest.raises(tflm.UnsupportedOpError, match="make one with tflm prepare"):
        plain.arena_required()
    with pytest.raises(tflm.UnsupportedOpError, match="put it there with tflm deploy, or say"):
        untrusted.arena_required()


def test_plain_model_is_not_called_untrusted():
    assert (tflm.Model(DIGITS).untrusted, tflm.Model(DIGITS).snapshot) == (False, None)
    assert tflm.Model(prepare(DIGITS, _tflm.isa)).untrusted is True
