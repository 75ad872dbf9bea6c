"""`mpremote run tests_device/X.py`, as a user types it: nothing mounted, nothing copied before."""

import shutil

import pytest

from tflm_host.certify.scripts import MODELS, scripts, stock_package
from tflm_host.places import ROOT
from tflm_host.targets.boards import RP2_EMULATORS, folder_of, load_board
from tflm_host.targets.build import build
from tflm_host.targets.emulator import QEMU, Emulator
from tflm_host.targets.open_target import mpremote
from tflm_host.targets.romfs import build_romfs
from tflm_host.targets.rp2040 import Rp2040Emulator

BOARDS = ("RPI_PICO", "MPS2_AN386", "MPS2_AN386-stock")
SECONDS = 600
BUDGET = 4096  # bytes of tflm_tests in a package

# `make test-long` runs all scripts in this way. `make test` runs these: test_device_scripts has
# each script on each board, without mpremote.
TYPED = (
    "test_cast.py",
    "test_circular.py",
    "test_conv.py",
    "test_interpreter.py",
    "test_pool.py",
    "test_shape.py",
)
SLOW = "RPI_PICO", "test_interpreter.py"  # 49 seconds of a core


def _marks(board, script):
    marks = [pytest.mark.xdist_group(f"mpremote {board}")]
    if script not in TYPED or (board, script) == SLOW:
        marks.append(pytest.mark.long)
    return marks


# Every script runs on every board; those of one board share its emulator.
CALLS = [
    pytest.param(board, path.name, marks=_marks(board, path.name))
    for board in BOARDS
    for path in scripts()
]
assert {path.name for path in scripts()}.issuperset(TYPED)


@pytest.fixture(scope="module")
def port_of():
    """Return a function that returns the port of a board; its emulator ends with the module."""
    running = {}

    def port(name):
        if name not in running:
            emulator = Rp2040Emulator if folder_of(name) in RP2_EMULATORS else Emulator
            build(name)
            files = [(path.name, path.read_bytes()) for path in MODELS] + stock_package(name)
            running[name] = emulator(load_board(name), build_romfs(files), pty=True)
        return running[name].port

    yield port
    for emulator in running.values():
        emulator.close()


@pytest.mark.parametrize(("board", "script"), CALLS)
def test_script_says_ok(port_of, monkeypatch, board, script):
    program = "node" if board in RP2_EMULATORS else QEMU
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    monkeypatch.chdir(ROOT)
    printed = mpremote(port_of(board), "run", f"tests_device/{script}", timeout=SECONDS)
    assert printed.splitlines()[-1:] == ["OK"], printed


def test_shared_module_is_small():
    sizes = {name: len(data) for name, data in stock_package("MPS2_AN386-stock")}
    assert sizes["lib/tflm_tests.mpy"] <= BUDGET
