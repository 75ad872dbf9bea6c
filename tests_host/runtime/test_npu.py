"""Vela's operators: a driver gets the command stream and the addresses that Vela planned."""

import shutil
import struct

import pytest

import tflm
from support.models.model_builder import ModelBuilder, Quant
from tflm.base.port import addressof
from tflm.npu import ETHOS_U, ethos_u
from tflm_host.places import ROOT
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import open_target

BOARD = "MPS2_AN386"
VELA = "person_detect_vela.tflite"
OPTIONS = b"\x01\x04\x01"  # a FlexBuffer that holds 1
SCRATCH, FLASH, COMMANDS = 64, bytes(range(32)), b"COP1" + bytes(12)
# Of person_detect: (where, bytes) of constants in the file, of memory, fast memory, input, output.
REGIONS = "[(272, 260480), (0, 74464), (0, 74464), (0, 9216), (0, 2)]"
SCRIPT = """
import tflm
from tflm.npu import ethos_u
from uctypes import addressof
calls = []
def driver(commands, regions, external):
    calls.append((bytes(commands[:4]), len(commands), regions, external))
resolver = tflm.OpResolver()
resolver.add_custom("ethos-u", ethos_u(driver))
interp = tflm.Interpreter(PATH, resolver=resolver, external="npu")
for _ in range(2):
    interp.inputs[0].data[:] = bytes(interp.inputs[0].nbytes)
    interp.invoke()
base, model = addressof(interp.arena.buf), addressof(interp.model.buf)
size = len(interp.arena.buf)
places = [(a - base if 0 <= a - base < size else a - model, n) for a, n in calls[0][2]]
print(calls[0] == calls[1], calls[0][:2], calls[0][3], places)
"""


def compiled(options=OPTIONS, inputs=1):
    """Return a model as Vela makes it, with *inputs* inputs, and its plan: all share bytes."""
    b = ModelBuilder()
    commands = b.tensor([len(COMMANDS)], "UINT8", None, COMMANDS)
    flash = b.tensor([len(FLASH)], "UINT8", None, FLASH)
    scratch, fast = b.tensor([SCRATCH], "UINT8"), b.tensor([SCRATCH], "UINT8")
    x = [b.tensor([1, 8], "INT8", Quant(0.5, 0)) for _ in range(inputs)]
    y = b.tensor([1, 4], "INT8", Quant(0.5, 0))
    b.op(ETHOS_U, [commands, flash, scratch, fast, *x], [y], custom_options=options)
    plan = [-1, -1, 0, 0, *[16 * (i + 1) for i in range(inputs)], 48]
    b.add_metadata(
        "OfflineMemoryAllocation", struct.pack(f"<{3 + len(plan)}i", 1, 0, len(plan), *plan)
    )
    return b.build(x, [y])


def loaded(model, driver, **options):
    resolver = tflm.OpResolver()
    resolver.add_custom(ETHOS_U, ethos_u(driver))
    return tflm.Interpreter(model, resolver=resolver, **options)


def test_driver_gets_the_addresses_of_the_plan():
    calls = []
    model = bytearray(compiled())

    def driver(commands, regions, external):
        calls.append((bytes(commands), regions, external))
        interp.outputs[0].data[:] = interp.inputs[0].data[:4]

    interp = loaded(model, driver, external=7)
    interp.inputs[0][:] = range(8)
    interp.invoke()
    base = addressof(interp.arena.buf)
    ((commands, regions, external),) = calls
    assert (commands, external) == (COMMANDS, 7)
    wanted = [(0, SCRATCH), (0, SCRATCH), (16, 8), (48, 4)]
    assert [(address - base, nbytes) for address, nbytes in regions[1:]] == wanted
    at, nbytes = regions[0]
    at -= addressof(interp.model.buf)
    assert model[at : at + nbytes] == FLASH
    assert interp.outputs[0][:] == [0, 1, 2, 3]


def test_driver_that_fails_ends_the_run():
    interp = loaded(compiled(), lambda *_: -1)
    interp.invoke()
    assert interp.graph.current_operator == 0


@pytest.mark.parametrize(
    ("options", "inputs", "message"),
    [
        (b"\x02\x04\x01", 1, "has options of type 2, 1 expected"),
        (OPTIONS, 6, "has 10 tensors, 1 to 8 expected"),
    ],
)
def test_other_operators_of_the_name_are_refused(options, inputs, message):
    with pytest.raises(tflm.ModelError, match=f"ethos-u #0: {message}"):
        loaded(compiled(options, inputs), print)


def test_model_that_vela_compiled_here_calls_the_driver_by_its_plan():
    """support/models/vela/make.py made it of our own digits_cnn."""
    calls = []
    data = (ROOT / "tests_host" / "support" / "models" / "vela" / "digits_cnn.tflite").read_bytes()
    interp = loaded(data, lambda *call: calls.append(call))
    interp.invoke()
    ((commands, regions, _),) = calls
    plan = interp.model.metadata["OfflineMemoryAllocation"]
    offsets = struct.unpack(f"<{len(plan) // 4}i", plan)[3:]
    (operator,) = interp.model.operators()
    tensors = [*operator.inputs[1:], *operator.outputs]  # behind the command stream
    wanted = [interp.model.subgraphs[0].tensor(i).nbytes for i in tensors]
    assert bytes(commands[:4]) == b"COP1"
    assert [nbytes for _, nbytes in regions] == wanted
    base = addressof(interp.arena.buf)
    assert [address - base for address, _ in regions[1:]] == [offsets[i] for i in tensors[1:]]


@pytest.mark.firmware
@pytest.mark.parametrize("target", ["unix", BOARD])
def test_person_detect_of_vela_calls_the_driver(zoo, target):
    if target == BOARD and shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    with open_target(target, models=[zoo / VELA]) as device:
        device.exec(f"PATH = {device.source(VELA)}")
        said = device.exec(SCRIPT).strip()
    assert said == f"True (b'COP1', 8168) npu {REGIONS}"
