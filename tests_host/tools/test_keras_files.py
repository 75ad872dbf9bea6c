"""Small nets of Keras 3 give what LiteRT's reference kernels gave for the same inputs.

keras_golden.txt says what: see support/nets/keras_files.py. Where ai-edge-litert and tflite-micro
are, one test each asks them again.
"""

import numpy as np
import pytest

from support.nets.keras_files import LINES, NEAR, SUMS, data_of, drawn, is_right, runnable, summed
from tflm import Interpreter
from tflm.base.errors import UnsupportedOpError
from tflm_host.model.oracle import Oracle
from tflm_host.prepare import prepare


def ours(model):
    interp = Interpreter(model, prepared=True)
    kinds = [(np.dtype(t.dtype), t.shape) for t in interp.inputs]
    outputs = []
    for fed in drawn(kinds):
        for tensor, value in zip(interp.inputs, fed, strict=True):
            tensor.data[:] = value.tobytes()
        interp.invoke()
        outputs += [np.frombuffer(bytes(t.data), t.dtype) for t in interp.outputs]
    return outputs


def litert(module, data):
    """Return the same of LiteRT's reference kernels; *module* is ai_edge_litert.interpreter."""
    kind = module.OpResolverType.BUILTIN_REF
    interp = module.Interpreter(model_content=data, experimental_op_resolver_type=kind)
    interp.allocate_tensors()
    details = interp.get_input_details()
    outputs = []
    for fed in drawn([(np.dtype(d["dtype"]), tuple(d["shape"])) for d in details]):
        for entry, value in zip(details, fed, strict=True):
            interp.set_tensor(entry["index"], value)
        interp.invoke()
        outputs += [interp.get_tensor(d["index"]).ravel() for d in interp.get_output_details()]
    return outputs


def tflm(data):
    """Return the same of TFLM itself, without the answers of our cases."""
    interp = Interpreter(data)
    kinds = [(np.dtype(t.dtype), t.shape) for t in interp.inputs]
    oracle = Oracle()
    oracle.load(data)
    asked = [oracle.invoke([v.tobytes() for v in fed]) for fed in drawn(kinds)]
    oracle.close()
    return [np.frombuffer(output, np.uint8) for outputs in asked for output in outputs]


@pytest.mark.slow
@pytest.mark.parametrize("name", [line[0] for line in LINES if line[1] != "refused"])
def test_outputs(name, shared):
    model = runnable(data_of(shared, name))
    found = ours(model)
    assert summed(ours(prepare(model, "portable"))) == summed(found)
    assert is_right(name, found)


@pytest.mark.slow
def test_sums_and_outputs_are_those_of_litert(shared):
    reason = "ai-edge-litert is not installed: keras_golden.txt holds what it answered"
    module = pytest.importorskip("ai_edge_litert.interpreter", reason=reason)
    others = []
    for name, kind, *_ in LINES:
        if kind not in ("exact", "near"):
            continue
        found = litert(module, data_of(shared, name))
        if kind == "near":
            is_same = np.array_equal(np.concatenate(found), NEAR[name])
        else:
            is_same = summed(found) == SUMS[name]
        others += [] if is_same else [name]
    assert others == []


@pytest.mark.slow
def test_sums_are_those_of_tflm(shared):
    pytest.importorskip("tflite_micro", reason="tflite-micro is not installed")
    names = [line[0] for line in LINES if line[1] == "tflm"]
    found = [summed(tflm(data_of(shared, name))) for name in names]
    assert found == [SUMS[name] for name in names]


@pytest.mark.parametrize("name", [line[0] for line in LINES if line[1] == "refused"])
def test_refusal_stays_one(name, shared):
    with pytest.raises(UnsupportedOpError, match="NON_MAX_SUPPRESSION_V4"):
        Interpreter(runnable(data_of(shared, name)))


def test_there_is_a_line_for_each_file(shared):
    assert [line[0] for line in LINES] == sorted(
        p.stem for p in (shared / "keras").glob("*.tflite")
    )
