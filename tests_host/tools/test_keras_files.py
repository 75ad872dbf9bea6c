"""Small nets of Keras 3 give what LiteRT's reference kernels gave for the same inputs.

keras_golden.txt has a line for each file of shared/keras. Where ai-edge-litert is, it is asked
again:

    exact N CRC   the outputs are N bytes with this checksum
    near PART     float32 outputs differ by at most this part of the largest number
    tflm          the outputs are TFLM's; LiteRT's kernels differ or lack an operator
    runs          neither has all operators in these types, or LiteRT rounds another way
    refused       the runtime lacks an operator, and `tflm convert` cannot help
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

GOLDEN = Path(__file__).parents[1] / "support" / "reference" / "keras_golden.txt"
LINES = [line.split() for line in GOLDEN.read_text().splitlines()]
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


def litert(data):
    """Return the same of LiteRT's reference kernels; skip without it."""
    reason = "ai-edge-litert is not installed: keras_golden.txt holds what it answered"
    module = pytest.importorskip("ai_edge_litert.interpreter", reason=reason)
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


def far(found, expected):
    """Return the largest difference as a part of the largest number."""
    pairs = list(zip(found, expected, strict=True))
    return max(np.abs(a - b).max() / np.abs(b).max() for a, b in pairs)


@pytest.mark.slow
@pytest.mark.parametrize("name, kind", [line[:2] for line in LINES if line[1] != "refused"])
def test_outputs(name, kind, shared):
    data = (shared / "keras" / f"{name}.tflite").read_bytes()
    model = runnable(data)
    found = ours(model)
    assert summed(ours(prepare(model, "portable"))) == summed(found)
    (expected,) = [line[2:] for line in LINES if line[0] == name]
    if kind == "exact":
        assert summed(found) == expected
    elif kind == "tflm":
        pytest.importorskip("tflite_micro", reason="tflite-micro is not installed")
        oracle = Oracle()  # TFLM itself, without the answers of our cases
        oracle.load(data)
        interp = Interpreter(data)
        kinds = [(np.dtype(t.dtype), t.shape) for t in interp.inputs]
        asked = [oracle.invoke([v.tobytes() for v in fed]) for fed in drawn(kinds)]
        oracle.close()
        assert b"".join(b"".join(each) for each in asked) == b"".join(o.tobytes() for o in found)
    elif kind == "near":
        assert far(found, litert(data)) <= float(expected[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", [line[0] for line in LINES if line[1] == "exact"])
def test_sums_are_those_of_litert(name, shared):
    (expected,) = [line[2:] for line in LINES if line[0] == name]
    data = (shared / "keras" / f"{name}.tflite").read_bytes()
    assert summed(litert(data)) == expected


@pytest.mark.parametrize("name", [line[0] for line in LINES if line[1] == "refused"])
def test_refusal_stays_one(name, shared):
    with pytest.raises(UnsupportedOpError, match="NON_MAX_SUPPRESSION_V4"):
        Interpreter(runnable((shared / "keras" / f"{name}.tflite").read_bytes()))


def test_there_is_a_line_for_each_file(shared):
    assert [line[0] for line in LINES] == sorted(
        p.stem for p in (shared / "keras").glob("*.tflite")
    )
