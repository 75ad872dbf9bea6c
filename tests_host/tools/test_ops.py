"""`tflm ops`, and firmware with the kernels of some models alone."""

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from support.models.model_builder import ModelBuilder
from tflm import UnsupportedOpError
from tflm.ops.index import kernel_names
from tflm_host.__main__ import main
from tflm_host.deploy import package
from tflm_host.deploy.models import Plan
from tflm_host.generate.__main__ import _pick
from tflm_host.generate.frozen import families_alone, families_of, freeze, services_of
from tflm_host.generate.picked import SELECTIONS, picked
from tflm_host.generate.rows import rows
from tflm_host.generate.sources import definitions
from tflm_host.generate.squeeze import SERVICES, needed_paths, texts_of
from tflm_host.generate.texts import texts_h
from tflm_host.measure import firmware_size
from tflm_host.model.kernels import kernels_of
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.boards import SOME_OPS, load_board
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import open_target
from tflm_host.targets.repl import ExecError
from tflm_host.targets.run import Job, run_jobs

MODELS = ROOT / "models"
SINE, DIGITS = MODELS / "sine.tflite", MODELS / "digits_cnn.tflite"
BOARD = "MPS2_AN386"
PICO = "RPI_PICO"  # whose port builds with CMake
PREPARED_INT8 = 109_500  # bytes of flash that the firmware takes beside MicroPython
SINE_KERNELS = "fully_connected_s8,fully_connected_per_channel_s8"


def ops(*args):
    result = CliRunner().invoke(main, ["ops", *map(str, args)])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_ops_are_the_kernels_of_all_models_once():
    assert ops(SINE).strip() == SINE_KERNELS
    both = ops(DIGITS, SINE).strip().split(",")
    assert both == [
        "conv_2d_s8",
        *SINE_KERNELS.split(","),
        "max_pool_2d_s8",
        "softmax_s8",
        "copy",
    ]
    everything = ops(MODELS).strip().split(",")
    assert set(both) < set(everything) <= set(kernel_names())


def test_ops_json_tells_the_kernels_of_each_model():
    answer = json.loads(ops(DIGITS, SINE, "--json"))
    assert set(answer["models"][str(SINE)]) == set(SINE_KERNELS.split(","))
    assert set(answer["models"][str(DIGITS)]) < set(answer["kernels"])


def test_kernels_of_a_prepared_model_are_those_of_the_plain_one():
    model = DIGITS.read_bytes()
    assert set(kernels_of(prepare(model, "dsp"))) == set(kernels_of(model))


def test_kernels_of_a_prepared_model_with_tables_are_those_that_run():
    model = (MODELS / "digits_gated.tflite").read_bytes()
    prepared, plain = set(kernels_of(prepare(model, "dsp"))), set(kernels_of(model))
    assert "lookup_s8" in prepared - plain
    assert "logistic_s8" in plain - prepared


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("conv_f32, conv_s8", ["conv_s8", "conv_f32"]),
        ("*_s8 # all int8", ["conv_s8", "pad_s8"]),
        ("*\n!*_f32\n!pad*", ["conv_s8", "copy"]),
        ("int8 conv_f32 !copy", ["conv_f32", "pad_s8"]),
    ],
)
def test_picked_names_and_patterns(text, expected):
    assert picked(text, ["conv_s8", "conv_f32", "copy", "pad_s8"]) == expected


def test_operators_that_python_runs_are_named_by_their_family(tmp_path):
    b = ModelBuilder()
    state, x, y = b.tensor([1], "RESOURCE"), b.tensor([4], "FLOAT32"), b.tensor([4], "FLOAT32")
    b.op("VAR_HANDLE", [], [state], shared_name="v")
    b.op("ASSIGN_VARIABLE", [state, x], [])
    b.op("READ_VARIABLE", [state], [y])
    path = tmp_path / "state.tflite"
    path.write_bytes(b.build([x], [y]))
    names = ops(path).strip().split(",")
    assert names[-1] == "resources"
    assert "control" not in names
    found = rows()
    assert families_alone(found) == ["control", "resources"]
    assert "resources" in families_of(",".join(names), found)
    kept = {Path(name).stem for name in needed_paths(families=families_of("copy", found))}
    assert kept.isdisjoint({"control", "resources", "periods"})
    with_control = {Path(name).stem for name in needed_paths(families=["control", "move"])}
    assert "control" in with_control
    assert "resources" not in with_control


def test_services_are_there_unless_a_selection_leaves_them_out():
    def kept(ops):
        families, services = families_of(ops, rows()), services_of(ops)
        return set(SERVICES) & {
            service
            for service, names in SERVICES.items()
            if {f"{name.replace('.', '/')}.py" for name in names}
            <= set(needed_paths(families=families, services=services))
        }

    assert kept("") == set(SERVICES)
    assert kept("copy") == kept("prepared") == set()
    assert kept("copy, state") == kept("prepared,state") == {"state"}
    assert _pick("prepared, state") == "prepared,state"
    assert _pick("copy state") == "copy,state"


def test_selection_int8_runs_own_int8_models_and_has_no_other_types():
    names = _pick("int8").split(",")
    assert {*ops(SINE).strip().split(","), *ops(DIGITS).strip().split(",")} < set(names)
    assert not [name for name in names if "_f32" in name and "quantize" not in name]
    assert not [name for name in names if "16" in name or "32" in name.replace("_f32", "")]
    assert _pick("prepared,int8").split(",") == ["prepared", *names]
    assert {"rows_mean_s8", "rows_dense_s8"} < set(names)  # where `tflm prepare` fuses layers
    assert len(SELECTIONS["int8"].split()) == len(names)  # no pattern


def test_prepared_models_only_takes_all_kernels_or_those_named():
    loading, kernels = "TFLM_HAS_LOADING=0", "TFLM_HAS_DEFAULT=0"
    for ops in ("prepared", "prepared,state"):
        assert loading in definitions(ops) and kernels not in definitions(ops)
    few = definitions("prepared,copy,state")
    assert loading in few and kernels in few
    assert few[-2:] == ["TFLM_HAS_COPY=1", "TFLM_HAS_STATE=1"]
    assert loading not in definitions("copy")


@pytest.mark.slow
def test_firmware_for_some_operators_has_the_messages_of_these_alone():
    whole = texts_of(needed_paths())
    kernels = {"kernels": ["conv_2d_s8", "copy"]}
    some = texts_of(needed_paths(families=["conv", "move"], services=(), **kernels), lean=True)
    assert any("cell" in text for text in whole)
    assert not any("cell" in text for text in some)
    assert set(some) < set(whole)
    folder, _ = freeze("conv_2d_s8,copy")
    assert (Path(folder) / "texts.h").read_text() == texts_h(some)


@pytest.mark.parametrize("text", ["co*,!conv_s8,!copy", "*_u8", "# conv_s8", ",", "copy !co*"])
def test_picked_nothing_or_unknown_raises(text):
    with pytest.raises(ValueError, match="TFLM_OPS"):
        picked(text, ["conv_s8", "copy"])


def test_package_of_other_kernels_is_another_one(monkeypatch):
    monkeypatch.delenv("TFLM_OPS", raising=False)
    whole = package.made_of("armv6m")
    assert package.made_of("armv6m") == whole
    monkeypatch.setenv("TFLM_OPS", "*")
    assert package.made_of("armv6m") != whole


def build(kernels, board=BOARD):
    command = ["make", "--no-print-directory", "firmware", f"BOARD={board}", f"TFLM_OPS={kernels}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.firmware
@pytest.mark.parametrize(
    ("board", "kernels", "reason"),
    [
        (BOARD, "conv_2d_s8,conv_3d_s8", "TFLM_OPS: there is no kernel 'conv_3d_s8'"),
        (BOARD + SOME_OPS, ",", "TFLM_OPS names no kernel"),
    ],
)
def test_build_wrong_list_of_kernels_fails_with_reason(board, kernels, reason):
    done = build(kernels, board)
    assert done.returncode != 0
    assert reason in done.stderr


def of_build(board):
    """Mark what writes or reads build/*board*-ops: one process runs all of it, in order."""
    return pytest.mark.xdist_group(board + SOME_OPS)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(BOARD, marks=of_build(BOARD)),
        # A port with CMake: it builds all that is not ours once more, which takes minutes.
        pytest.param(PICO, marks=[of_build(PICO), pytest.mark.long]),
    ],
)
def sine_only(request, tmp_path_factory):
    """Firmware with the kernels of the sine model, whose names come from a file."""
    board = request.param
    emulator = "node" if board == PICO else QEMU
    if shutil.which(emulator) is None:
        pytest.skip(f"{emulator} is not installed")
    names = tmp_path_factory.mktemp("ops") / "names"
    names.write_text(ops(SINE))
    done = build(names, board)
    assert done.returncode == 0, done.stderr
    return board + SOME_OPS


@pytest.mark.firmware
@pytest.mark.parametrize("kind", ["plain", "prepared"])
def test_firmware_of_one_model_runs_it_and_names_what_others_lack(sine_only, kind):
    def run(path, target):
        model = path.read_bytes()
        if kind == "prepared":
            model = prepare(model, load_board(sine_only).isa)
        size = 1 if path == SINE else 64
        return run_jobs(target, [Job(path.name, model, [[bytes(range(size))]], prepared=True)])[0]

    sine = run(SINE, sine_only)
    assert sine.error is None
    assert sine.backend == "c"
    assert sine.outputs == run_jobs("host", [Job("s", SINE.read_bytes(), [[b"\0"]])])[0].outputs
    name, message = run(DIGITS, sine_only).error
    assert name == "UnsupportedOpError"
    if kind == "prepared":
        assert message.startswith("kernels missing in this build: ")
        assert all(name in message for name in ("conv_2d_s8", "max_pool_2d_s8", "softmax_s8"))
        assert "fully_connected_s8" not in message
    else:  # their families are not there either
        assert message.startswith(
            "this int8 model needs operators that this build lacks: CONV_2D int8"
        )
        assert all(op in message for op in ("MAX_POOL_2D", "SOFTMAX"))
        assert "FULLY_CONNECTED" not in message


SHOWN = """import tflm

def said(function, *arguments):
    try:
        print(function(*arguments))
    except Exception as error:
        print(type(error).__name__, error)

interp = tflm.Interpreter("/rom/m.tflite")
interp.invoke()
print(interp)
said(interp.arena_report)
said(tflm.Interpreter, "/rom/m.tflite", 64)
said(tflm.Model("/rom/m.tflite", prepared=False).arena_required)
"""


@pytest.mark.firmware
@of_build(BOARD)
def test_firmware_for_prepared_models_runs_them_and_says_what_others_need():
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    assert build("prepared,int8").returncode == 0
    sizes = firmware_size.sizes_of(BOARD + SOME_OPS)
    assert sizes["tflm C"][0] + sizes["tflm Python"][0] < PREPARED_INT8
    target, model = BOARD + SOME_OPS, (MODELS / "digits_cnn.tflite").read_bytes()
    fed = [[bytes(range(64))]]
    expected = run_jobs("host", [Job("plain", model, fed)])[0].outputs
    jobs = [
        Job("prepared", prepare(model, load_board(target).isa), fed, prepared=True),
        Job("plain", model, fed),
    ]
    prepared, plain = run_jobs(target, jobs)
    assert prepared.error is None
    assert prepared.outputs == expected
    name, message = plain.error
    assert name == "UnsupportedOpError"
    (unsaid,) = run_jobs(target, [replace(jobs[0], prepared=None, name="unsaid")])  # /rom suffices
    assert unsaid.outputs == expected
    with open_target(target, models=[("m.tflite", jobs[0].model)]) as device:
        load = "import tflm\ntflm.Interpreter(bytes(memoryview(open('/rom/m.tflite', 'rb'))))"
        with pytest.raises(ExecError, match=r"only in /rom: put it there .* or say prepared=True"):
            device.exec(load)
        lines = device.exec(SHOWN).splitlines()
    # MicroPython warns of `raise ... from`.
    shown, report, short, plain = [line for line in lines if not line.startswith("Warning: ")]
    assert shown == "<Interpreter>"
    assert report.endswith("this firmware was built without tflm.report: name it in TFLM_OPS")
    assert short.startswith("ArenaError arena for this model: ")
    assert plain == "UnsupportedOpError " + message
    assert message == "this firmware runs prepared models only: make one with tflm prepare"


@pytest.mark.firmware
def test_deploy_to_firmware_of_one_model_refuses_others(sine_only):
    with open_target(sine_only) as target:
        with pytest.raises(
            UnsupportedOpError, match="the firmware of the board lacks .*softmax_s8"
        ):
            Plan(target, [SINE, DIGITS])
        if sine_only.startswith(PICO):
            plan = Plan(target, [SINE])
            plan.write()
            assert [result["checked"] for result in plan.prove()] == [True]


@pytest.mark.firmware
def test_firmware_of_one_model_holds_little_code(sine_only):
    sizes = firmware_size.sizes_of(sine_only)
    assert 200 < sizes["kernels"][0] < 8000
