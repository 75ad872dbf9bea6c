"""`tflm convert`: int8 models that give what the uint8 ones of TensorFlow 1 give, 128 lower.

uint8_golden.txt has what LiteRT's reference kernels answered. Where ai-edge-litert is,
it is asked again.
"""

import json
import random
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from click.testing import CliRunner

from support.models.model_builder import ModelBuilder, Quant
from support.models.open_models import dilated
from support.nets.uint8_models import DRAWS, draw
from tflm import Interpreter
from tflm.base.errors import ModelError
from tflm.model import Model
from tflm_host.__main__ import main
from tflm_host.model.from_uint8 import to_int8
from tflm_host.prepare import prepare

MODELS = 20
GOLDEN = Path(__file__).parents[1] / "support" / "reference" / "uint8_golden.txt"
BYTES = bytes(i ^ 128 for i in range(256))  # each 128 lower, as int8


def cases(name):
    """Yield each model of *name*, and its inputs."""
    for number in range(MODELS):
        model, rng = draw(name, number)
        graph = Model(model).subgraphs[0]
        yield model, [rng.randbytes(graph.tensor(i).nbytes) for i in graph.inputs]


def run(invoke, name, made=to_int8):
    """Return the uint8 outputs of all models of *name*, converted, joined."""
    lowered = [
        (made(model), [data.translate(BYTES) for data in fed]) for model, fed in cases(name)
    ]
    return b"".join(b"".join(invoke(*case)) for case in lowered).translate(BYTES)


def ours(model, fed):
    interp = Interpreter(model, prepared=True)
    for tensor, data in zip(interp.inputs, fed, strict=True):
        tensor.data[:] = data
    interp.invoke()
    return [bytes(tensor.data) for tensor in interp.outputs]


def litert_runner():
    """Return a function as ours(), of LiteRT's reference kernels; skip without it."""
    reason = "ai-edge-litert is not installed: uint8_golden.txt holds what it answered"
    litert = pytest.importorskip("ai_edge_litert.interpreter", reason=reason)

    def invoke(model, fed):
        kind = litert.OpResolverType.BUILTIN_REF
        interp = litert.Interpreter(model_content=model, experimental_op_resolver_type=kind)
        interp.allocate_tensors()
        for details, data in zip(interp.get_input_details(), fed, strict=True):
            values = np.frombuffer(data, np.uint8).reshape(details["shape"])
            interp.set_tensor(details["index"], values)
        interp.invoke()
        return [interp.get_tensor(d["index"]).tobytes() for d in interp.get_output_details()]

    return invoke


def golden():
    """Return {operator: (bytes of outputs, their checksum)} of LiteRT's outputs."""
    rows = [line.split() for line in GOLDEN.read_text().splitlines()]
    return {name: (int(count), int(total, 16)) for name, count, total in rows}


def summed(answers):
    return len(answers), crc32(answers)


@pytest.mark.parametrize("name", golden())
def test_converted_model_gives_what_litert_gives(name):
    assert summed(run(ours, name)) == golden()[name]
    assert (
        summed(run(lambda model, fed: ours(prepare(model, "portable"), fed), name))
        == golden()[name]
    )


def test_golden_sums_are_those_of_litert():
    invoke = litert_runner()
    for name in golden():
        answers = b"".join(b"".join(invoke(*case)) for case in cases(name))
        assert summed(answers) == golden()[name]


@pytest.mark.parametrize("name", list(DRAWS))
def test_tflm_gives_the_same_for_the_converted_model(name, oracle):

    def invoke(model, fed):
        oracle.load(model)
        return oracle.invoke(fed)

    assert run(invoke, name) == run(ours, name)


def one_op(name, source, output, filter_=None, **options):
    """Return a model of *name*; tensors are (shape, Quant, data)."""
    b = ModelBuilder()
    x, y = b.tensor(*source[:1], "UINT8", source[1]), b.tensor(*output[:1], "UINT8", output[1])
    constants = [] if filter_ is None else [b.tensor(filter_[0], "UINT8", *filter_[1:])]
    b.op(name, [x, *constants], [y], **options)
    return b.build([x], [y])


Q = Quant(0.5, 7)
IMAGE, WINDOW = ([1, 4, 4, 1], Q), {"padding": 1, "stride_w": 1, "stride_h": 1}
REFUSED = {
    "ELU #0: tensor 1 (t1): int8 is computed in another way": lambda: one_op("ELU", IMAGE, IMAGE),
    "RELU6 #0: tensor 0 (t0): scale or zero point is not the output's": lambda: one_op(
        "RELU6", IMAGE, ([1, 4, 4, 1], Quant(0.25, 7))
    ),
    "DEPTHWISE_CONV_2D #0: tensor 2 (t2): 255..255 less the zero point is too wide": (
        lambda: one_op(
            "DEPTHWISE_CONV_2D", IMAGE, IMAGE, ([1, 1, 1, 1], Quant(0.5, 0), b"\xff"), **WINDOW
        )
    ),
    "AVERAGE_POOL_2D #0: tensor 0 (t0): zero point is 7, 0 expected": lambda: one_op(
        "AVERAGE_POOL_2D",
        IMAGE,
        ([1, 3, 3, 1], Q),
        **WINDOW,
        filter_width=2,
        filter_height=2,
    ),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_int8_cannot_do_is_named_with_its_tensor(message):
    with pytest.raises(ModelError) as raised:
        to_int8(REFUSED[message]())
    assert str(raised.value) == message


def test_model_without_uint8_is_refused(tmp_path):
    b = ModelBuilder()
    x, y = [b.tensor([4], "INT8", Q) for _ in range(2)]
    b.op("RELU", [x], [y])
    path = tmp_path / "model.tflite"
    path.write_bytes(b.build([x], [y]))
    done = CliRunner().invoke(main, ["convert", str(path), "-o", str(tmp_path / "out"), "--json"])
    assert done.exit_code == 1
    assert "nothing to convert: no uint8, no sparse tensor" in json.loads(done.stdout)["error"]
    assert not (tmp_path / "out").exists()


def test_shapes_of_an_open_batch_are_written(tmp_path):
    path, out = tmp_path / "open.tflite", tmp_path / "settled.tflite"
    path.write_bytes(dilated(is_open=True))
    done = CliRunner().invoke(main, ["convert", str(path), "-o", str(out)])
    assert done.exit_code == 0, done.stderr
    found, right = (Model(data).subgraphs[0] for data in (out.read_bytes(), dilated()))
    shapes = [
        [graph.tensor(i).shape for i in range(graph.tensor_count)] for graph in (found, right)
    ]
    assert shapes[0] == shapes[1]
    shown = CliRunner().invoke(main, ["inspect", str(out), "--json"])
    assert json.loads(shown.stdout)["shapes_disagree"] is False


def test_command_writes_a_model_that_runs(tmp_path):
    path, out = tmp_path / "model.tflite", tmp_path / "int8.tflite"
    path.write_bytes(draw("DEPTHWISE_CONV_2D", 0)[0])
    done = CliRunner().invoke(main, ["convert", str(path), "-o", str(out)])
    assert done.exit_code == 0, done.stderr
    assert "int8.tflite: arena " in done.stdout
    interp = Interpreter(out.read_bytes())
    interp.inputs[0].data[:] = random.Random(0).randbytes(interp.inputs[0].nbytes)
    interp.invoke()
