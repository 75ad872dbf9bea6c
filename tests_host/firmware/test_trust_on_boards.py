"""Boards trust models in /rom; a forged file elsewhere runs as the unprepared model."""

import pytest

from support.fuzz.forger import FORGERIES, forged
from tflm import Interpreter
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.isa import isa_of
from tflm_host.targets.open_target import open_target

DIGITS = (ROOT / "models" / "digits_cnn.tflite").read_bytes()
FED = bytes(range(64))
BOARDS = "MPS2_AN386", "MICROBIT"
TARGETS = (*BOARDS, "unix", "unix-asan")

# Runs on the board. A copy in RAM is not in /rom, and a file of unix's is in none.
ASK = """
import gc, tflm
def copied(path):
    with open(path, "rb") as file:
        data = bytearray(file.seek(0, 2))
        file.seek(0)
        file.readinto(data)
    return data
def ask(model, **options):
    gc.collect()
    interp = tflm.Interpreter(model, **options)
    interp.inputs[0].data[:] = bytes(range(64))
    interp.invoke()
    kind = interp.model.snapshot is not None, "prepared=True" in repr(interp)
    print(*kind, interp.arena_used_bytes(), bytes(interp.outputs[0].data).hex())
"""

REFUSED = """
def refused(path):
    try:
        ask(copied(path), prepared=True)
    except Exception as error:
        print(type(error).__name__, error)
"""


def asked(device, model, options=""):
    """Return (whether what was prepared runs, whether repr names the keyword, arena, output)."""
    is_prepared, says, arena, output = device.exec(f"ask({model}{options})").split()
    return is_prepared == "True", says == "True", int(arena), output


def expected():
    interp = Interpreter(DIGITS)
    interp.inputs[0].data[:] = FED
    interp.invoke()
    return bytes(interp.outputs[0].data).hex(), interp.arena_used_bytes()


@pytest.mark.firmware
@pytest.mark.parametrize("target", TARGETS)
def test_rom_is_trusted_and_bytes_are_where_the_caller_says_so(target):
    genuine = prepare(DIGITS, isa_of(target))
    output, plain = expected()
    arena = Interpreter(genuine, measure=True, prepared=True).arena_used_bytes()
    with open_target(target, models=[("m.tflite", genuine)]) as device:
        device.exec(ASK)
        path = repr(device.path("m.tflite"))
        prepared = True, False, arena, output
        as_plain = False, True, plain, output
        assert asked(device, path) == (prepared if target in BOARDS else as_plain)
        assert asked(device, path, ", prepared=True") == prepared
        assert asked(device, path, ", prepared=False") == (False, False, plain, output)
        assert asked(device, f"copied({path})") == as_plain
        assert asked(device, f"copied({path})", ", prepared=True") == prepared


@pytest.mark.firmware
@pytest.mark.parametrize("target", TARGETS)
def test_forged_bytes_run_as_the_plain_model(target):
    genuine = prepare(DIGITS, isa_of(target))
    files = [(f"f{i}.tflite", forged(genuine, what)) for i, what in enumerate(FORGERIES)]
    output, plain = expected()
    with open_target(target, models=files) as device:
        device.exec(ASK)
        for name, _ in files:
            found = asked(device, f"copied({device.path(name)!r})")
            assert found == (False, True, plain, output), name


@pytest.mark.firmware
@pytest.mark.parametrize("target", TARGETS)
def test_forged_bytes_that_are_trusted_are_refused(target):
    genuine = prepare(DIGITS, isa_of(target))
    files = [(f"f{i}.tflite", forged(genuine, what)) for i, what in enumerate(FORGERIES)]
    with open_target(target, models=files) as device:
        device.exec(ASK + REFUSED)
        for (name, _), what in zip(files, FORGERIES, strict=True):
            found = device.exec(f"refused({device.path(name)!r})")
            assert found.startswith("ModelError") and "damaged" in found, (what, found)
