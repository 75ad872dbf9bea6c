"""The STM32 port's own firmware, NUCLEO_F446RE's, on Unicorn: it starts, runs and is deployed to.

Without MICROPYTHON_DIR all of these are skipped: ST's HAL is in no package, so that the port
builds from a full checkout of MicroPython only. test_stm32_chip.py tests the chip without it.
"""

import json
import os
import random
import subprocess
import sys

import pytest
from click.testing import CliRunner

from firmware.test_board_memories_on_board import runs_as_told
from firmware.test_stm32_boards import build, regions
from firmware.test_stm32_builds import managed, symbols
from support.models.small_models import two_wide
from tflm_host.__main__ import main
from tflm_host.certify import form, scripts
from tflm_host.deploy.models import DeployError, Plan
from tflm_host.measure.bench import counts_instructions
from tflm_host.places import BUILD, ROOT
from tflm_host.targets.boards import load_board
from tflm_host.targets.open_target import mpremote, open_target
from tflm_host.targets.repl import ExecError, TargetError
from tflm_host.targets.stm32 import Stm32Emulator

NAME, PYBOARD = "NUCLEO_F446RE", "PYBV11"
FACTORY = {
    NAME: ["boot.py", "main.py"],  # files that the port makes
    PYBOARD: ["README.txt", "boot.py", "main.py", "pybcdc.inf"],
}
MODELS = ROOT / "models"
SINE, DIGITS, DS_CNN = (
    MODELS / f"{name}.tflite" for name in ("sine", "digits_cnn", "digits_ds_cnn")
)
CUTS, HEADER = {NAME: 50, PYBOARD: 50}, 8  # the header's words come last
BOOT_SECONDS = 60
LIST_FILES = "import os\nprint(sorted(os.listdir('/flash')))"
FILES, ROM = (2, 3), 4  # sectors of the filesystem and of /rom
TARGET = "--target", NAME

SKIPS = {
    "no viper kernels here",
    "no viper kernels in this firmware",
    "no C kernels here",
    "no audio front end in this build",
    "no kernel for SIN in this build",
    "no tflm.spectral in this build",
    scripts.LEFT_OUT,
}
# Some of their tests use an operator or a service that the firmware leaves out.
WITH_TESTS_LEFT_OUT = {
    NAME: {
        "test_control.py",
        "test_errors.py",
        "test_interpreter.py",
        "test_interpreter.py after a reset",
        "test_public.py",
        "test_public_ops.py",
        "test_public_services.py",
        "test_public_sound.py",
        "test_resizing.py",
        "test_runtime.py",
    },
    PYBOARD: {"test_public.py", "test_public_sound.py"},
}
FEWEST = {NAME: 90, PYBOARD: 130}  # tests that pass


@pytest.fixture(scope="module", autouse=True)
def _checkout():
    if not os.environ.get("MICROPYTHON_DIR"):
        pytest.skip("no MICROPYTHON_DIR: the STM32 port builds from a full checkout only")
    build_here(NAME)


def build_here(name):
    status, _, lines = build(name, MICROPYTHON_DIR=os.environ["MICROPYTHON_DIR"])
    assert status == 0, "\n".join(lines)


@pytest.fixture
def board():
    with open_target(NAME, models=[SINE]) as opened:
        yield opened


def golden(path):
    return json.loads(path.with_suffix(".json").read_text())["golden"]


def command(*arguments):
    done = subprocess.run(
        [sys.executable, "-m", "tflm_host", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    return done.returncode, done.stdout + done.stderr


def test_start_makes_the_filesystem_and_mounts_the_rom(board):
    assert board.exec("import os\nprint(sorted(os.listdir('/')))") == "['flash', 'rom']\n"
    assert board.exec("print(os.listdir('/flash'), os.listdir('/rom'))") == (
        "['boot.py', 'main.py'] ['sine.tflite']\n"
    )
    assert {*board.chip.flash.erased} == {*FILES}  # what the port formats, and no more
    machine = board.exec("import sys\nprint(sys.implementation._machine)")
    assert machine == "NUCLEO-F446RE with STM32F446xx\n"


def test_heap_and_memories_are_those_of_the_linker_script(board):
    there = symbols(BUILD / NAME / "firmware.elf")
    heap = managed(there["_heap_end"] - there["_heap_start"])
    code = "import gc, uctypes\nprint(gc.mem_alloc() + gc.mem_free())"
    assert int(board.exec(code)) == heap >= load_board(NAME).heap_size
    address = int(board.exec("print(uctypes.addressof(bytearray(1000)))"))
    start, end = regions(NAME)["RAM"]
    assert start < address < end


def test_filesystem_keeps_files_over_a_reset_by_hardware(board):
    keeps_a_file_over_a_reset_by_hardware(board)


def keeps_a_file_over_a_reset_by_hardware(board):
    erased = len(board.chip.flash.erased)
    board.exec("with open('/flash/kept.txt', 'w') as file: file.write('kept' * 500)")
    board.exec("import os\nos.sync()\nRAM = 1")
    assert len(board.chip.flash.erased) > erased
    with pytest.raises(TargetError):
        board.exec("import machine\nmachine.reset()", 1)
    board.repl.enter(BOOT_SECONDS)
    assert board.exec("print('RAM' in globals(), open('/flash/kept.txt').read()[1996:])") == (
        "False kept\n"
    )
    code = "import machine\nprint(machine.reset_cause() == machine.SOFT_RESET)"
    assert board.exec(code) == "True\n"  # what the port says after that of a raw REPL


def test_time_goes_on_while_the_core_sleeps(board):
    code = """
import time
start = time.ticks_ms()
time.sleep(2)
print(2000 <= time.ticks_diff(time.ticks_ms(), start) <= 2002)
"""
    assert board.exec(code) == "True\n"
    with pytest.raises(ExecError, match="ZeroDivisionError"):
        board.exec("1 / 0")


@pytest.mark.slow
@pytest.mark.parametrize("name", [NAME, PYBOARD])
def test_every_device_script_passes_that_has_its_operators(name):
    build_here(name)
    outcomes = list(scripts.run_all(name))
    assert [one.output for one in outcomes if not one.ok] == []
    assert {reason for one in outcomes for reason in one.skips} <= SKIPS
    left_out = {one.script for one in outcomes if scripts.LEFT_OUT in one.skips}
    assert left_out == WITH_TESTS_LEFT_OUT[name]
    assert sum(one.passed for one in outcomes) >= FEWEST[name]


@pytest.mark.slow
def test_certificate_names_what_the_firmware_lacks(tmp_path, monkeypatch):
    few = [path for path in scripts.scripts() if path.name in ("test_cast.py", "test_control.py")]
    monkeypatch.setattr(scripts, "scripts", lambda: few)
    path = tmp_path / "nucleo.json"
    options = "--target", NAME, "--soak", "1", "--runs", "1", "-o", str(path)
    result = CliRunner().invoke(main, ["certify", *options])
    assert result.exit_code == 0, result.output
    found = form.load(path)
    assert (found["passed"], found["emulator"]) == (True, "unicorn")
    steps = {step["name"]: (step["result"], step["why"]) for step in found["steps"]}
    lacks = "without digits_gated: the firmware lacks operators"
    assert steps["models"] == (form.PASSED, lacks)
    result, why = steps["large model"]
    assert result == form.SKIPPED
    assert why.endswith(f"bytes of /rom, it holds {load_board(NAME).romfs_size}")
    assert [model["name"] for model in found["models"]] == ["sine", "digits_cnn", "digits_ds_cnn"]
    assert all(model["outputs_sha256"] == model["expected_sha256"] for model in found["models"])
    assert found["resets"] == ["soft", "hard"]
    assert found["scripts"][1]["why_skipped"] == [scripts.LEFT_OUT]


def test_tflm_run_and_verify_find_the_golden_bytes(tmp_path):
    inputs = tmp_path / "inputs.bin"
    inputs.write_bytes(bytes.fromhex(golden(DIGITS)["inputs"])[:64])
    status, printed = command("run", DIGITS, *TARGET, "--input", inputs, "--json")
    assert status == 0, printed
    status, printed = command("verify", DIGITS, *TARGET)
    assert status == 0, printed


def test_tflm_repl_runs_code_with_models_in_rom():
    code = b"import os\nprint(os.listdir('/rom'))"
    command = [sys.executable, "-m", "tflm_host", "repl", NAME, str(SINE)]
    done = subprocess.run(command, input=code, capture_output=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout) == (0, b"['sine.tflite']\n")


def test_mpremote_finds_it_at_a_terminal():
    with Stm32Emulator(load_board(NAME), pty=True) as emulator:
        printed = mpremote(emulator.port, "exec", "import os\nprint(os.listdir('/flash'))")
    assert printed == "['boot.py', 'main.py']\n"


def test_nothing_counts_its_instructions():
    assert not counts_instructions(NAME)
    with pytest.raises(TargetError, match="has no clock"):
        open_target(NAME, icount=True)


def test_deploy_writes_the_flash_by_the_code_of_the_port(board):
    plan, flash = Plan(board, [DIGITS, SINE]), board.chip.flash
    assert plan.facts["old"] == ["sine.tflite"]
    erased, programmed = len(flash.erased), flash.programmed
    plan.write()
    assert flash.erased[erased:] == [ROM]
    assert flash.programmed - programmed >= len(plan.image) // 4
    results = plan.prove()
    assert [(r["path"], r["in_flash"], r["checked"]) for r in results] == [
        ("/rom/digits_cnn.tflite", True, True),
        ("/rom/sine.tflite", True, True),
    ]


def writes_of_a_deploy(board):
    """Return how many times a deploy of DS_CNN writes or erases flash."""
    flash = board.chip.flash
    before = flash.programmed + len(flash.erased)
    Plan(board, [DS_CNN]).write()
    return flash.programmed + len(flash.erased) - before


@pytest.mark.slow
@pytest.mark.parametrize("name", [NAME, PYBOARD])
def test_power_cut_in_a_deploy_never_leaves_a_part_of_an_image(name):
    build_here(name)
    with open_target(name, models=[SINE]) as board:
        count = writes_of_a_deploy(board)
        drawn = random.Random(1).sample(range(3, count - HEADER), CUTS[name] - 3 - HEADER)
        for left in [0, 1, 2, *sorted(drawn), *range(count - HEADER, count)]:
            plan = Plan(board, [DS_CNN])
            board.cut_power(left)
            with pytest.raises(DeployError, match="holds no image now and must be rewritten"):
                plan.write()
            assert board.chip.stopped == "the power failed"
            board.power_on()
            assert board.exec("import os\nprint(sorted(os.listdir('/')))") == "['flash']\n", left
            assert board.exec(LIST_FILES) == f"{FACTORY[name]}\n"
        plan = Plan(board, [DIGITS])
        plan.write()
        (result,) = plan.prove()
    assert (result["path"], result["checked"]) == ("/rom/digits_cnn.tflite", True)


@pytest.mark.slow
def test_pyboard_whose_repl_boot_py_moves_is_deployed_to():
    build_here(PYBOARD)
    with open_target(PYBOARD, models=[SINE]) as board:
        assert board.exec(LIST_FILES) == f"{FACTORY[PYBOARD]}\n"
        assert board.exec("print('repl_uart' in open('/flash/boot.py').read())") == "True\n"
        erased = board.chip.flash.erased
        assert {*erased} <= {1, 2, 3, 4}
        count = len(erased)
        plan = Plan(board, [DIGITS, DS_CNN])
        plan.write()
        assert erased[count:] == [10]
        results = plan.prove()
        assert [(r["in_flash"], r["checked"]) for r in results] == [(True, True)] * 2
        keeps_a_file_over_a_reset_by_hardware(board)


def test_arena_beyond_the_heap_of_a_pyboard_runs_in_heap_and_ccm(tmp_path):
    def keep(board):  # why CCM is free only as long as no file is written
        board.exec("with open('/flash/log.txt', 'w') as file: file.write('log')")
        assert board.exec("print(memory[3:11])") == "bytearray(b'MSDOS5.0')\n"

    build_here(PYBOARD)
    near, far = runs_as_told(PYBOARD, two_wide(50_000, ends_small=False), tmp_path, keep)
    assert near >= 50_000
    assert far >= 50_000
