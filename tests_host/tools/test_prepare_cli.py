"""`tflm prepare`, and what the other commands make of its files."""

import json
import shutil
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

import _tflm
from support.nets import one_op_models
from tflm import Interpreter, Model
from tflm.spectral import Spectral
from tflm_host.__main__ import main
from tflm_host.cli import prepare as command
from tflm_host.places import ROOT
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build
from tflm_host.targets.emulator import QEMU, Emulator

GATED = ROOT / "models" / "digits_gated.tflite"
DIGITS = ROOT / "models" / "digits_cnn.tflite"
DS_CNN = ROOT / "models" / "digits_ds_cnn.tflite"
BOARD = "MPS2_AN386"


def tflm(*args, status=0):
    result = CliRunner().invoke(main, [str(arg) for arg in args])
    assert result.exit_code == status, result.output
    return result


@pytest.fixture
def prepare(tmp_path):
    """Prepare the gated model; return the file."""

    def run(*options):
        path = tmp_path / "prepared.tflite"
        tflm("prepare", GATED, "-o", path, *options)
        return path

    return run


def test_prepare_says_what_it_did(tmp_path):
    path = tmp_path / "out.tflite"
    result = tflm("prepare", GATED, "-o", path, "--target", BOARD, "--json")
    answer = json.loads(result.stdout)
    assert (answer["isa"], answer["layout"]) == ("dsp", _tflm.layout)
    assert answer["bytes"] == [GATED.stat().st_size, path.stat().st_size]
    assert answer["arena_bytes"][0] > answer["arena_bytes"][1]
    assert Model(path.read_bytes(), prepared=True).snapshot.arena_bytes == answer["arena_bytes"][1]


def test_model_of_spectral_features_is_a_file_like_any(tmp_path):
    path, prepared = tmp_path / "spectral.tflite", tmp_path / "prepared.tflite"
    path.write_bytes(Spectral(samples=64, rate=32).data)
    tflm("prepare", path, "-o", prepared)
    plain, quick = Interpreter(str(path)), Interpreter(str(prepared), prepared=True)
    for interp in plain, quick:
        interp.inputs[0].assign([i * i % 37 / 8 for i in range(192)])
        interp.invoke()
    assert bytes(plain.outputs[0].data) == bytes(quick.outputs[0].data)
    assert "SignalRfft" in tflm("bench", path).stdout
    tflm("run", path)


@pytest.mark.parametrize(
    ("target", "isa"), [("unix", "portable"), ("M0PLUS", "armv6m"), ("RPI_PICO", "armv6m")]
)
def test_prepare_knows_the_kernels_of(prepare, target, isa):
    assert Model(prepare("--target", target).read_bytes(), prepared=True).snapshot.isa == isa


def test_small_keeps_filters_as_they_are(tmp_path):
    usual, small = tmp_path / "usual.tflite", tmp_path / "small.tflite"
    tflm("prepare", DS_CNN, "-o", usual, "--target", "dsp")
    tflm("prepare", DS_CNN, "-o", small, "--target", "dsp", "--small")
    assert small.stat().st_size < usual.stat().st_size - 3000  # of 28,096
    models = [Model(path.read_bytes(), prepared=True) for path in (usual, small)]
    arenas = [
        Interpreter(model, measure=True, prepared=True).arena_used_bytes() for model in models
    ]
    assert arenas[0] == arenas[1]


def test_large_packs_a_filter_that_few_outputs_read(tmp_path):
    model, out = tmp_path / "model.tflite", tmp_path / "out.tflite"
    model.write_bytes(one_op_models.case_of("conv_2d_3x3", 4).model)  # 3,456 bytes, 20 outputs
    sizes = []
    for options in ((), ("--small",), ("--large",)):
        tflm("prepare", model, "-o", out, "--target", "dsp", *options)
        sizes.append(out.stat().st_size)
    assert sizes[0] == sizes[1] < sizes[2] - 2 * 3456
    said = tflm("prepare", model, "-o", out, "--small", "--large", status=2)
    assert "--small packs no filters, --large more of them" in said.output


def test_prepare_twice_is_the_same_file_whatever_the_clock_says(tmp_path, monkeypatch):
    first, second = tmp_path / "first.tflite", tmp_path / "second.tflite"
    tflm("prepare", GATED, "-o", first, "--target", BOARD)
    leaps = iter(range(0, 10**9, 300))  # each look at a clock takes minutes
    for name in ("monotonic", "time", "perf_counter"):
        monkeypatch.setattr(time, name, lambda: float(next(leaps)))
    tflm("prepare", GATED, "-o", second, "--target", BOARD)
    assert first.read_bytes() == second.read_bytes()


def test_feed_takes_no_more_arena_or_says_so(tmp_path):
    for model in (DIGITS, DS_CNN):
        arenas = []
        for options in ((), ("--feed",)):
            out = tmp_path / "out.tflite"
            args = model, "-o", out, "--target", BOARD, *options
            said = tflm("prepare", *args).stdout
            arenas.append(Model(out.read_bytes(), prepared=True).snapshot.arena_bytes)
        more = arenas[1] - arenas[0]
        assert ("more than without --feed" in said) == (more > 0)
        assert more <= 0 or f"{more} bytes of arena more" in said


def test_feed_that_takes_more_arena_says_how_much(tmp_path, monkeypatch):
    """No model here takes more, so another one takes the place of the fed one."""
    real = command.prepare_model

    def prepared(data, isa, **options):
        data = GATED.read_bytes() if options["feed"] else data
        return real(data, isa, **{**options, "feed": False})

    monkeypatch.setattr(command, "prepare_model", prepared)
    arenas = []
    for option in ((), ("--feed",)):
        out = tmp_path / "out.tflite"
        said = tflm("prepare", DIGITS, "-o", out, "--target", BOARD, *option).stdout
        arenas.append(Model(out.read_bytes(), prepared=True).snapshot.arena_bytes)
    assert arenas[1] > arenas[0]
    assert f"  {arenas[1] - arenas[0]:,} bytes of arena more than without --feed\n" in said


def test_prepare_unknown_target_or_broken_model_is_an_error(tmp_path):
    out = tmp_path / "out.tflite"
    result = tflm("prepare", GATED, "-o", out, "--target", "z80", status=2)
    assert "no target and no kernels are called z80" in result.stderr
    broken = tmp_path / "broken.tflite"
    broken.write_bytes(GATED.read_bytes()[:1000])
    tflm("prepare", broken, "-o", out, status=1)
    assert not out.exists()


def test_arena_of_a_prepared_model_is_what_a_run_uses(prepare):
    path = prepare("--target", _tflm.isa)
    need = json.loads(tflm("arena", path, "--json").stdout)["arena_bytes"]
    assert json.loads(tflm("run", path, "--json").stdout)["arena_used_bytes"] == need


def test_inspect_names_the_build_of_a_prepared_model(prepare):
    assert f"prepared for dsp kernels of builds with layout {_tflm.layout:x}" in (
        tflm("inspect", prepare("--target", "dsp")).stdout
    )
    assert json.loads(tflm("inspect", GATED, "--json").stdout)["prepared"] is None


def test_run_model_prepared_for_other_kernels_is_an_error(prepare):
    path = prepare("--target", "armv6m" if _tflm.isa != "armv6m" else "dsp")
    assert "prepared for" in tflm("run", path, status=1).stderr


@pytest.mark.firmware
@pytest.mark.skipif(shutil.which(QEMU) is None, reason=f"{QEMU} is not installed")
def test_deploy_prepared_model_for_this_board_only(prepare):
    build(BOARD)
    with Emulator(load_board(BOARD), pty=True) as emulator:
        port = "--yes", "--port", emulator.port
        wrong = tflm("deploy", prepare("--target", "portable"), *port, status=1)
        assert "prepared for portable kernels" in wrong.stderr
        assert "the board has dsp ones" in wrong.stderr
        right = tflm("deploy", prepare("--target", emulator.port), *port)
        assert "as on this machine" in right.stdout


def without_compiler(*args):
    """Run a command where no compiler is found, nor a library that was built before."""
    command = [sys.executable, "-m", "tflm_host", *map(str, args)]
    env = {"PATH": "", "PYTHONPATH": ":".join(sys.path), "TFLM_ISA": "absent"}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("command", ["inspect", "ops", "arena --board RPI_PICO"])
def test_command_without_a_compiler_says_the_same(command):
    done = without_compiler(*command.split(), GATED)
    assert (done.returncode, done.stderr) == (0, "")
    expected = tflm(*command.split(), GATED).stdout.splitlines()
    expected = [line for line in expected if "tflm prepare" not in line]  # nobody can tell
    assert done.stdout.split() == " ".join(expected).split()


@pytest.mark.parametrize("command", ["prepare -o {out}", "run", "bench"])
def test_command_without_a_compiler_names_it(command, tmp_path):
    done = without_compiler(*command.format(out=tmp_path / "out.tflite").split(), GATED)
    assert done.returncode == 1
    assert done.stderr.lstrip().startswith("Error: ")
    assert "no C kernels: no C compiler found: install gcc or clang, or set CC" in done.stderr
