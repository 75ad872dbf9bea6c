"""The scripts of tests_device/ on every target, through the runner of `make test-device`."""

import shutil
import subprocess
import sys

import pytest

import make_device_tests
from support.device.stock import open_stock
from tflm_host.certify.scripts import LEFT_OUT, Outcome, run_all, run_one
from tflm_host.cli import device_tests
from tflm_host.places import ROOT
from tflm_host.targets.boards import RP2_EMULATORS, STOCK, board_names, load_board
from tflm_host.targets.build import build
from tflm_host.targets.emulator import QEMU, Emulator
from tflm_host.targets.open_target import TargetError, open_target

BOARD = "MPS2_AN386"
CONV = ROOT / "tests_device" / "test_conv.py"
FEW = ("test_interrupt.py", "test_runtime.py", CONV.name)
FOLDERS = f"{ROOT / 'host_tools'}:{ROOT / 'mp_modules'}"
OUTSIDE_QEMU = ("unix", "unix-asan")
# What may be skipped, and where.
SKIPS = dict.fromkeys(OUTSIDE_QEMU, {"no model in /rom"})
NO_AUDIO = "no audio front end in this build"
# What firmware has as files.
AS_FILES = {f"no tflm.{name} in this build" for name in ("aio", "detect", "spectral")}
NO_IMAGE = "no tflm.image in this build"
SKIPS["MICROBIT"] = {"too little heap for a second of sound"}
SKIPS["NETDUINOPLUS2"] = {
    "too little heap for viper kernels",
    "too little heap for a second of sound",
}
# Upstream's firmware with the native module, whose package has no viper kernels.
WITH_NATMOD = tuple(name + STOCK for name in ("MICROBIT", "MPS2_AN385", "MPS2_AN386"))
NO_VIPER = {"no viper kernels here", "no viper kernels in this firmware"}
# The native module has the kernels of firmware/natmod/kernels.txt.
NO_SINE = "no kernel for SIN in this build"
NO_SPECTRAL = "no kernels of spectral features in this build"
SKIPS.update(dict.fromkeys(WITH_NATMOD, {*NO_VIPER, NO_AUDIO, NO_IMAGE, NO_SINE, NO_SPECTRAL}))
SKIPS["MICROBIT-stock"] = SKIPS["MICROBIT-stock"] | {"too little heap beside modules in RAM"}

# test_mpremote_run.py runs every script there, but presses no Ctrl-C. It leaves out the viper
# kernels of a Pico: M0PLUS and MICROBIT run the same files.
LITERAL = ("RPI_PICO", "MPS2_AN386-stock")

needs_qemu = pytest.mark.skipif(shutil.which(QEMU) is None, reason=f"{QEMU} is not installed")


@pytest.mark.parametrize("name", [*OUTSIDE_QEMU, *RP2_EMULATORS, *board_names(), *WITH_NATMOD])
def test_every_script_passes(name):
    emulator = "node" if name in RP2_EMULATORS else QEMU
    if name not in OUTSIDE_QEMU and shutil.which(emulator) is None:
        pytest.skip(f"{emulator} is not installed")
    paths = device_tests.scripts()
    if name in LITERAL:
        paths = [path for path in paths if "CTRL_C" in path.read_text()]
        assert len(paths) >= 2
    outcomes = list(run_all(name, paths))
    assert [one.output for one in outcomes if not one.ok] == []
    assert {path.name for path in paths} <= {one.script for one in outcomes}
    skips = {reason for one in outcomes for reason in one.skips}
    if not (name in OUTSIDE_QEMU or name in WITH_NATMOD):
        skips -= AS_FILES
    assert skips <= SKIPS.get(name, set())


def test_stock_firmware_without_rom_says_so():
    with pytest.raises(TargetError, match="RPI_PICO-stock has no /rom"):
        list(run_all("RPI_PICO-stock"))


@pytest.mark.parametrize(
    "name", make_device_tests.families() + make_device_tests.scripts_with_models()
)
def test_written_data_of_script_is_up_to_date(oracle, name):
    pytest.importorskip("ruff", reason="the scripts are formatted by ruff")
    path, source = make_device_tests.file_of(name, oracle)
    assert path.read_text() == source, "run tests_host/make_device_tests.py"


@needs_qemu
def test_runner_on_serial_port_shows_table_and_exit_status(monkeypatch, capsys):
    """Of a few scripts: test_mpremote_run.py runs all of them over this board's serial port."""
    few = [path for path in device_tests.scripts() if path.name in FEW]
    assert len(few) == len(FEW)
    monkeypatch.setattr(device_tests, "scripts", lambda: few)
    build(BOARD)
    with Emulator(load_board(BOARD), pty=True) as emulator:
        status = device_tests.main([emulator.port, "/dev/nobody"])
    printed = capsys.readouterr().out
    assert all(name in printed for name in FEW)
    assert "no models here" in printed
    assert "(does not answer)" in printed
    assert printed.count("FAILED") == 1
    assert status == 1


@pytest.mark.parametrize(
    ("names", "said"), [(["/dev/nobody"], "(does not answer)"), ([], "usage: python -m")]
)
def test_runner_as_a_program_ends_with_its_status(names, said):
    done = subprocess.run(
        [sys.executable, "-m", "tflm_host.cli.device_tests", *names],
        env={"PYTHONPATH": FOLDERS, "PATH": "/usr/local/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said in done.stdout + done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("self.assertEqual(1, 2)", "1 != 2"),
        ("raise MemoryError", "MemoryError"),
        ("import sys; sys.exit()", "SystemExit"),
    ],
)
def test_failing_script_is_a_failure(tmp_path, body, said):
    path = tmp_path / "test_wrong.py"
    path.write_text(
        "from tflm_tests import TestCase, main\n"
        "class Wrong(TestCase):\n"
        f"    def test_it(self):\n        {body}\n"
        "    def test_well(self):\n        pass\n"
        "main()\n"
    )
    with open_target("unix") as target:
        outcome = run_one(target, path)
    assert not outcome.ok
    assert said in outcome.output


LACKING = """
from tflm_tests import TestCase, main
class Lacking(TestCase):
    def test_operator(self):
        import tflm
        raise tflm.UnsupportedOpError("this int8 model needs operators that this build lacks: X")
    def test_service(self):
        raise ImportError("this firmware was built without tflm.profiler: name it in TFLM_OPS")
    def test_well(self):
        pass
    def test_wrong(self):
        WRONG
main()
"""


@needs_qemu
@pytest.mark.parametrize("name", ["unix", BOARD])
def test_what_the_firmware_leaves_out_is_skipped_and_all_else_fails(tmp_path, name):
    path = tmp_path / "test_lacking.py"
    with open_target(name) as target:
        for code, failed in (("pass", 0), ("raise ImportError('no module')", 1)):
            path.write_text(LACKING.replace("WRONG", code))
            outcome = run_one(target, path)
            assert (outcome.passed, outcome.skipped, outcome.failed) == (2 - failed, 2, failed)
            assert outcome.skips == (LEFT_OUT, LEFT_OUT)
        path.write_text("import tflm.no_such_module\n")
        outcome = run_one(target, path)
        assert (outcome.passed, outcome.skips, outcome.failed) == (0, (LEFT_OUT,), 0)
        path.write_text("import no_such_module\n")
        assert not run_one(target, path).ok


def test_wrong_kernel_byte_is_found(tmp_path):
    source = CONV.read_text()
    at = source.index(" *2:Hx8= ") + len(" *2:")  # what the first call writes
    path = tmp_path / "test_conv.py"
    path.write_text(f"{source[:at]}Q{source[at + 1 :]}")
    with open_target("unix") as target:
        outcome = run_one(target, path)
    assert (outcome.passed, outcome.failed) == (0, 2)  # C and viper


def test_script_without_tests_or_summary_is_a_failure(tmp_path):
    path = tmp_path / "test_nothing.py"
    path.write_text("print('OK')\n")
    with open_target("unix") as target:
        assert not run_one(target, path).ok
    assert not Outcome("x", "y").ok


def test_script_runs_where_firmware_lacks_the_shared_module():
    with open_stock("unix-stock", "package.json") as target:
        path = target.path("beside").replace("beside", "lib/tflm_tests.mpy")
        target.exec(f"import os\nos.remove({path!r})")
        outcome = run_one(target, CONV)
    assert (outcome.passed, outcome.skipped, outcome.failed) == (1, 1, 0), outcome.output
