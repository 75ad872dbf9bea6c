"""`tflm deploy` on kinds of flash that are not the emulated boards' own, and on filesystems."""

import shutil
from hashlib import sha256

import pytest

from support.models.model_builder import ModelBuilder, Quant
from tflm_host.deploy.models import DeployError, Plan
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build
from tflm_host.targets.emulator import QEMU, Emulator
from tflm_host.targets.open_target import SerialTarget, open_target
from tflm_host.targets.repl import RawRepl, TargetError

BOARD, PICO = "MPS2_AN386", "RPI_PICO"
BOOT_SECONDS = 30
SINE, DIGITS, DS_CNN = (
    ROOT / "models" / f"{name}.tflite" for name in ("sine", "digits_cnn", "digits_ds_cnn")
)


@pytest.fixture(scope="module")
def port():
    """The serial port of a board."""
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    build(BOARD)
    with Emulator(load_board(BOARD), pty=True) as emulator:
        yield emulator.port


def test_blocks_as_of_rp2_are_erased_before_they_are_written(port):
    """A partition like the RP2040's, in RAM, that can be written only where it is erased."""
    with SerialTarget(port, ()) as target:
        plan = Plan(target, [DS_CNN])
        target.exec(BLOCKS)
        written = []
        plan.write(written.append)
        assert sum(written) == plan.total == len(plan.image)
        assert target.exec("print(flash.erased)") == "[0, 1, 2, 3, 4]\n"
        # The header comes alone, when all else is there: a part of an image never mounts.
        assert target.exec("print(flash.written[-2:])") == "[(256, 3840), (0, 256)]\n"
        stored = target.exec(f"digest(0, {len(plan.image)})")
    assert sha256(plan.image).hexdigest() in stored


BLOCKS = """
import vfs
class Flash:
    def __init__(self):
        self.data = bytearray(16 * 4096)
        self.erased, self.written = [], []
    def ioctl(self, what, block):
        if what == 6:
            self.data[block * 4096:block * 4096 + 4096] = b"\\xff" * 4096
            self.erased.append(block)
        return {4: 16, 5: 4096}.get(what, 0)
    def writeblocks(self, block, data, offset):
        start = block * 4096 + offset
        assert bytes(self.data[start:start + len(data)]) == b"\\xff" * len(data)
        self.data[start:start + len(data)] = data
        self.written.append((start, len(data)))
flash = Flash()
rom.device, rom.view = flash, memoryview(flash.data)
rom.is_blocks, rom.block, rom.chunk = True, 4096, 4096
"""


# The port of an STM32 erases all at once, and answers -EINVAL to the command that all is written.
@pytest.mark.parametrize(("block", "completes"), [(0, -22), (0, 0), (8192, 0)])
def test_memory_as_of_stm32_is_erased_before_it_is_written(port, block, completes):
    """Flash behind vfs.rom_ioctl: erased as a whole, or in blocks that it names."""
    with SerialTarget(port, ()) as target:
        plan = Plan(target, [DS_CNN])
        target.exec(MEMORY.format(block=block, completes=completes))
        plan.write()
        found = target.exec("print(erased, completed)")
        stored = target.exec(f"digest(0, {len(plan.image)})")
        written = target.exec("print(written[-2:])")
    expected = [(i * block, block) for i in range(3)] if block else [(0, len(plan.image))]
    assert found == f"{expected} [True]\n"
    assert sha256(plan.image).hexdigest() in stored
    assert written == "[(32, 4064), (0, 32)]\n"  # the header's start comes last


MEMORY = """
data, erased, completed = bytearray(b"\\xd2\\xcd1") + bytearray(8 * 8192 - 3), [], []
written = []
def rom_ioctl(command, part, offset=0, value=None):
    if command == 3:
        start, size = (0, offset) if value is None else (offset, value)
        erased.append((start, size))
        size = (size + 4095) & -4096
        data[start:start + size] = b"\\xff" * size
        return 16
    if command == 4:
        assert offset % 16 == 0 and len(value) % 16 == 0
        assert bytes(data[offset:offset + len(value)]) == b"\\xff" * len(value)
        data[offset:offset + len(value)] = value
        written.append((offset, len(value)))
    if command == 5:
        completed.append(True)
        return {completes}
    return 0
rom.call, rom.view, rom.block, rom.chunk = rom_ioctl, memoryview(data), {block}, 4096
"""


@pytest.fixture
def folder_target():
    with open_target("unix", models=[("there", b"x")]) as target:
        target.folder = target.path("there").rpartition("/")[0]
        yield target


def test_folder_gets_files_that_replace_old_ones(folder_target):
    for _ in range(2):
        plan = Plan(folder_target, [SINE, DIGITS], folder_target.folder)
        plan.write()
        assert [result["in_flash"] for result in plan.prove()] == [False, False]


def test_folder_interrupted_keeps_old_file(folder_target):
    Plan(folder_target, [SINE], folder_target.folder).write()
    plan = Plan(folder_target, [DS_CNN, SINE], folder_target.folder)
    run = folder_target.exec

    def stop_at_second_chunk(code, *rest):
        if "'ab'" in code:
            raise KeyboardInterrupt
        return run(code, *rest)

    folder_target.exec = stop_at_second_chunk
    with pytest.raises(DeployError, match="what was in .* before is still there"):
        plan.write()
    folder_target.exec = run
    code = f"import os\nprint(sorted(os.listdir({folder_target.folder!r})))"
    assert ".part" in folder_target.exec(code)
    assert "'digits_ds_cnn.tflite'" not in folder_target.exec(code)
    again = Plan(folder_target, [DS_CNN], folder_target.folder)  # removes what was left
    assert ".part" not in folder_target.exec(code)
    again.write()
    assert len(again.prove()) == 1


@pytest.fixture
def pico():
    """The emulated Pico, which writes its flash as a real one does, with sine.tflite in /rom."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed: nothing here runs rp2040js")
    with open_target(PICO, models=[SINE]) as target:
        assert isinstance(target.repl, RawRepl)
        yield target


def test_pico_deploys_to_its_flash_and_to_its_filesystem(pico):
    for folder, in_flash in (("", True), ("/", False)):
        plan = Plan(pico, [SINE], folder)
        plan.write()
        assert [result["in_flash"] for result in plan.prove()] == [in_flash]


def _long(stop):
    return pytest.param(stop, marks=pytest.mark.long)


# After the old header is gone; half-way; when all but the new header is written and compared.
@pytest.mark.parametrize("stop", [_long(1), 3, _long(6)])
def test_pico_reset_half_way_has_no_image_and_takes_the_next(pico, stop):
    plan, run = Plan(pico, [DS_CNN]), pico.exec
    steps = iter(range(stop))

    def run_or_reset(code, *rest):
        if next(steps, None) is None:
            with pytest.raises(TargetError, match="no reply"):
                run("import machine\nmachine.reset()", 2)
            raise EOFError("unplugged")
        return run(code, *rest)

    pico.exec = run_or_reset
    with pytest.raises(DeployError, match="partition holds no image now and must be rewritten"):
        plan.write()
    pico.exec = run
    pico.repl.enter(BOOT_SECONDS)
    assert pico.exec("import os\nprint('rom' in os.listdir('/'))") == "False\n"
    plan = Plan(pico, [DIGITS])
    assert not plan.facts["image"]
    plan.write()
    (result,) = plan.prove()
    assert (result["path"], result["checked"]) == ("/rom/digits_cnn.tflite", True)


@pytest.mark.parametrize(
    ("folder", "reason"),
    [("", "the ROMFS partition has 1,048,576:"), ("/", "the filesystem at / has ")],
)
def test_pico_model_larger_than_the_room_is_refused(pico, folder, reason, tmp_path):
    big = tmp_path / "big.tflite"
    big.write_bytes(SINE.read_bytes() + bytes(1 << 20))
    with pytest.raises(DeployError, match=reason):
        Plan(pico, [big], folder)
    assert pico.exec("import os\nprint(os.listdir('/rom'))") == "['sine.tflite']\n"


def test_pico_arena_larger_than_the_heap_is_refused(pico, tmp_path):
    builder = ModelBuilder()
    x, y = (builder.tensor([1, 250_000], "INT8", Quant(0.1, 0)) for _ in range(2))
    builder.op("RELU", [x], [y])
    wide = tmp_path / "wide.tflite"
    wide.write_bytes(builder.build([x], [y]))
    with pytest.raises(
        DeployError, match="needs 250,.* bytes of arena and some .* are free, in pieces"
    ):
        Plan(pico, [wide])


def test_pico_folder_that_does_not_exist_is_named(pico):
    with pytest.raises(DeployError, match="the board has no folder /nowhere"):
        Plan(pico, [SINE], "/nowhere")


def test_pico_refuses_model_prepared_for_other_kernels(pico, tmp_path):
    path = tmp_path / "prepared.tflite"
    path.write_bytes(prepare(DIGITS.read_bytes(), "dsp"))
    with pytest.raises(DeployError, match="prepared for dsp kernels .* board has armv6m ones"):
        Plan(pico, [path])
    path.write_bytes(prepare(DIGITS.read_bytes(), "armv6m"))
    plan = Plan(pico, [path])
    plan.write()
    assert [result["checked"] for result in plan.prove()] == [True]
