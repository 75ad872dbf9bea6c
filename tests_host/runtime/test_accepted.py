"""Sound models that TFLM runs give its outputs here; models that it refuses are refused."""

import struct

import pytest

import tflm
from support.models.model_builder import TYPE_SIZES, ModelBuilder, Quant
from tflm_host.model.oracle import OracleError
from tflm_host.targets.open_target import open_target

EMPTY = ([0], [0, 4], [1, 0, 4], [2, 0])
PLAIN = Quant(0.1, 3)
QUANTS = {
    "LOGISTIC": Quant(1 / 256, -128),
    "SOFTMAX": Quant(1 / 256, -128),
    "TANH": Quant(1 / 128),
}
OPTIONS = {"SOFTMAX": {"beta": 1.0}, "LEAKY_RELU": {"alpha": 0.1}}
UNARY = ("RELU", "RELU6", "LEAKY_RELU", "LOGISTIC", "TANH", "SOFTMAX", "QUANTIZE")
BINARY = ("ADD", "SUB", "MUL", "CONCATENATION")


def one_op(name, inputs, output, dtype="INT8", **options):
    """Return a model of one operator; *inputs*: shapes, or (shape, type, data) of constants."""
    b = ModelBuilder()
    indices, fed = [], []
    for shape in inputs:
        if isinstance(shape, tuple):
            indices.append(b.tensor(*shape[:2], PLAIN, shape[2]))
        else:
            indices.append(b.tensor(shape, dtype, PLAIN if dtype == "INT8" else None))
            fed.append(indices[-1])
    quant = QUANTS.get(name, PLAIN) if dtype == "INT8" else None
    y = b.tensor(output, dtype, quant)
    b.op(name, indices, [y], **{**OPTIONS.get(name, {}), **options})
    return b.build(fed, [y])


def feeds(model):
    graph = tflm.Model(model).subgraphs[0]
    return [bytes(k % 50 for k in range(graph.tensor(i).nbytes)) for i in graph.inputs]


def answer(model, fed):
    """Return the outputs of *model*, or None where tflm refuses it."""
    try:
        interp = tflm.Interpreter(model)
    except tflm.ModelError:
        return None
    for tensor, data in zip(interp.inputs, fed, strict=True):
        if not tensor._info.is_constant:
            tensor.data[:] = data
    interp.invoke()
    return [bytes(tensor.data) for tensor in interp.outputs]


def judge(oracle, model, fed):
    """Return TFLM's outputs, or None where it refuses *model*."""
    try:
        oracle.load(model)
        return oracle.invoke(fed)
    except OracleError:
        return None


def empty_models():
    """Yield (name, model) of operators on tensors without elements."""
    for shape in EMPTY:
        for name in UNARY:
            yield f"{name} {shape}", one_op(name, [shape], shape)
        for name in BINARY:
            double = [2 * shape[0], *shape[1:]] if name == "CONCATENATION" else shape
            options = {"axis": 0} if name == "CONCATENATION" else {}
            yield f"{name} {shape}", one_op(name, [shape, shape], double, **options)
            if name != "CONCATENATION":
                yield f"{name} {shape} of one", one_op(name, [shape, [1]], shape)
        yield f"RELU float {shape}", one_op("RELU", [shape], shape, "FLOAT32")
        yield f"ADD float {shape}", one_op("ADD", [shape, shape], shape, "FLOAT32")
    pads = ([2, 2], "INT32", struct.pack("<4i", 1, 1, 0, 0))
    yield "PAD", one_op("PAD", [[0, 2], pads], [2, 2])
    axis = ([1], "INT32", struct.pack("<i", 1))
    yield "MEAN", one_op("MEAN", [[0, 2], axis], [0])
    for counts in ((0, 3), (3, 0)):
        shapes = [[count] for count in counts]
        yield f"BROADCAST_ARGS {counts}", one_op("BROADCAST_ARGS", shapes, [3], "INT32")


EMPTY_MODELS = dict(empty_models())


def test_tensors_without_elements_are_taken_as_by_tflm(oracle):
    wrong, taken = [], 0
    for name, model in EMPTY_MODELS.items():
        fed = feeds(model)
        expected = judge(oracle, model, fed)
        taken += expected is not None
        if answer(model, fed) != expected:
            wrong.append((name, expected, answer(model, fed)))
    assert wrong == []
    assert 15 < taken < len(EMPTY_MODELS)  # many of both


@pytest.mark.firmware
@pytest.mark.parametrize(
    ("target", "backend"),
    [
        ("unix-asan", "c"),
        ("unix", "viper"),
        *((board, "c") for board in ("MPS2_AN386", "MPS2_AN385", "MICROBIT", "MPS3_AN547")),
    ],
)
def test_tensors_without_elements_run_on_micropython_as_here(target, backend):
    taken = [m for m in EMPTY_MODELS.values() if answer(m, feeds(m)) is not None]
    code = (
        "import tflm\nfor path in paths:\n"
        f"    interp = tflm.Interpreter(path, backend={backend!r})\n"
        "    for tensor in interp.inputs:\n"
        "        tensor.data[:] = bytes([k % 50 for k in range(tensor.nbytes)])\n"
        "    interp.invoke()\n"
        "    print([bytes(tensor.data) for tensor in interp.outputs])"
    )
    files = [(f"{i}.tflite", model) for i, model in enumerate(taken)]
    with open_target(target, models=files) as device:
        device.exec(f"paths = {[device.path(name) for name, _ in files]!r}")
        printed = device.exec(code).splitlines()
    assert [eval(line) for line in printed] == [answer(m, feeds(m)) for m in taken]


@pytest.mark.parametrize("version", [-1, 0, 4, 99, 1 << 15, (1 << 31) - 1])
def test_any_version_of_an_operator_runs_as_tflm(oracle, version):
    model = one_op("RELU", [[1, 8]], [1, 8], version=version)
    assert answer(model, feeds(model)) == judge(oracle, model, feeds(model)) is not None


def test_custom_range_of_versions_is_kept():
    resolver = tflm.OpResolver()
    resolver.add_builtin(19, tflm.Registration(invoke=print), max_version=2)
    model = one_op("RELU", [[1, 8]], [1, 8], version=3)
    with pytest.raises(tflm.UnsupportedOpError, match="version 3, this build has 1 to 2"):
        tflm.Interpreter(model, resolver=resolver)


@pytest.mark.parametrize(
    "quant", [Quant([], [5]), Quant([], [5, 6]), Quant([0.1], [5, 6]), Quant([0.1, 0.2], [5])]
)
def test_zero_points_of_another_number_than_scales_are_read_as_by_tflm(oracle, quant):
    b = ModelBuilder()
    x, y, z = (b.tensor([1, 8], "INT8", q) for q in (quant, quant, PLAIN))
    b.op("RESHAPE", [x], [y], new_shape=[1, 8])
    b.op("ADD", [y, y] if quant.scales else [x, y], [z])
    model = b.build([x], [z] if quant.scales else [y])
    if not quant.scales:  # ADD needs one; RESHAPE does not
        b.subgraphs[0].ops.pop()
        model = b.build([x], [y])
    assert answer(model, feeds(model)) == judge(oracle, model, feeds(model)) is not None


def test_constant_input_of_the_graph_is_read_and_never_written(oracle):
    data = bytes(range(8))
    b = ModelBuilder()
    x = b.tensor([1, 8], "INT8", PLAIN)
    w = b.tensor([1, 8], "INT8", PLAIN, data)
    y = b.tensor([1, 8], "INT8", PLAIN)
    b.op("ADD", [x, w], [y])
    model = b.build([x, w], [y])
    fed = [bytes(8), data]
    assert answer(model, fed) == judge(oracle, model, fed) is not None


@pytest.mark.firmware
def test_constant_of_a_file_cannot_be_written(tmp_path):
    b = ModelBuilder()
    w, y = b.tensor([1, 8], "INT8", PLAIN, bytes(8)), b.tensor([1, 8], "INT8", PLAIN)
    b.op("RELU", [w], [y])
    model = b.build([w], [y])
    (tmp_path / "m.tflite").write_bytes(model)
    interp = tflm.Interpreter(str(tmp_path / "m.tflite"))
    with pytest.raises(TypeError):
        interp.inputs[0].data[0] = 1
    with open_target("unix", models=[("m.tflite", model)]) as target:
        code = (
            f"import tflm\ninterp = tflm.Interpreter({target.path('m.tflite')!r})\n"
            "try:\n    interp.inputs[0].data[0] = 1\nexcept TypeError:\n    print('refused')"
        )
        assert target.exec(code).strip() == "refused"


def test_tensors_without_a_shape_are_scalars(oracle):
    """The converter leaves the vector out."""
    for dtype in ("INT8", "FLOAT32"):
        b = ModelBuilder()
        quant = PLAIN if dtype == "INT8" else None
        x = b.tensor([1, 4], dtype, quant)
        one = b.tensor(None, dtype, quant, bytes(range(1, 1 + TYPE_SIZES[dtype])))
        y = b.tensor([1, 4], dtype, quant)
        b.op("ADD", [x, one], [y])
        model = b.build([x], [y])
        assert tflm.Model(model).subgraphs[0].tensor(one).shape == ()
        assert answer(model, feeds(model)) == judge(oracle, model, feeds(model)) is not None
