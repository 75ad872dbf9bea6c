"""A model with an operator of TensorFlow, made by its converter: support/models/flex/make.py."""

import math
import random
import shutil

import pytest

import tflm
from tflm.extra.flex import attributes_of
from tflm_host.places import ROOT
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import open_target

MODEL = ROOT / "tests_host" / "support" / "models" / "flex" / "erf.tflite"
BOARD = "MPS2_AN386"
DAMAGED = 3000
VALUES = [0.25, -0.5, 1.0, 0.0]
# Runs on boards, too, where there may be no math.erf: Abramowitz and Stegun, 7.1.26.
SCRIPT = """
import math, tflm
seen = []
def erf(x):
    t = 1 / (1 + 0.3275911 * abs(x))
    total = 0
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        total = (total + factor) * t
    return (1 - total * math.exp(-x * x)) * (1 if x >= 0 else -1)
def run(attributes, inputs, outputs):
    seen.append(attributes)
    outputs[0].quantize([erf(x) for x in inputs[0]])
resolver = tflm.default_resolver()
resolver.add_flex("Erf", run)
interp = tflm.Interpreter(PATH, resolver=resolver)
for _ in range(2):
    interp.inputs[0].quantize([0.25, -0.5, 1.0, 0.0])
    interp.invoke()
print(seen, [round(x * 1e5) for x in interp.outputs[0]])
"""


def expected():
    return [round((math.erf(2 * x) + x) * 1e5) for x in VALUES]


def check(said):
    attributes, _, values = said.strip().rpartition(" [")
    assert attributes == "[{'T': 1}, {'T': 1}]"
    found = [int(value) for value in values.rstrip("]").split(", ")]
    assert all(abs(a - b) <= 1 for a, b in zip(found, expected(), strict=True))


def test_flex_operator_runs_as_a_function(capsys):
    exec(SCRIPT, {"PATH": str(MODEL)})
    check(capsys.readouterr().out)


@pytest.mark.firmware
def test_flex_operator_runs_on_a_board():
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    with open_target(BOARD, models=[MODEL]) as device:
        device.exec(f"PATH = {device.source(MODEL.name)}")
        check(device.exec(SCRIPT))


def test_missing_flex_operator_is_named_with_its_cure():
    with pytest.raises(tflm.UnsupportedOpError, match=r"FlexErf float32 \(node 1\).*add_flex\(\)"):
        tflm.Interpreter(MODEL.read_bytes())
    resolver = tflm.default_resolver()
    resolver.add_flex("Erf", print)
    data = MODEL.read_bytes().replace(b"\3Erf\0", b"\3Exp\0")
    with pytest.raises(tflm.ModelError, match="FlexErf #1: is the Flex operator Exp"):
        tflm.Interpreter(data, resolver=resolver)


def attribute(name, value):
    """Return an entry of NodeDef's attributes, with *value* as bytes of an AttrValue."""
    pair = b"\x0a" + bytes([len(name)]) + name + b"\x12" + bytes([len(value)]) + value
    return b"\x2a" + bytes([len(pair)]) + pair


def test_attributes_are_numbers_texts_and_lists():
    minus_one = b"\xff" * 9 + b"\1"
    definition = b"\x0a\1n\x12\3Erf"  # name and operator
    definition += attribute(b"i", b"\x18" + minus_one) + attribute(b"f", b"\x25\0\0\x80\x3f")
    definition += attribute(b"b", b"\x28\1") + attribute(b"s", b"\x12\2ab")
    definition += attribute(b"l", b"\x0a\4\x1a\2\3\4") + attribute(b"e", b"\x0a\0")
    definition += attribute(b"g", b"\x0a\6\x22\4\0\0\0\x40") + attribute(b"shape", b"\x3a\0")
    found = attributes_of(definition)
    assert found.pop("b") is True
    assert found == {"i": -1, "f": 1.0, "s": b"ab", "l": [3, 4], "e": [], "g": [2.0]}


def test_damaged_definitions_raise_value_error_alone():
    rng, refused = random.Random(1), 0
    for _ in range(DAMAGED):
        data = attribute(b"i", b"\x18\7") + attribute(b"l", b"\x0a\4\x1a\2\3\4")
        data += attribute(b"f", b"\x25\0\0\x80\x3f")
        damaged = bytearray(data)
        for _ in range(rng.randrange(1, 4)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        try:
            attributes_of(bytes(damaged[: rng.randrange(len(damaged) + 1)]))
        except ValueError:
            refused += 1
    assert refused > DAMAGED // 4
