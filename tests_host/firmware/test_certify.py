"""`tflm certify` on the unix build and on emulated boards, and what may go wrong there."""

import fcntl
import getpass
import json
import os
import platform
import re
import shutil
import struct
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from support.models.model_builder import ModelBuilder, Quant
from tflm_host.__main__ import main
from tflm_host.certify import examination, form, models, scripts
from tflm_host.places import ROOT
from tflm_host.targets.board_files import NoRoom
from tflm_host.targets.boards import RP2_EMULATORS, load_board
from tflm_host.targets.build import build
from tflm_host.targets.emulator import QEMU, Emulator
from tflm_host.targets.open_target import open_target
from tflm_host.targets.repl import ExecError, TargetError

BOARD = "MPS2_AN386"
SHORT = ("--soak", "1", "--runs", "3")
SOAK = {"unix": 5}  # seconds; more than SLICE_SECONDS where a second of the target takes one here
FEW = ("test_cast.py", "test_circular.py")  # quick on a Pico
SKIPPED = {
    "unix": {"two cores", "flash write", "resets"},
    BOARD: {"two cores", "flash write", "resets"},
    "RPI_PICO": set(),
}


@pytest.fixture
def few(monkeypatch):
    """Let certificates take two device tests.

    test_device_scripts.py and test_mpremote_run.py hold that each passes on each board, and the
    certificate of unix that it gets into the file.
    """
    paths = [path for path in scripts.scripts() if path.name in FEW]
    assert len(paths) == len(FEW)
    monkeypatch.setattr(scripts, "scripts", lambda: paths)
    monkeypatch.setattr(scripts, "SMOKE", FEW[0])
    return paths


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tflm(*arguments):
    return CliRunner().invoke(main, ["certify", *map(str, arguments)])


def certified(name, folder, *options):
    """Return the certificate of *name*, and the text of both files."""
    program = "node" if name in RP2_EMULATORS else QEMU
    if name != "unix" and shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    result = tflm("--target", name, *SHORT, *options)  # the last of two equal options counts
    assert result.exit_code == 0, result.output
    (path,) = folder.glob("*.json")
    assert path.name == f"certificate-{name}-{form.load(path)['date']}.json"
    text = path.read_text() + path.with_suffix(".txt").read_text()
    assert tflm("--check", path).exit_code == 0
    return form.load(path), text


@pytest.mark.parametrize("name", ["unix", BOARD, pytest.param("RPI_PICO", marks=pytest.mark.long)])
def test_certificate_of_a_target_is_complete_and_unchanged(name, request, folder):
    paths = scripts.scripts() if name == "unix" else request.getfixturevalue("few")
    soak = SOAK.get(name, 1)
    found, text = certified(name, folder, "--soak", soak)
    assert found["complete"] and found["passed"]
    results = {step["name"]: step["result"] for step in found["steps"]}
    assert {step for step, result in results.items() if result == form.SKIPPED} == SKIPPED[name]
    assert found["kind"] == (form.UNIX if name == "unix" else form.EMULATED)
    assert len(found["models"]) == (10 if name == "RPI_PICO" else 5)
    for model in found["models"]:
        assert model["outputs_sha256"] == model["expected_sha256"]
        assert model["arena_bytes"] == model["expected_arena_bytes"]
        times = model["microseconds"]
        assert times["min"] <= times["median"] <= times["max"]
        assert model["runs"] >= 3
        is_modelled = name == "RPI_PICO" and model["cores"] == 1
        assert (model["modelled_microseconds"] is not None) == is_modelled
    assert [one["name"] for one in found["scripts"]][: len(paths)] == [one.name for one in paths]
    assert all(one["passed"] or one["skipped"] for one in found["scripts"])
    assert not any(scripts.LEFT_OUT in one["why_skipped"] for one in found["scripts"])
    assert found["soak"]["seconds"] == soak
    assert found["soak"]["runs"] >= 12 * examination.SOAK_ROUNDS
    assert found["soak"]["different"] == 0
    assert len(json.dumps(found, indent=1)) < 12_000
    says_nothing_of_people(text, folder)
    if name == "RPI_PICO":
        pico_wrote_flash_and_kept_its_number_to_itself(found, text)


def says_nothing_of_people(text, folder):
    """Fail where *text* has the user's name, folders, or the machine's name."""
    words = {getpass.getuser(), os.environ.get("LOGNAME", ""), platform.node()} - {""}
    assert [word for word in words if re.search(rf"\b{re.escape(word)}\b", text)] == []
    assert [part for part in (folder, Path.home(), ROOT) if f"{part}/" in text] == []
    assert form.private_parts(text) == []


def pico_wrote_flash_and_kept_its_number_to_itself(found, text):
    assert found["flash_write"]["writes"] == examination.WRITES
    assert found["flash_write"]["cores"] == 2
    spent = {(one["name"], one["cores"]): one["microseconds"]["median"] for one in found["models"]}
    assert spent["mobilenet_96", 2] < 0.8 * spent["mobilenet_96", 1]
    assert found["resets"] == ["soft", "hard"]
    image = load_board("RPI_PICO").firmware.with_suffix(".uf2").read_bytes()
    data = b"".join(image[at + 32 : at + 32 + 256] for at in range(0, len(image), 512))
    size = found["identity"]["firmware_bytes"]
    assert struct.unpack_from("<I", image, 12)[0] == 0x10000000
    assert len(data) - 256 < size <= len(data)
    assert found["identity"]["firmware_sha256"] == sha256(data[:size]).hexdigest()
    with open_target("RPI_PICO") as target:
        unique = target.exec("import machine\nprint(machine.unique_id().hex())").strip()
    assert len(unique) == 16
    assert unique not in text.lower()


@pytest.fixture
def port():
    """A board at a serial port; the emulator is `port.emulator`."""
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    build(BOARD)
    with Emulator(load_board(BOARD), pty=True) as emulator:
        yield emulator


def test_cable_that_is_pulled_leaves_an_incomplete_certificate(port, folder, monkeypatch):
    said = []

    def progress(_self, text):
        said.append(text)
        if text.startswith("digits_gated"):
            port.close()

    monkeypatch.setattr("tflm_host.cli.certify.Progress.__call__", progress)
    result = tflm("--port", port.port, *SHORT)
    assert result.exit_code == 1
    assert "this certificate is no success: models: failed" in result.stderr
    (path,) = folder.glob("*.json")
    found = form.load(path)
    assert (found["complete"], found["passed"]) == (False, False)
    results = [step["result"] for step in found["steps"]]
    assert results == [form.PASSED, form.FAILED, *[form.NOT_RUN] * 6]
    assert [model["name"] for model in found["models"]] == ["sine", "digits_cnn"]
    assert port.port not in path.read_text() + path.with_suffix(".txt").read_text()
    assert found["kind"] == form.EMULATED
    checked = tflm("--check", path)
    assert checked.exit_code == 1
    assert "unchanged, but no success" in checked.stdout


def test_ctrl_c_leaves_an_incomplete_certificate(folder, monkeypatch):
    def progress(_self, text):
        if text.startswith("soak: "):
            raise KeyboardInterrupt

    monkeypatch.setattr("tflm_host.cli.certify.Progress.__call__", progress)
    assert tflm("--target", "unix", *SHORT).exit_code == 1
    (path,) = folder.glob("*.json")
    results = {step["name"]: step["result"] for step in form.load(path)["steps"]}
    assert (results["models"], results["soak"]) == (form.PASSED, form.NOT_RUN)
    assert results["device tests"] == form.NOT_RUN


def test_large_model_replaces_no_rom_unasked(port, monkeypatch):
    """A model that does not fit into RAM: this board's is large, so its free RAM is denied."""
    exam = examination.Examination(port.port, no, 3, 1)
    exam.begin()
    monkeypatch.setattr("tflm_host.targets.board_files.BoardFiles._fits", lambda *_: False)
    with exam._step("large model") as step:
        exam._large()
    assert (step["result"], step["why"]) == (form.SKIPPED, "kept")
    assert exam.found["models"] == []


def test_large_model_asks_for_no_rom_that_is_smaller(monkeypatch):
    asked = []

    def opened(_self, _goldens, consent=None, cores=1):  # noqa: ARG001
        asked.append(consent)
        raise NoRoom("it does not fit into its RAM")

    monkeypatch.setattr(examination.Examination, "_opened", opened)
    exam = examination.Examination("/dev/ttyACM0", no, 3, 1)
    for board in ("NUCLEO_F446RE", "PYBV11", "RPI_PICO", "OF_SOMEBODY"):
        exam.found["board"] = board
        with exam._step("large model") as step:
            exam._large()
        assert step["result"] == form.SKIPPED
    assert asked == [None, None, no, no]


def no(what):
    assert "do not fit into its RAM: this replaces its /rom, which holds nothing" in what
    raise examination.SkipError("kept")


def test_wrong_outputs_fail_their_step_and_the_others_go_on(folder, monkeypatch, few):  # noqa: ARG001
    stored = examination.models.small

    def wrong():
        goldens = stored()
        goldens[1].outputs = "0" * 64
        return goldens

    monkeypatch.setattr(examination.models, "small", wrong)
    result = tflm("--target", "unix", "--soak", "1", "--runs", "2")
    assert result.exit_code == 1
    assert "models: failed, digits_cnn: the outputs differ from TFLM's" in result.stderr
    (path,) = folder.glob("*.json")
    found = form.load(path)
    assert (found["complete"], found["passed"]) == (True, False)
    assert found["steps"][-1]["result"] == form.PASSED


def test_leak_of_a_block_in_each_round_is_noticed(monkeypatch):
    indent, script = " " * 16, examination.script("certify_device")
    count = f"{indent}runs += 1"
    leaky = script.replace(count, f"{count}\n{indent}KEPT.append(bytes(1))")
    assert "KEPT" in leaky
    monkeypatch.setattr(examination, "script", lambda _: f"KEPT = []\n{leaky}")
    exam = examination.Examination("unix", None, 3, 1)
    exam.begin()
    with exam._step("soak") as step:
        exam._soak()
    assert step["result"] == form.FAILED
    assert "bytes of heap are lost" in step["why"]


def test_file_that_is_there_is_kept(folder):
    path = folder / "mine.json"
    for name in ("mine.json", "mine.txt"):
        (folder / name).write_text("mine")
        result = tflm("--target", "unix", "-o", path)
        assert result.exit_code == 1
        assert f"{name} exists: name another file with -o" in " ".join(result.stderr.split())
        assert (folder / name).read_text() == "mine"
        (folder / name).unlink()
    result = tflm("--target", "unix", "-o", folder / "none" / "mine.json")
    assert "is no folder" in " ".join(result.stderr.split())
    assert list(folder.iterdir()) == []


def test_board_without_tflm_is_told_from_one_that_is_in_use(folder, port):
    result = tflm("--target", f"{BOARD}-stock")
    assert result.exit_code == 1
    assert "has no tflm" in result.stderr
    with open(port.port, "rb+", buffering=0) as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        result = tflm("--port", port.port)
    assert result.exit_code == 1
    assert "another program has this port" in " ".join(result.stderr.split())
    assert list(folder.iterdir()) == []


def test_two_scripts_without_a_reply_end_the_examination(monkeypatch):
    def lost(name, paths):
        for path in paths:
            yield scripts.Outcome(name, path.name, failed=1, is_lost=True, output="no reply")

    monkeypatch.setattr(scripts, "run_all", lost)
    exam = examination.Examination("unix", None, 3, 1)
    with pytest.raises(TargetError, match="no reply"), exam._step("device tests"):
        exam._device_tests()
    assert len(exam.found["scripts"]) == 2


@pytest.fixture
def model_without_kernels(monkeypatch):
    """Let certificates try a model whose operator no build has."""
    builder = ModelBuilder()
    ends = [builder.tensor([1, 4], "INT8", Quant(0.1)) for _ in range(2)]
    builder.op("NoSuchOperator", [ends[0]], [ends[1]], custom_options=b"")
    model = builder.build(*[[end] for end in ends])
    lacking = models.Golden(examination.SOAKED, model, bytes(4), 1, "0" * 64)
    sine, digits, *_ = models.small()
    monkeypatch.setattr(models, "small", lambda: [sine, digits, lacking])


@pytest.mark.usefixtures("model_without_kernels")
def test_firmware_that_has_all_kernels_must_run_each_model():
    exam = examination.Examination("unix", None, 3, 1)
    exam.begin()
    with exam._step("models") as step:
        exam._models()
    assert step["result"] == form.FAILED
    assert "UnsupportedOpError" in step["why"]
    assert "NoSuchOperator" in step["why"]


@pytest.mark.usefixtures("model_without_kernels")
def test_model_that_the_firmware_lacks_operators_of_is_named_and_another_one_takes_its_place():
    exam = examination.Examination("unix", None, 3, 1)
    exam.begin()
    lacks_some(exam)
    for name, function in (("models", exam._models), ("soak", exam._soak)):
        with exam._step(name) as step:
            function()
        assert step["result"] == form.PASSED, step
    assert exam.found["steps"][1]["why"] == "without digits_gated: the firmware lacks operators"
    assert [one["name"] for one in exam.found["models"]] == ["sine", "digits_cnn"]
    assert exam.found["soak"]["model"] == "digits_cnn"


def test_firmware_that_lacks_operators_of_each_model_skips_what_needs_one(monkeypatch):
    monkeypatch.setattr(scripts, "is_left_out", lambda _: True)
    monkeypatch.setattr(examination.Examination, "_run", _raises)
    exam = examination.Examination("unix", None, 3, 1)
    exam.begin()
    lacks_some(exam)
    for name, function in (("models", exam._models), ("soak", exam._soak)):
        with exam._step(name) as step:
            function()
        why = "the firmware lacks operators of each model"
        assert (step["result"], step["why"]) == (form.SKIPPED, why)


def lacks_some(exam):
    """Let the examination take its target, which has all kernels, for one that lacks some."""
    assert exam._has_all
    exam._has_all = False


def _raises(*_):
    raise ExecError("UnsupportedOpError", "")
