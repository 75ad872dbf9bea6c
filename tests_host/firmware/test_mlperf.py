"""examples/mlperf_tiny.py replies to MLPerf Tiny's runner as its reference devices do."""

import shutil
import subprocess

import numpy as np
import pytest

from support.device.mlperf import (
    FORMS,
    Runner,
    accuracy,
    booted,
    drawn,
    expected,
    performance,
    results,
)
from support.device.rp2040js import require_rp2040js
from tflm_host.places import ROOT
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build
from tflm_host.targets.emulator import QEMU, Emulator
from tflm_host.targets.links import PipeLink, SerialLink
from tflm_host.targets.open_target import UNIX_HEAP, mpremote
from tflm_host.targets.romfs import build_romfs
from tflm_host.targets.rp2040 import Rp2040Emulator

pytestmark = pytest.mark.firmware

PROGRAM = ROOT / "examples" / "mlperf_tiny.py"
LEAVE_RAW, SOFT_RESET = b"\2", b"\4"  # control characters of the REPL


@pytest.fixture
def unix_device(shared, tmp_path):
    """A function that starts the program on the unix build, with one model."""
    running = []

    def start(name):
        model = shared / "models" / f"{FORMS[name][0]}.tflite"
        shutil.copy(model, tmp_path)
        command = [str(build("unix")), "-X", f"heapsize={UNIX_HEAP}", str(PROGRAM)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path
        )
        running.append(process)
        runner = Runner(PipeLink(process))
        assert runner.replies()[::2] == ["m-timestamp-mode-performance", "m-init-done"]
        return runner, model

    yield start
    for process in running:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("name", FORMS)
def test_inputs_and_results_are_those_of_the_reference(unix_device, name):
    runner, model = unix_device(name)
    assert runner.command("profile") == [
        "m-profile-[ULPMark for tinyML Firmware V0.0.1]",
        f"m-model-[{name}]",
    ]
    for seed in range(3):
        values = drawn(name, seed)
        assert runner.load(values.tobytes()) == ["m-load-done"]
        spent, found = runner.infer(2, 1)
        assert spent > 0
        assert found == expected(model, name, values)
    assert [results(line) for line in runner.command("results")] == [found]


def test_performance_is_the_median_of_five_windows(unix_device):
    runner, _ = unix_device("kws01")
    inputs = [drawn("kws01", seed).tobytes() for seed in range(5)]
    rate, complaints = performance(runner, inputs[:3], 2, 1)
    assert rate > 1
    assert complaints == ["ERROR 1", "ERROR 2"]
    count = 1
    while "ERROR 2" in complaints:  # until the windows are long enough for this machine
        count = max(2 * count, int(rate * 2.5))
        rate, complaints = performance(runner, inputs, count, 1)
    assert complaints == []
    assert rate > 1


def test_accuracy_of_eight_files_is_that_of_this_machine(unix_device):
    runner, model = unix_device("kws01")
    inputs = [drawn("kws01", seed) for seed in range(8)]
    wanted = [expected(model, "kws01", values) for values in inputs]
    classes = [int(np.argmax(np.array(values, float))) for values in wanted]
    classes[2:4] = [(name + 1) % 12 for name in classes[2:4]]  # two are called otherwise
    files = [(values.tobytes(), name) for values, name in zip(inputs, classes, strict=True)]
    assert accuracy(runner, files) == (75, wanted)


def test_wrong_commands_are_told(unix_device):
    runner, _ = unix_device("kws01")
    assert runner.command("name") == ["m-name-dut-[tflm]"]
    assert runner.command("infer 1 0") == ["e-[Input db has 0 bytes, expected 490]"]
    for text, reply in (
        ("nonsense 1", "e-[Unknown command: nonsense]"),
        ("", "e-[Unknown command: ]"),
        ("db", "e-[Command 'db' requires a subcommand]"),
        ("db load", "e-[Command 'db load' must be >0 bytes]"),
        ("db load x", "e-[Command 'db load' must be >0 bytes]"),
        ("db load 999999", "e-[999999 bytes, at most 27648 expected]"),
        ("db 00", "e-[Command 'db load' must come first]"),
        ("infer 0", "e-[Inference iterations must be >0]"),
        ("infer 1 -1", "e-[Inference warmup must be >=0]"),
    ):
        assert runner.command(text) == [reply], text
    runner.command("db load 10")
    assert runner.command("db 123") == ["e-[123 is no even number of hex digits]"]
    assert runner.command("db 0z") == ["e-[0z is no even number of hex digits]"]
    assert runner.command("db 0001fF") == []
    assert runner.command("db 03\r\n04050607080910") == ["m-load-done"]
    assert runner.command("db print") == ["m-buffer-00-01-ff-03-04-05-06-07", "m-buffer-08-09"]
    assert runner.command("infer 1 0") == ["e-[Input db has 10 bytes, expected 490]"]
    (stamp,) = runner.command("timestamp")
    assert int(stamp.removeprefix("m-lap-us-")) > 0


def check_keywords(link, model, count):
    runner = booted(link)
    assert runner.command("profile")[1] == "m-model-[kws01]"
    for seed in range(count):
        values = drawn("kws01", seed)
        assert runner.load(values.tobytes()) == ["m-load-done"]
        spent, found = runner.infer(2, 1)
        assert spent > 1000
        assert found == expected(model, "kws01", values)


@pytest.mark.skipif(shutil.which(QEMU) is None, reason=f"{QEMU} is not installed")
def test_runner_measures_an_emulated_m4f(shared):
    model = shared / "models" / "kws_ref_model.tflite"
    build("MPS2_AN386")
    image = build_romfs([(model.name, model.read_bytes())])
    with Emulator(load_board("MPS2_AN386"), image, pty=True) as emulator:
        mpremote(emulator.port, "run", "--no-follow", str(PROGRAM))
        link = SerialLink(emulator.port)
        check_keywords(link, model, 4)
        link.close()


def test_runner_measures_an_unattended_pico(shared):
    require_rp2040js()
    model = shared / "models" / "kws_ref_model.tflite"
    build("RPI_PICO")
    image = build_romfs([(model.name, model.read_bytes())])
    with Rp2040Emulator(load_board("RPI_PICO"), image, pty=True) as emulator:
        mpremote(emulator.port, "cp", str(PROGRAM), ":main.py")
        link = SerialLink(emulator.port)
        link.write(LEAVE_RAW + SOFT_RESET)
        text = b""
        while b"m-ready" not in text:
            text += link.read(10)
        check_keywords(link, model, 2)
        link.close()
