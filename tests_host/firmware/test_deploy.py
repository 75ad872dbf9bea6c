"""`tflm deploy`: what reaches a board, what is refused before, and what an interruption leaves."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner

from support.models.model_builder import ModelBuilder, Quant
from tflm_host.__main__ import main
from tflm_host.deploy import models as deploy_module
from tflm_host.deploy.models import DeployError, Plan
from tflm_host.places import ROOT
from tflm_host.targets import open_target as targets
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build
from tflm_host.targets.emulator import QEMU, Emulator
from tflm_host.targets.open_target import SerialTarget, mpremote, open_target
from tflm_host.targets.repl import TargetError

BOARD = "MPS2_AN386"
SINE, DIGITS, DS_CNN = (
    ROOT / "models" / f"{name}.tflite" for name in ("sine", "digits_cnn", "digits_ds_cnn")
)
LIST = "import os\nprint(os.listdir('/rom') if 'rom' in os.listdir('/') else None)"
INFER = """
import tflm
interp = tflm.Interpreter("/rom/digits_cnn.tflite")
interp.invoke()
print(interp.model.in_flash, interp.outputs[0].argmax() in range(10))
"""

# Makes the firmware one that was built without a kernel, as with TFLM_OPS.
LESS = """
import _tflm, sys
from tflm.ops.index import kernel_names
class Less:
    pass
sys.modules["_tflm"] = less = Less()
for name in dir(_tflm):
    setattr(less, name, getattr(_tflm, name))
less.form = lambda i: kernel_names()[i] != "max_pool_2d_s8" and _tflm.form(i)
"""

# Makes it one without CONV_2D and SOFTMAX, whose codes nobody asks for now.
WITHOUT = """
import tflm.ops.index as index
codes = bytearray(index.CODES)
codes[codes.index(bytes([3]))] = codes[codes.index(bytes([25]))] = 255
index.CODES = bytes(codes)
index._prepares.clear()
"""

WAKE = {
    "wake_word": "okay nabu",
    "model": "okay_nabu.tflite",
    "version": 2,
    "micro": {
        "probability_cutoff": 0.97,
        "feature_step_size": 10,
        "sliding_window_size": 5,
    },
}
STEPS = 4  # at least, to write an image: begin, a chunk, its digest, the header

needs_qemu = pytest.mark.skipif(shutil.which(QEMU) is None, reason=f"{QEMU} is not installed")
pytestmark = needs_qemu


@pytest.fixture(scope="module")
def port():
    """The serial port of one board; no test leaves it unable to answer."""
    build(BOARD)
    with Emulator(load_board(BOARD), pty=True) as emulator:
        yield emulator.port


@pytest.fixture
def old(port):
    """The same port, with sine.tflite in /rom."""
    with SerialTarget(port, ()) as target:
        Plan(target, [SINE]).write()
    return port


def tflm(*args):
    return CliRunner().invoke(main, ["deploy", "--yes", *map(str, args)])


def listing(port):
    """Return what is in /rom after a reset, None where nothing is mounted there."""
    with SerialTarget(port, ()) as target:
        return target.exec(LIST).strip()


def one_op_model(op, **options):
    builder = ModelBuilder()
    x = builder.tensor([1, 8], "INT8", Quant(0.1, 0))
    y = builder.tensor([1, 8], "INT8", Quant(0.1, 0))
    builder.op(op, [x], [y], **options)
    return builder.build([x], [y])


def test_deploy_reset_import_infer_through_mpremote(old):
    result = tflm(DIGITS, DS_CNN, "--port", old)
    assert result.exit_code == 0, result.output
    assert "no longer in it: sine.tflite" in result.stderr
    assert result.stdout.count("in place") == result.stdout.count("as on this machine") == 2
    assert mpremote(old, "soft-reset", "exec", INFER).split() == ["True", "True"]


def test_deploy_json_says_what_each_model_did(port):
    answer = json.loads(tflm(SINE, "--port", port, "--json").stdout)
    (model,) = answer["models"]
    assert model["path"] == "/rom/sine.tflite"
    assert (model["in_flash"], model["checked"], model["backend"]) == (True, True, "c")


def test_wake_word_is_deployed_with_its_json_and_listens(port, shared, tmp_path):
    model = next((shared / "zoo").rglob("okay_nabu-0689ab.tflite"))
    shutil.copy(model, tmp_path / "okay_nabu.tflite")
    path = tmp_path / "okay_nabu.json"
    path.write_text(json.dumps(WAKE))
    result = tflm(path, "--port", port)
    assert result.exit_code == 0, result.output
    assert listing(port) == "['okay_nabu.tflite', 'okay_nabu.json']"
    asked = [str(path), "--wav", str(shared / "sense" / "data" / "nabu.wav"), "--json"]
    asked += ["--seconds", "2.2", "--why", "2"]
    here, there = (
        CliRunner().invoke(main, ["listen", *asked, *more]) for more in ([], ["--port", port])
    )
    assert there.stdout == here.stdout
    assert json.loads(here.stdout)["events"][0]["label"] == "okay nabu"


def test_model_too_big_for_partition_is_refused(old, tmp_path):
    big = tmp_path / "big.tflite"
    big.write_bytes(SINE.read_bytes() + bytes(4 << 20))
    result = tflm(big, "--port", old)
    assert result.exit_code == 1
    assert "the ROMFS partition has 4,194,304:" in result.stderr
    assert "too many" in result.stderr
    assert listing(old) == "['sine.tflite']"


def test_arena_too_big_for_heap_is_refused(old, tmp_path):
    builder = ModelBuilder()
    tensors = [builder.tensor([1, 1_200_000], "INT8", Quant(0.1, 0)) for _ in range(2)]
    builder.op("RELU", tensors[:1], tensors[1:])
    path = tmp_path / "wide.tflite"
    path.write_bytes(builder.build(tensors[:1], tensors[1:]))
    result = tflm(DIGITS, path, "--port", old)
    assert result.exit_code == 1
    assert "wide.tflite: needs 1,200," in result.stderr
    assert "bytes of arena" in result.stderr
    assert listing(old) == "['sine.tflite']"


def test_op_that_nobody_has_is_refused(old, tmp_path):
    path = tmp_path / "custom.tflite"
    path.write_bytes(one_op_model("IF"))
    result = tflm(path, "--port", old)
    assert result.exit_code == 1
    assert "IF int8 (node 0)" in result.stderr
    assert listing(old) == "['sine.tflite']"


def test_op_that_firmware_lacks_is_refused(old):
    with SerialTarget(old, ()) as target:
        target.exec(WITHOUT)
        with pytest.raises(ValueError, match="board lacks SOFTMAX .*, CONV_2D") as caught:
            Plan(target, [SINE, DIGITS])
    assert type(caught.value).__name__ == "UnsupportedOpError"
    assert listing(old) == "['sine.tflite']"


def test_kernel_that_firmware_lacks_is_refused(old):
    with SerialTarget(old, ()) as target:
        target.exec(LESS)
        with pytest.raises(ValueError, match="board lacks max_pool_2d_s8$") as caught:
            Plan(target, [SINE, DIGITS])
    assert type(caught.value).__name__ == "UnsupportedOpError"
    assert listing(old) == "['sine.tflite']"


def test_other_version_on_board_is_refused(old):
    with SerialTarget(old, ()) as target:
        target.exec("import tflm\ntflm.__version__ = '0.0.1'")
        with pytest.raises(DeployError, match=r"the board has tflm 0\.0\.1"):
            Plan(target, [SINE])


def test_two_models_of_one_name_are_refused(port, tmp_path):
    shutil.copy(DIGITS, tmp_path / SINE.name)
    result = tflm(SINE, tmp_path / SINE.name, "--port", port)
    assert (result.exit_code, "two files are called sine.tflite" in result.stderr) == (1, True)


def test_broken_model_is_refused_by_name(old, tmp_path):
    path = tmp_path / "cut.tflite"
    path.write_bytes(DIGITS.read_bytes()[:2000])
    result = tflm(path, "--port", old)
    assert (result.exit_code, "cut.tflite: " in result.stderr) == (1, True)
    assert listing(old) == "['sine.tflite']"


def test_port_that_does_not_exist_is_an_error(tmp_path):
    missing = tmp_path / "ttyACM9"
    result = tflm(SINE, "--port", missing)
    assert (result.exit_code, str(missing) in result.stderr) == (1, True)
    assert "Traceback" not in result.output


def test_port_where_nobody_answers_is_an_error(monkeypatch):
    monkeypatch.setattr(targets, "BOOT_SECONDS", 2)
    ours, theirs = os.openpty()
    try:
        result = tflm(SINE, "--port", os.ttyname(theirs))
    finally:
        os.close(ours)
        os.close(theirs)
    assert (result.exit_code, "no reply in 2 s" in result.stderr) == (1, True)


def test_board_without_tflm_is_an_error():
    with (
        open_target(f"{BOARD}-stock") as target,
        pytest.raises(DeployError, match="no tflm on this board"),
    ):
        Plan(target, [SINE])


def test_board_that_cannot_be_written_is_an_error():
    with (
        open_target("MICROBIT") as target,
        pytest.raises(DeployError, match="no ROMFS and no filesystem"),
    ):
        Plan(target, [SINE])


def test_interrupted_after_any_step_leaves_old_image_or_none(port):
    """Stop before step 1, 2, ... of the writing; nothing may load but all old or all new."""
    steps, left = 0, None
    while left != "['digits_cnn.tflite']":
        with SerialTarget(port, ()) as target:
            Plan(target, [SINE]).write()
        stop = (KeyboardInterrupt, EOFError, TargetError)[steps % 3]
        left = _write_stopped(port, steps, stop)
        allowed = ("None", "['digits_cnn.tflite']") if steps else ("['sine.tflite']",)
        assert left in allowed, f"step {steps}"
        steps += 1
    assert steps >= STEPS


def _write_stopped(port, steps, stop):
    """Deploy digits_cnn; raise *stop* instead of step number *steps*. Return what /rom has."""
    with SerialTarget(port, ()) as target:
        plan = Plan(target, [DIGITS])
        run, done = target.exec, 0

        def run_or_stop(*args):
            nonlocal done
            done += 1
            if done > steps:
                raise stop("cable pulled")
            return run(*args)

        target.exec = run_or_stop
        try:
            plan.write()
        except DeployError as error:
            assert "partition holds no image now and must be rewritten" in str(error)
    return listing(port)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_stopped_half_way_nothing_loads_and_next_deploy_works(old, sent):
    folders = f"{ROOT / 'host_tools'}:{ROOT / 'mp_modules'}"
    with subprocess.Popen(
        [sys.executable, "-c", DEPLOY_SLOWLY, old, str(DS_CNN)],
        env={**os.environ, "PYTHONPATH": folders},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline() == b"half-way\n"
        process.send_signal(sent)
        errors = process.communicate()[1]
    if sent == signal.SIGINT:  # what is killed can say nothing
        assert b"interrupted: the ROMFS partition holds no image now and must be" in errors
    assert listing(old) == "None"
    assert tflm(DIGITS, "--port", old).exit_code == 0
    assert mpremote(old, "soft-reset", "exec", INFER).split() == ["True", "True"]


DEPLOY_SLOWLY = """
import sys, time
from tflm_host.deploy.models import Plan
from tflm_host.targets.open_target import SerialTarget
def advance(nbytes):
    print("half-way", flush=True)
    time.sleep(60)
with SerialTarget(sys.argv[1], ()) as target:
    Plan(target, sys.argv[2:]).write(advance)
"""


@pytest.mark.parametrize("which", ["first", "other"])
def test_byte_that_reads_back_differently_leaves_no_image(old, which):
    code = (
        "good = rom.write\n"
        "def bad(offset, data):\n"
        "    data = bytearray(data)\n"
        f"    if (offset == 0) == {which == 'first'}:\n"
        "        data[100] ^= 1\n"
        "    good(offset, data)\n"
        "rom.write = bad"
    )
    with SerialTarget(old, ()) as target:
        plan = Plan(target, [DIGITS])
        target.exec(code)
        with pytest.raises(DeployError, match="read back differently; it holds no image"):
            plan.write()
    assert listing(old) == "None"


def test_output_that_differs_from_host_is_reported(port, monkeypatch):
    monkeypatch.setattr(deploy_module, "expected_outputs", lambda _: ["0" * 64])
    result = tflm(SINE, "--port", port)
    assert (result.exit_code, "the board's output differs" in result.stderr) == (1, True)
