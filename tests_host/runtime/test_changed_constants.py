"""Constants that a program changes: outputs equal those of a file with the new constants."""

import random
import struct

import pytest

import tflm
import tflm.schema
from cases import FAMILIES
from support.draw.one_op import Draw
from support.models.model_builder import ModelBuilder, Quant
from support.models.small_models import svdf
from tflm_host.places import ROOT
from tflm_host.prepare import prepare

DIGITS = (ROOT / "models/digits_cnn.tflite").read_bytes()
CASES = {name: op for cases in FAMILIES.values() for name, op in cases.items() if not op.tie}
DRAWN = 2  # models of an operator
# Cases with an input that the operator reads when it is prepared, and not in each run.
DERIVED = {
    "broadcast_to",
    "decode_huffman",
    "decode_pruned",
    "decode_table",
    "dequantize_f16",
    "expand_dims",
    "float16_weights",
    "one_hot",
    "pad",
    "pad_value",
    "resize_bilinear",
    "resize_bilinear_f32",
    "resize_bilinear_s16",
    "resize_nearest",
    "scatter_nd",
    "signal_filter_bank",
    "split",
    "split_v",
    "strided_slice",
    "topk",
    "transpose",
}
# Subgraphs with STRIDED_SLICE in them.
PARTS = {"call_once", "if", "while", "while_counting"}


def dense(weights=b"abcdefghijkl", bias=(5, -6, 7)):
    b = ModelBuilder()
    x, y = b.tensor([1, 4], "INT8", Quant(0.1, 3)), b.tensor([1, 3], "INT8", Quant(0.2, -4))
    filters = b.tensor([3, 4], "INT8", Quant(0.05), data=weights, name="weights")
    added = b.tensor([3], "INT32", Quant(0.005), data=struct.pack("<3i", *bias), name="bias")
    b.op("FULLY_CONNECTED", [x, filters, added], [y])
    return b.build([x], [y])


def answers(interp, fed):
    for tensor, data in zip(interp.inputs, fed, strict=True):
        tensor.data[:] = data
    interp.invoke()
    return [bytes(tensor.data) for tensor in interp.outputs]


def constants_of(model):
    graph = model.subgraphs[0]
    infos = [graph.tensor(i) for i in range(graph.tensor_count)]
    return [info for info in infos if info.data and info.nbytes and info.type != tflm.schema.INT4]


def changed_file(data, info, rng):
    """Return *data* with the elements of a constant in another order, and their bytes."""
    size = info.nbytes // info.elements
    elements = [data[at : at + size] for at in range(info.data, info.data + info.nbytes, size)]
    rng.shuffle(elements)
    new = b"".join(elements)
    return data[: info.data] + new + data[info.data + info.nbytes :], new


@pytest.mark.parametrize("name", sorted(CASES))
def test_operator_gives_what_it_gives_of_a_file_with_the_new_constant(name):
    """Or names the tensor from which it derives something when it is prepared."""
    rng = random.Random(f"{name} changed")
    refused = 0
    for _ in range(DRAWN):
        data, makers = CASES[name].draw(Draw(rng))
        fed = [make() for make in makers]
        plain = tflm.Interpreter(data)
        expected = answers(plain, fed)
        for info in constants_of(plain.model):
            file, new = changed_file(data, info, rng)
            try:
                interp = tflm.Interpreter(data, constants=(info.index,))
            except (tflm.ModelError, tflm.UnsupportedOpError) as error:
                assert f"tensor {info.index})" in str(error) or "not constant" in str(error)
                refused += 1
                continue
            assert answers(interp, fed) == expected
            measured = tflm.Interpreter(data, constants=(info.index,), measure=True)
            assert measured.arena_used_bytes() == interp.arena_used_bytes()
            try:
                wanted = answers(tflm.Interpreter(file), fed)
            except (tflm.ModelError, tflm.UnsupportedOpError):
                continue  # the new elements are no sound index, shape or axis
            interp.set_constant(info.index, new)
            interp.reset()
            assert answers(interp, fed) == wanted
    assert name in PARTS or (refused > 0) == (name in DERIVED)


def test_arena_has_the_constants_to_the_byte_and_16_less_do_not_do():
    need = tflm.Interpreter(DIGITS, measure=True).arena_used_bytes()
    used = tflm.Interpreter(DIGITS, constants=(3, 2), measure=True).arena_used_bytes()
    assert (need, used) == (1168, 1840)  # 640 of weights, 40 of biases, 8 less of padding
    assert tflm.Interpreter(DIGITS, used, constants=(3, 2)).arena_used_bytes() == used
    with pytest.raises(tflm.ArenaError):
        tflm.Interpreter(DIGITS, used - 16, constants=(3, 2))
    report = tflm.Interpreter(DIGITS, tflm.Arena(used), constants=(3, 2)).arena_report()
    assert report["arena_bytes"] == used


def test_constants_have_names_and_each_write_counts_from_the_next_run():
    fed = [bytes([1, 2, 253, 4])]
    interp = tflm.Interpreter(dense(), constants=("weights", "bias"))
    assert answers(interp, fed) == answers(tflm.Interpreter(dense()), fed)
    weights = bytes((i * 7) & 0xFF for i in range(12))
    interp.set_constant("weights", weights)
    interp.set_constant("bias", [100, 200, -300])
    wanted = answers(tflm.Interpreter(dense(weights, (100, 200, -300))), fed)
    assert answers(interp, fed) == wanted
    interp.reset()
    assert answers(interp, fed) == wanted
    interp.tensor(interp.model.subgraphs[0].operator(0).inputs[1])[0] = 5
    interp.set_constant(interp.tensor(2), memoryview(weights))
    assert answers(interp, fed) == wanted
    assert bytes(interp.tensor(2).data) == weights


def test_interpreters_of_one_arena_keep_their_constants():
    model, fed = tflm.Model(dense()), [bytes([9, 8, 7, 6])]
    arena = tflm.Arena(2000)
    first = tflm.Interpreter(model, arena, constants=("weights",))
    second = tflm.Interpreter(model, arena, constants=("weights",))
    plain = answers(second, fed)
    first.set_constant("weights", bytes(range(100, 112)))
    assert answers(second, fed) == plain == answers(tflm.Interpreter(model, arena), fed)
    assert answers(first, fed) == answers(tflm.Interpreter(dense(bytes(range(100, 112)))), fed)


def test_wrong_bytes_and_tensors_are_refused_by_name():
    interp = tflm.Interpreter(dense(), constants=("weights",))
    before = bytes(interp.tensor(2).data)
    with pytest.raises(ValueError, match="tensor weights: 11 bytes given for 12"):
        interp.set_constant("weights", bytes(11))
    with pytest.raises(ValueError, match="tensor weights: 13 values given for 12 elements"):
        interp.set_constant("weights", [0] * 13)
    with pytest.raises(ValueError, match="bias is not one of .*constants=.'weights',"):
        interp.set_constant("bias", bytes(12))
    with pytest.raises(ValueError, match="not one of"):
        tflm.Interpreter(dense()).set_constant(2, bytes(12))
    with pytest.raises(tflm.StateError, match="allocate_tensors"):
        tflm.Interpreter(dense(), constants=(2,), allocate=False).set_constant(2, bytes(12))
    assert bytes(interp.tensor(2).data) == before


REFUSED = {
    "t0": "tensor 0 .t0. is no constant",
    "other": "no tensor is called other",
    77: "the model has no tensor 77",
    -1: "the model has no tensor -1",
}


@pytest.mark.parametrize("name", REFUSED)
def test_names_of_no_constant_are_refused(name):
    with pytest.raises(tflm.ModelError, match=REFUSED[name]):
        tflm.Interpreter(dense(), constants=(name,))


def test_what_has_its_constants_elsewhere_is_refused():
    prepared = prepare(dense(), "portable")
    with pytest.raises(tflm.ModelError, match="unprepared .tflite"):
        tflm.Interpreter(prepared, prepared=True, constants=("weights",))
    assert tflm.Interpreter(tflm.Model(prepared, False), constants=("weights",))
    with pytest.raises(tflm.ModelError, match="exclude each other"):
        tflm.Interpreter(dense(), constants=("weights",), delegates=[object()])
    with pytest.raises(TypeError, match="tuple of names"):
        tflm.Interpreter(dense(), constants="weights")
    interp = tflm.Interpreter(dense(), constants=("weights",))
    with pytest.raises(tflm.ModelError, match="constants= cannot be resized"):
        interp.resize_input(0, (2, 4))


def test_two_tensors_of_one_name_are_refused_and_int4():
    b = ModelBuilder()
    x = b.tensor([1, 4], "INT8", Quant(0.1))
    same = [b.tensor([1, 4], "INT8", Quant(0.1), data=bytes(4), name="same") for _ in range(2)]
    y, z = (b.tensor([1, 4], "INT8", Quant(0.1)) for _ in range(2))
    b.op("ADD", [x, same[0]], [y])
    b.op("ADD", [y, same[1]], [z])
    with pytest.raises(tflm.ModelError, match="two tensors are called same"):
        tflm.Interpreter(b.build([x], [z]), constants=("same",))
    rng = random.Random("int4")
    data, _ = CASES["fully_connected_s4"].draw(Draw(rng))
    with pytest.raises(tflm.ModelError, match="is int4"):
        tflm.Interpreter(data, constants=(1,))


def test_set_constant_in_a_run_is_refused():
    interp = tflm.Interpreter(dense(), constants=("weights",))
    said = []

    def hook(_node):
        try:
            interp.set_constant("weights", bytes(12))
        except tflm.StateError as error:
            said.append(str(error))

    interp.on_node = hook
    interp.invoke()
    assert said == ["set_constant: wait for the end of the run that reads the constants"]


def test_state_belongs_to_the_constants_that_it_was_saved_with():
    fed = [bytes(4)]
    interp, plain = tflm.Interpreter(svdf(), constants=(1,)), tflm.Interpreter(svdf())
    answers(interp, fed)
    plain.load_state(interp.save_state())
    features = bytes(range(10, 18))
    interp.set_constant(1, features)
    with pytest.raises(ValueError, match="other constants"):
        plain.load_state(interp.save_state())
    other = tflm.Interpreter(svdf(), constants=(1,))
    with pytest.raises(ValueError, match="other constants"):
        other.load_state(interp.save_state())
    other.set_constant(1, features)
    other.load_state(interp.save_state())
    assert answers(other, fed) == answers(interp, fed)


def test_refusal_of_a_constant_beside_a_loop_blames_no_loop():
    b, same = ModelBuilder(), Quant(0.5)
    x, padded, y = (b.tensor(shape, "INT8", same) for shape in ([1, 2], [1, 4], [1, 4]))
    paddings = b.tensor([2, 2], "INT32", data=struct.pack("<4i", 0, 0, 1, 1), name="paddings")
    b.op("PAD", [x, paddings], [padded])
    b.op("WHILE", [padded], [y], cond_subgraph=1, body_subgraph=2)
    b.bind([x], [y])
    b.subgraph("condition")
    b.bind([b.tensor([1, 4], "INT8", same)], [b.tensor([1], "BOOL", data=b"\0")])
    b.subgraph("body")
    x, y = (b.tensor([1, 4], "INT8", same) for _ in range(2))
    b.op("RELU", [x], [y])
    b.bind([x], [y])
    data = b.build([x], [y])
    tflm.Interpreter(data)
    with pytest.raises(tflm.ModelError, match="PAD #0: .*paddings") as caught:
        tflm.Interpreter(data, constants=("paddings",))
    assert "loop" not in str(caught.value)


def test_constant_of_a_subgraph_changes_by_its_name():
    def model(start):
        b = ModelBuilder()
        x, y = (b.tensor([1, 4], "INT8", Quant(0.5, 3)) for _ in range(2))
        b.op("IF", [b.tensor([1], "BOOL", data=b"\1"), x], [y], then_subgraph=1, else_subgraph=2)
        b.bind([x], [y])
        for name in ("then", "else"):
            b.subgraph(name)
            x, y = (b.tensor([1, 4], "INT8", Quant(0.5, 3)) for _ in range(2))
            added = b.tensor([1, 4], "INT8", Quant(0.5, 3), data=start, name=f"added {name}")
            b.op("ADD", [x, added], [y])
            b.bind([x], [y])
        return b.build([x], [y])

    interp = tflm.Interpreter(model(b"\1\2\3\4"), constants=("added then",))
    interp.set_constant("added then", b"\x09\x14\xe2\x32")
    wanted = answers(tflm.Interpreter(model(b"\x09\x14\xe2\x32")), [bytes(4)])
    assert answers(interp, [bytes(4)]) == wanted
    with pytest.raises(ValueError, match="not one of"):
        interp.set_constant("added else", bytes(4))
