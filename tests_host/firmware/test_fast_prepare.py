"""What C does while a model is loaded, against the Python that it stands in for: the same arena,
byte for byte, under the sanitizers."""

import pytest

from cases import OPS
from support.nets import one_op_models
from tflm.file import flatbuffer
from tflm_host.places import ROOT
from tflm_host.targets.open_target import open_target
from tflm_host.targets.repl import ExecError

CASES = 12  # of each operator
# Those of int8 and int4; Python prepares other types.
IN_C = (
    "conv_2d",
    "depthwise_conv_2d",
    "conv_2d_deep",
    "conv_2d_3x3",
    "conv_2d_pixels",
    "conv_2d_lines",
    "conv_2d_large",
    "conv_2d_blocks",
    "depthwise_conv_2d_3x3",
    "conv_2d_s4",
    "depthwise_conv_2d_s4",
)
OWN = ("sine", "digits_cnn", "digits_ds_cnn", "digits_gated")  # of whole networks
BEYOND = (8, -1, 1 << 31, 1 << 32, (1 << 32) + 4, 1 << 62, -(1 << 32))  # of 8 bytes

DRIVER = """
import sys, tflm
count = 0
def note(function):
    def noting(*args):
        global count
        done = function(*args)
        count += 1 if done else 0
        return done
    return noting
def arena(path):
    return bytes(tflm.Interpreter(path).arena.buf)
def compare(path, module, name):
    global count
    count = 0
    arena(path)  # which imports the operators
    module = sys.modules[module]
    fast = getattr(module, name)
    setattr(module, name, note(fast))
    with_c = arena(path)
    setattr(module, name, None)
    without = arena(path)
    setattr(module, name, fast)
    return with_c == without, count
"""


@pytest.fixture(scope="module")
def target():
    names = [op for op in OPS if op in IN_C] * CASES
    names += list(OPS)
    cases = [one_op_models.case_of(op, seed) for seed, op in enumerate(names)]
    files = [(case.name + ".tflite", case.model) for case in cases]
    own = [ROOT / "models" / f"{name}.tflite" for name in OWN]
    with open_target("unix-asan", models=[*files, *own], heap="64m") as running:
        running.exec(DRIVER)
        running.names = [name for name, _ in files]
        yield running


def compare(target, name, module, function):
    """Return how often C prepared a node; the arena must be the same without it."""
    call = f"compare({target.path(name)!r}, {module!r}, {function!r})"
    same, count = target.exec(f"print(*{call})").split()
    assert same == "True", name
    return int(count)


def test_convolutions_are_prepared_in_c_as_in_python(target):
    names = [name for name in target.names if "conv_2d" in name]
    for name in names:
        is_in_c = name.rpartition("-")[0] in IN_C
        assert compare(target, name, "tflm.ops.conv", "convolution") == is_in_c, name


@pytest.mark.parametrize(
    ("module", "function", "least"),
    [
        ("tflm.file.views", "describe_fast", 0),  # nobody asks for the tensors of a convolution
        ("tflm.file.views", "survey_fast", 1),
        ("tflm.model", "survey_operators", 1),
        ("tflm.memory.allocator", "plan_fast", 0),
        ("tflm.memory.allocator", "commit_fast", 1),
    ],
)
def test_models_are_read_in_c_as_in_python(target, module, function, least):
    counts = {name: compare(target, name, module, function) for name in target.names}
    assert [name for name, count in counts.items() if count < least] == []
    assert sum(counts.values()) > 0


@pytest.mark.parametrize("function", ["plan_fast", "commit_fast"])
def test_networks_are_planned_in_c_as_in_python(target, function):
    for name in OWN:
        assert compare(target, f"{name}.tflite", "tflm.memory.allocator", function) == 1


@pytest.mark.parametrize(
    ("function", "rest"),
    [
        ("table", ", 1"),
        ("follow", ""),
        ("ints", ""),
        ("vector", ", 1"),
        ("i32", ", 0"),
        ("u8", ", 0"),
    ],
)
def test_positions_outside_of_the_file_raise_in_c_as_in_python(target, function, rest):
    for pos in BEYOND:
        call = f"{function}(bytes(8), {pos}{rest})"
        with pytest.raises(ValueError, match=r"points outside the file \(8 bytes\)") as expected:
            eval("flatbuffer." + call, {"flatbuffer": flatbuffer})
        with pytest.raises(ExecError) as found:
            target.exec(f"import _tflm\n_tflm.{call}")
        assert found.value.traceback.endswith(f"ValueError: {expected.value}")
