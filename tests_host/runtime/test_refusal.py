"""A model that cannot run here: one message, of all that is missing, and short."""

import csv

import pytest

import tflm
from support.models.model_builder import CODES, ModelBuilder, Quant
from tflm.load.refusal import LIMIT, kind_of, refused, types_of, uses_of
from tflm.ops.index import kernel_index
from tflm.run import graph

QUANT = Quant(0.5, 0)
PER_CHANNEL = Quant([0.5, 0.5], [0, 0])
ENDING = "; tflm inspect MODEL says more"


def message_of(model, resolver=None):
    with pytest.raises(tflm.UnsupportedOpError) as caught:
        tflm.Interpreter(model, resolver=resolver, measure=True)
    text = str(caught.value)
    assert len(text) <= LIMIT
    return text


def chain(*ops, dtype="INT8"):
    """Return a model of *ops*, names or (name, type of the output), one after the other."""
    b = ModelBuilder()
    first = last = b.tensor([1, 4], dtype, QUANT)
    for op in ops:
        name, dtype = op if isinstance(op, tuple) else (op, dtype)
        output = b.tensor([1, 4], dtype, QUANT)
        b.op(name, [last], [output])
        last = output
    return b.build([first], [last])


def convolution(data, weights, output=None):
    b = ModelBuilder()
    x = b.tensor([1, 4, 4, 1], data, QUANT)
    filters = b.tensor([2, 1, 1, 1], weights, PER_CHANNEL, bytes(8))
    y = b.tensor([1, 4, 4, 2], output or data, QUANT)
    b.op("CONV_2D", [x, filters], [y], version=3, padding=0, stride_w=1, stride_h=1)
    return b.build([x], [y])


def test_missing_operators_and_refused_types_are_named_once_with_count_and_first_node():
    model = chain("IF", "TANH", "Mine", "Mine", "RELU", ("RELU", "UINT8"), "TANH")
    text = message_of(model)
    assert text.startswith(
        "this int8 model needs operators that this build lacks: IF int8 (node 0), "
    )
    assert "Mine int8 (2 nodes, first 2), " in text
    assert "RELU int8>uint8 (node 5), TANH uint8 (node 6)" in text
    assert text.endswith(ENDING)


def test_missing_operator_that_no_node_uses_costs_no_search(monkeypatch):
    def search(*_):
        raise AssertionError("prepares each kind of node a second time")

    monkeypatch.setattr("tflm.load.refusal.refusal", search)
    b = ModelBuilder()
    b.codes.append((CODES["IF"], 1, None))
    x, y = (b.tensor([1, 4], "INT8", QUANT) for _ in range(2))
    b.op("RELU", [x], [y])
    tflm.Interpreter(b.build([x], [y]))


def test_version_that_the_resolver_lacks_is_named():
    resolver = tflm.OpResolver()
    resolver.add_builtin(CODES["RELU"], tflm.Registration(), max_version=1)
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", QUANT) for _ in range(2))
    b.op("RELU", [x], [y], version=2)
    assert "RELU v2 int8 (node 0)" in message_of(b.build([x], [y]), resolver)


@pytest.mark.parametrize(
    ("data", "types", "kind", "pair"),
    [
        (
            "FLOAT32",
            ["INT8", "INT8"],
            "hybrid (float32 activations, int8 weights)",
            "CONV_2D float32/int8>int8",
        ),
        ("UINT8", ["UINT8"], "uint8 (of TensorFlow 1)", "CONV_2D uint8"),
        (
            "INT16",
            ["INT8", "INT8"],
            "int16x8 (int16 activations, int8 weights)",
            "CONV_2D int16/int8>int8",
        ),
    ],
)
def test_kind_of_model_is_named(data, types, kind, pair):
    text = message_of(convolution(data, *types))
    assert text.startswith(
        f"this {kind} model needs operators that this build lacks: {pair} (node 0)"
    )


def test_uint8_model_names_the_command_that_converts_it():
    text = message_of(convolution("UINT8", "UINT8"))
    assert text.endswith(ENDING + "; tflm convert MODEL -o NEW makes it int8")


def test_kind_of_float_model_is_float32():
    text = message_of(chain("RELU", "Mine", dtype="FLOAT32"))
    assert text.startswith(
        "this float32 model needs operators that this build lacks: Mine float32"
    )


def test_kind_of_int8_model_with_uint8_ends_is_int8():
    b = ModelBuilder()
    x, h = (b.tensor([1, 4, 4, 1], dtype, QUANT) for dtype in ("UINT8", "INT8"))
    y = b.tensor([1, 4, 4, 2], "INT8", QUANT)
    b.op("QUANTIZE", [x], [h])
    filters = b.tensor([2, 1, 1, 1], "INT8", PER_CHANNEL, bytes(2))
    b.op("CONV_2D", [h, filters], [y], version=3, padding=0, stride_w=1, stride_h=1)
    z = b.tensor([1, 4, 4, 2], "INT8", QUANT)
    b.op("Missing", [y], [z])
    assert message_of(b.build([x], [z])).startswith("this int8 model needs")


def test_message_stays_short_and_counts_what_it_leaves_out():
    text = message_of(chain(*[f"Operator{i:02}" + "x" * 100 for i in range(60)]))
    shown = text.count(" (node ")
    assert 0 < shown < 60
    assert f"... and {60 - shown} more{ENDING}" in text


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("ethos-u", "or the file from before vela"),
        ("edgetpu-custom-op", "before edgetpu_compiler"),
        ("FlexErf", "convert without SELECT_TF_OPS"),
    ],
)
def test_what_no_microcontroller_has_comes_with_advice(name, advice):
    assert advice in message_of(chain(name))


def test_operator_of_the_users_own_is_not_asked_again():
    calls = []

    def prepare(_context, node):
        calls.append(node.index)
        raise tflm.UnsupportedOpError("mine alone")

    resolver = tflm.default_resolver()
    resolver.add_custom("Mine", tflm.Registration(prepare=prepare, invoke=prepare))
    with pytest.raises(tflm.UnsupportedOpError, match="^mine alone$"):
        tflm.Interpreter(chain("Mine"), resolver=resolver, measure=True)
    assert calls == [0]


def test_refused_models_of_others_are_told_all_in_one_message(shared):
    zoo = shared / "zoo"
    with (zoo / "zoo.csv").open(newline="") as file:
        paths = [zoo / "models" / row["file"] for row in csv.DictReader(file)]
    told = 0
    for path in paths:
        model = path.read_bytes()
        try:
            tflm.Interpreter(model, measure=True)
        except tflm.UnsupportedOpError as error:
            told += 1
            _check(tflm.Model(model), str(error), path.name)
        except tflm.ModelError:
            pass
    assert told <= len(paths) // 50  # almost all of them run


def test_kernel_that_c_lacks_is_named_with_its_operator(monkeypatch):
    form = graph._tflm.form
    lacks = kernel_index("relu_s8")
    monkeypatch.setattr(graph._tflm, "form", lambda kernel: kernel != lacks and form(kernel))
    with pytest.raises(tflm.UnsupportedOpError) as caught:
        tflm.Interpreter(chain("RELU6", "RELU"))
    assert str(caught.value) == "this build has no C kernels for RELU #1 (relu_s8)"


def _check(model, text, name):
    """Every missing pair stands in *text*, or is counted there; so does the kind."""
    uses = uses_of(model)
    missing = refused(model, tflm.default_resolver(), uses)
    pairs = {(op.name, types_of(op)) for op, _, _ in missing}
    assert len(text) <= LIMIT, name
    assert text.startswith(f"this {kind_of(uses)} model needs"), name
    assert "tflm inspect MODEL" in text, name
    named = [pair for pair in pairs if " ".join(filter(None, pair))[:50] + " (" in text]
    left = len(pairs) - len(named)
    assert left == 0 or f"... and {left} more" in text, (name, text, pairs)
