"""Small nets of Keras 3 give what LiteRT's reference kernels gave for the same inputs.

keras_golden.txt has a line for each file of shared/keras. ai-edge-litert need not be installed:

    exact N CRC   LiteRT's outputs are N bytes with this checksum
    near PART     they are in keras_near.npz, and ours differ by at most this part of the largest
    tflm N CRC    so for TFLM's outputs; LiteRT's kernels differ or lack an operator
    runs          neither has all operators in these types, or LiteRT rounds another way
    refused       the runtime lacks an operator, and `tflm convert` cannot help

Where ai-edge-litert and tflite-micro are, one test each asks them again.
"""

from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from tflm import Interpreter
from tflm.base.errors import ModelError, UnsupportedOpError
from tflm_host.model.listed import updated
from tflm_host.model.oracle import Oracle
from tflm_host.model.rebuilt import rebuilt
from tflm_host.prepare import prepare

REFERENCE = Path(__file__).parents[1] / "support" / "reference"
LINES = [line.split() for line in (REFERENCE / "keras_golden.txt").read_text().splitlines()]
SUMS = {name: rest for name, kind, *rest in LINES if kind in ("exact", "tflm")}
NEAR = np.load(REFERENCE / "keras_near.npz")  # by name: the outputs of all runs, one after another
RUNS = 3


def values(kind, shape, rng):
    """Return drawn numbers for an input: few positions in int32 ones, which choose rows."""
    if kind == np.float32:
        return rng.uniform(-1.5, 1.5, shape).astype(kind)
    return rng.integers(0, 3, shape).astype(kind)


def drawn(details):
    """Yield the inputs of each run; *details* are (type, shape) of each."""
    for seed in range(RUNS):
        rng = np.random.default_rng(seed)
        yield [values(kind, shape, rng) for kind, shape in details]


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


def summed(outputs):
    data = b"".join(output.tobytes() for output in outputs)
    return [str(len(data)), f"{crc32(data):08x}"]


def runnable(data):
    """Return *data* as it is, or as `tflm convert` writes it where it does not load."""
    try:
        Interpreter(data, measure=True)
    except (ModelError, UnsupportedOpError):
        return updated(rebuilt(data))
    return data


def tflm(data):
    """Return the same of TFLM itself, without the answers of our cases."""
    interp = Interpreter(data)
    kinds = [(np.dtype(t.dtype), t.shape) for t in interp.inputs]
    oracle = Oracle()
    oracle.load(data)
    asked = [oracle.invoke([v.tobytes() for v in fed]) for fed in drawn(kinds)]
    oracle.close()
    return [np.frombuffer(output, np.uint8) for outputs in asked for output in outputs]


def far(found, expected):
    """Return the largest difference as a part of the largest number, in the worst output."""
    parts = np.split(expected, np.cumsum([output.size for output in found])[:-1])
    pairs = list(zip(found, parts, strict=True))
    return max(np.abs(a - b).max() / np.abs(b).max() for a, b in pairs)


@pytest.mark.slow
@pytest.mark.parametrize("name, kind", [line[:2] for line in LINES if line[1] != "refused"])
def test_outputs(name, kind, shared):
    model = runnable((shared / "keras" / f"{name}.tflite").read_bytes())
    found = ours(model)
    assert summed(ours(prepare(model, "portable"))) == summed(found)
    if kind == "near":
        ((most,),) = [line[2:] for line in LINES if line[0] == name]
        assert far(found, NEAR[name]) <= float(most)
    elif kind != "runs":
        assert summed(found) == SUMS[name]


@pytest.mark.slow
def test_sums_and_outputs_are_those_of_litert(shared):
    reason = "ai-edge-litert is not installed: keras_golden.txt holds what it answered"
    module = pytest.importorskip("ai_edge_litert.interpreter", reason=reason)
    others = []
    for name, kind, *_ in LINES:
        if kind not in ("exact", "near"):
            continue
        found = litert(module, (shared / "keras" / f"{name}.tflite").read_bytes())
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
    found = [summed(tflm((shared / "keras" / f"{name}.tflite").read_bytes())) for name in names]
    assert found == [SUMS[name] for name in names]


@pytest.mark.parametrize("name", [line[0] for line in LINES if line[1] == "refused"])
def test_refusal_stays_one(name, shared):
    with pytest.raises(UnsupportedOpError, match="NON_MAX_SUPPRESSION_V4"):
        Interpreter(runnable((shared / "keras" / f"{name}.tflite").read_bytes()))


def test_there_is_a_line_for_each_file(shared):
    assert [line[0] for line in LINES] == sorted(
        p.stem for p in (shared / "keras").glob("*.tflite")
    )
