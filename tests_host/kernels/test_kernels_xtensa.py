"""The kernels of an ESP32's native module, on an emulated Xtensa, give the bytes of the host's.

QEMU runs the same C, compiled by the same compiler with the same options as `make natmod` does.
300 random calls of each family run at least, then random models, then whole models.
"""

from collections import Counter

import pytest

import _tflm
from cases import FAMILIES as FAMILIES_OF_OPS
from cases import OPS
from kernels import test_exact_host, test_kernels_c
from support.expected import viper_vectors
from support.expected.exact import mismatches, one_op_cases
from support.native.each_isa import grouped
from support.native.native_call import run_nodes
from support.native.xtensa import XtensaKernels, kernels, program
from tflm import UnsupportedOpError

FAMILIES = {kernel.name: kernel.family for kernel in kernels() if "group" not in kernel.traits}
MORE = 100  # calls of the only kernel of a family
SIZES = Counter(FAMILIES.values())
ONLY_KERNELS = [name for name, family in FAMILIES.items() if SIZES[family] == 1]
# Models whose arithmetic takes doubles, for which no library here has functions.
DOUBLES = ("detection", "exp_s", "log_", "sqrt_s", "sin_", "cos_", "gelu_s")
DOUBLES += ("pairs_f32", "floors_f32", "power_f32", "angle_f32")
LEFT_OUT = [op for op in OPS if op.startswith(DOUBLES)]
MODELS_PER_FAMILY, FIRST = 300, 20  # the numbers below FIRST are tried elsewhere


@pytest.fixture(scope="module")
def path():
    return program()


@pytest.fixture
def xtensa(path, monkeypatch):
    """Let `_tflm` run nodes on an emulated Xtensa."""
    library = XtensaKernels(path, _tflm._lib)
    monkeypatch.setattr(_tflm, "_lib", library)
    monkeypatch.setattr(_tflm, "_on_copies", True)
    yield library
    assert library.close() == 0


pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("xtensa")]


@pytest.mark.parametrize("name", grouped(FAMILIES))
def test_kernel_on_an_xtensa_random_records_equals_model(xtensa, name):
    test_kernels_c.run_vectors(name, 0, test_kernels_c.VECTORS)
    assert xtensa.calls >= test_kernels_c.VECTORS


@pytest.mark.parametrize("name", ONLY_KERNELS)
def test_only_kernel_of_a_family_on_an_xtensa_equals_model(name):
    for i, vector in enumerate(viper_vectors.vectors(name, MORE, seed=28)):
        got = test_kernels_c.call_of(vector).run(run_nodes)
        for data, (_, expected) in zip(got, vector.outputs, strict=True):
            assert expected in (None, data), f"{name} vector {i}"


@pytest.mark.parametrize("op", [op for op in OPS if op not in LEFT_OUT])
def test_one_op_random_models_on_an_xtensa_bytes_equal_tflm(xtensa, oracle, op):
    test_exact_host.test_one_op_random_models_bytes_equal_tflm(oracle, op)
    assert xtensa.calls > 0


@pytest.mark.long
@pytest.mark.parametrize("family", [name for name in FAMILIES_OF_OPS if name != "detection"])
def test_random_models_of_a_family_on_an_xtensa_bytes_equal_tflm(xtensa, oracle, family):
    ops = [op for op in FAMILIES_OF_OPS[family] if op in OPS and op not in LEFT_OUT]
    each = -(-MODELS_PER_FAMILY // len(ops))
    for op in ops:
        cases = one_op_cases(oracle, op, range(FIRST, FIRST + each))
        assert mismatches(cases, test_exact_host.run_here(cases)) == []
    assert xtensa.calls >= MODELS_PER_FAMILY


@pytest.mark.parametrize("op", LEFT_OUT)
def test_model_with_doubles_on_an_xtensa_names_the_missing_operator(oracle, op):
    with pytest.raises(UnsupportedOpError):
        test_exact_host.test_one_op_random_models_bytes_equal_tflm(oracle, op)


def test_zoo_models_on_an_xtensa_random_inputs_bytes_equal_tflm(xtensa, oracle, zoo):
    test_exact_host.test_zoo_models_random_inputs_bytes_equal_tflm(oracle, zoo)
    assert xtensa.calls > 0
