"""`tflm convert` makes int32 of the int64 that ARG_MAX and ARG_MIN give."""

import numpy as np
import pytest
from click.testing import CliRunner

from support.models.model_builder import ModelBuilder, Quant
from tflm import Interpreter
from tflm.base.errors import ModelError
from tflm.model import Model
from tflm.schema import INT32
from tflm_host.__main__ import main
from tflm_host.model.narrowed import narrowed

INT64_TYPE, FLOAT32_TYPE = 4, 0  # as options have them


def model(op="ARG_MAX", reader=None, output_type=INT64_TYPE):
    b = ModelBuilder()
    x = b.tensor([3, 7], "INT8", Quant(0.5, 1))
    axis = b.tensor([1], "INT32", None, (1).to_bytes(4, "little"))
    places = b.tensor([3], "INT64" if output_type == INT64_TYPE else "INT32")
    b.op(op, [x, axis], [places], output_type=output_type)
    if reader is None:
        return b.build([x], [places])
    y = b.tensor([3], "FLOAT32" if reader == "CAST" else "INT64")
    options = {"in_type": INT64_TYPE, "out_type": FLOAT32_TYPE}
    b.op(reader, [places], [y], **(options if reader == "CAST" else {}))
    return b.build([x], [y])


def run(data, kind):
    interp = Interpreter(data)
    values = np.random.default_rng(0).integers(-128, 128, (3, 7), np.int8)
    interp.inputs[0].data[:] = values.tobytes()
    interp.invoke()
    return values, np.frombuffer(bytes(interp.outputs[0].data), kind)


@pytest.mark.parametrize(("op", "function"), [("ARG_MAX", np.argmax), ("ARG_MIN", np.argmin)])
def test_places_are_the_same_numbers(op, function):
    values, found = run(narrowed(model(op)), "<i4")
    assert found.tolist() == function(values, axis=1).tolist()


def test_cast_reads_them():
    values, found = run(narrowed(model(reader="CAST")), "<f4")
    assert found.tolist() == np.argmax(values, axis=1).tolist()


def test_other_reader_is_named():
    with pytest.raises(ModelError, match="node 1 reads tensor 2 .* as int64"):
        narrowed(model(reader="NEG"))


def test_model_with_int32_stays():
    data = model(output_type=2)
    assert narrowed(data) is data


def test_command(tmp_path):
    source, target = tmp_path / "int64.tflite", tmp_path / "int32.tflite"
    source.write_bytes(model())
    shown = CliRunner().invoke(main, ["inspect", str(source)])
    assert "all 1 ops are supported" in shown.stdout
    done = CliRunner().invoke(main, ["convert", str(source), "-o", str(target)])
    assert done.exit_code == 0, done.stderr
    graph = Model(target.read_bytes()).subgraphs[0]
    assert graph.tensor(graph.outputs[0]).type == INT32
