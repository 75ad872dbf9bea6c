"""Every tensor that a model computes has TFLM's bytes, not its outputs alone."""

import pytest

from inner_tensors import differences
from support.nets import control_nets
from tflm_host.places import ROOT

MODELS = sorted((ROOT / "models").glob("*.tflite"))
NETS = 24


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_inner_tensors_of_models_equal_tflm(oracle, path):
    compared, lines = differences(path.read_bytes(), oracle)
    assert (compared > 0, lines) == (True, [])


@pytest.mark.slow
def test_inner_tensors_of_random_nets_equal_tflm(oracle):
    for number in range(NETS):
        compared, lines = differences(control_nets.case(number).model, oracle)
        assert (compared > 0, lines) == (True, []), number


def test_one_wrong_byte_of_an_inner_tensor_is_named(oracle):
    class Wrong:
        load = staticmethod(oracle.load)

        def invoke(self, fed):
            first, second, *rest = oracle.invoke(fed)
            return [first, bytes([second[0] ^ 1]) + second[1:], *rest]

    _, lines = differences(MODELS[0].read_bytes(), Wrong())
    assert len(lines) == 2  # runs
    assert all("tensor" in line and "prepared" not in line for line in lines)
