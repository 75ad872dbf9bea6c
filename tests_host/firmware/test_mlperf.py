"""examples/mlperf_tiny.py replies to MLPerf Tiny's runner as its reference devices do."""

import shutil
import subprocess

import numpy as np
import pytest

import tflm
from support.device.mlperf import Runner, results
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
FORMS = {
    "kws01": ("kws_ref_model", np.int8),
    "ic01": ("pretrainedResnet_quant", np.uint8),
    "vww01": ("vww_96_int8", np.uint8),
    "ad01": ("ad01_int8", np.float32),
}
LEAVE_RAW, SOFT_RESET = b"\2", b"\4"  # control characters of the REPL
REPLIES = 3  # until a program that is there has said its name


def drawn(name, seed):
    """Return an input of the model *name* as the runner's files have them."""
    _, dtype = FORMS[name]
    rng = np.random.default_rng(seed)
    size = {"kws01": 490, "ic01": 32 * 32 * 3, "vww01": 96 * 96 * 3, "ad01": 640}[name]
    if dtype is np.float32:
        return rng.normal(-40, 15, size).astype(np.float32)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max + 1, size).astype(dtype)


def expected(model, name, values):
    """Return the results of *values*, from this machine's interpreter."""
    interp = tflm.Interpreter(str(model))
    tensor = interp.inputs[0]
    if name == "ad01":
        tensor.quantize(values)
    elif name == "kws01":
        tensor.data[:] = values.tobytes()
    else:
        tensor.data[:] = (values.astype(int) - 128).astype(np.int8).tobytes()
    interp.invoke()
    found = np.array(interp.outputs[0].dequantize()).ravel()
    if name == "ad01":
        found = [np.mean((found - values.astype(float)) ** 2)]
    return [f"{value:.3f}" for value in found]


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


def booted(link):
    """Return a Runner of the program on a board, which may be starting."""
    runner = Runner(link)
    link.write(b"name%")
    for _ in range(REPLIES):  # it may still say that it starts
        if "m-name-dut-[tflm]" in runner.replies():
            return runner
    raise AssertionError("the program has not started")


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
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: nothing here runs rp2040js")
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
