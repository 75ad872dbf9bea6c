"""The `tflm` command: output, --json keys, exit status 1 for bad models, 2 for wrong usage."""

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from support.models.model_builder import ModelBuilder, Quant
from tflm import Arena, ArenaError, Interpreter
from tflm_host.__main__ import COMMANDS as ALL_COMMANDS
from tflm_host.__main__ import main
from tflm_host.places import PACKAGE, ROOT
from tflm_host.targets.boards import all_board_names, load_board
from tflm_host.targets.emulator import Emulator
from tflm_host.targets.romfs import list_romfs

DIGITS = str(ROOT / "models" / "digits_cnn.tflite")
SINE = str(ROOT / "models" / "sine.tflite")
COMMANDS = ("arena", "inspect", "run", "verify", "bench")


@pytest.fixture
def tflm():
    """Call the command; the result has exit_code, stdout and stderr."""
    return lambda *args: CliRunner().invoke(main, [str(arg) for arg in args])


def answer(result, status=0):
    """Return the JSON object that a command printed."""
    assert result.exit_code == status, result.stderr
    return json.loads(result.stdout)


def test_help_lists_every_command(tflm):
    result = tflm("--help")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in (*COMMANDS, "romfs"))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("args", [(), (DIGITS, "--no-such-option"), (DIGITS, "more", "--count=x")])
def test_command_wrong_usage_exits_2(tflm, command, args):
    result = tflm(command, *args)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_command_bad_model_exits_1_with_reason_on_stderr(tflm, command, tmp_path):
    model = tmp_path / "cut.tflite"
    model.write_bytes((ROOT / "models" / "digits_cnn.tflite").read_bytes()[:1000])
    for path, reason in ((model, "1000"), (tmp_path / "none.tflite", "none.tflite")):
        result = tflm(command, path)
        assert result.exit_code == 1
        assert reason in result.stderr
        assert "Traceback" not in result.stderr
        assert result.stdout == ""


def test_arena_json_equals_what_the_interpreter_uses(tflm):
    facts = answer(tflm("arena", DIGITS, "--json"))
    assert facts["arena_bytes"] == Interpreter(DIGITS).arena_used_bytes()
    assert facts["model"] == DIGITS
    assert facts["planner"] == "overlap"
    assert facts["head_bytes"] + facts["tail_bytes"] <= facts["arena_bytes"]
    assert facts["boards"] == dict.fromkeys(all_board_names(), True)
    assert sum(row["tail_bytes"] for row in facts["per_op"]) <= facts["tail_bytes"]
    kinds = {row["kind"]: row["used"] for row in facts["kinds"]}
    assert kinds["node table"] + kinds["records"] == facts["tail_bytes"]


def test_arena_planner_linear_head_is_the_sum_of_its_buffers(tflm):
    facts = answer(tflm("arena", DIGITS, "--json", "--planner", "linear"))
    assert facts["head_bytes"] == sum(buffer["size"] for buffer in facts["buffers"])
    assert facts["head_bytes"] > answer(tflm("arena", DIGITS, "--json"))["head_bytes"]


def test_arena_board_shows_that_board_only(tflm):
    facts = answer(tflm("arena", DIGITS, "--json", "--board", "MICROBIT"))
    assert facts["boards"] == {"MICROBIT": True}
    assert tflm("arena", DIGITS, "--board", "NO_SUCH_BOARD").exit_code == 2


def test_arena_model_too_large_for_a_board_says_so(tflm, tmp_path):
    model = tmp_path / "large.tflite"
    model.write_bytes((ROOT / "models" / "sine.tflite").read_bytes() + bytes(5 << 20))
    assert answer(tflm("arena", model, "--json"))["boards"]["MICROBIT"] is False
    assert "does not fit" in tflm("arena", model, "--board", "MICROBIT").stdout


def test_arena_text_has_the_number_and_the_ops(tflm):
    need = Interpreter(DIGITS).arena_used_bytes()
    text = tflm("arena", DIGITS).stdout
    assert f"{need:,}" in text
    assert "CONV_2D" in text
    assert "worst moment" in text


def test_arena_folder_gives_a_line_each_and_the_shared_arena(tflm):
    folder = ROOT / "models"
    facts = answer(tflm("arena", folder, "--json"))
    paths = sorted(map(str, folder.glob("*.tflite")))
    assert [model["model"] for model in facts["models"]] == paths
    shared = facts["shared_arena_bytes"]
    assert f"{shared:,}" in tflm("arena", folder).stdout
    arena = Arena(shared)
    for path in paths:
        Interpreter(path, arena)
    short = Arena(shared - 16)
    with pytest.raises(ArenaError):
        for path in paths:
            Interpreter(path, short)


def test_arena_folder_without_models_exits_1(tflm, tmp_path):
    assert tflm("arena", tmp_path).exit_code == 1


def test_inspect_json_lists_ops_inputs_and_outputs(tflm):
    facts = answer(tflm("inspect", DIGITS, "--json"))
    assert facts["ops"][0] == {
        **facts["ops"][0],
        **{"index": 0, "op": "CONV_2D", "version": 3, "supported": True, "why": None},
    }
    assert facts["ops"][0]["types"][0] == "int8"
    interpreter = Interpreter(DIGITS)
    assert facts["inputs"][0]["shape"] == list(interpreter.inputs[0].shape)
    assert facts["outputs"][0]["scales"] == [interpreter.outputs[0].scale]


def test_inspect_unsupported_ops_all_named_with_reason(tflm, tmp_path):
    builder = ModelBuilder()
    tensors = [builder.tensor([1, 4], "UINT8", Quant(0.5)) for _ in range(3)]
    builder.op("RELU", tensors[:1], tensors[1:2])
    builder.op("TANH", tensors[1:2], tensors[2:])
    model = tmp_path / "old.tflite"
    model.write_bytes(builder.build(tensors[:1], tensors[2:]))
    facts = answer(tflm("inspect", model, "--json"), status=1)
    missing = [op for op in facts["ops"] if not op["supported"]]
    assert [op["op"] for op in missing] == ["RELU", "TANH"]
    assert all(op["why"] for op in missing)
    result = tflm("inspect", model)
    assert result.exit_code == 1
    assert "cannot run" in result.stdout


def test_error_names_the_file_and_is_json_where_json_is_asked_for(tflm, tmp_path):
    model = tmp_path / "broken.tflite"
    model.write_bytes(Path(DIGITS).read_bytes()[:3000])
    for command in ("inspect", "run", "arena", "verify", "bench"):
        result = tflm(command, model)
        assert result.exit_code == 1
        assert f"{model}: model: the offset or length at byte" in result.stderr
        facts = answer(tflm(command, model, "--json"), status=1)
        assert list(facts) == ["error"]
        assert facts["error"] in result.stderr


def test_inspect_text_says_how_to_feed_the_model(tflm):
    text = tflm("inspect", DIGITS, "--tensors").stdout
    assert "real = " in text
    assert "ops are supported" in text


def test_run_raw_and_npy_input_give_the_same_output_files(tflm, tmp_path):
    interpreter = Interpreter(DIGITS)
    shape = interpreter.inputs[0].shape
    values = np.arange(int(np.prod(shape))).astype(np.int8).reshape(shape)
    np.save(tmp_path / "in.npy", values)
    (tmp_path / "in.bin").write_bytes(values.tobytes())
    digests = set()
    for suffix in ("npy", "bin"):
        output = tmp_path / f"out.{suffix}"
        args = ("--input", tmp_path / f"in.{suffix}", "--output", output, "--json")
        facts = answer(tflm("run", DIGITS, *args))
        digests.add(facts["outputs"][0]["sha256"])
    raw = (tmp_path / "out.bin").read_bytes()
    assert digests == {sha256(raw).hexdigest()}
    assert np.load(tmp_path / "out.npy").tobytes() == raw
    interpreter.inputs[0].data[:] = values.tobytes()
    interpreter.invoke()
    assert raw == bytes(interpreter.outputs[0].data)


def test_run_json_has_target_backend_and_arena(tflm):
    facts = answer(tflm("run", DIGITS, "--json", "--profile", "--count", "3"))
    assert (facts["target"], facts["backend"], facts["heap_bytes"]) == ("host", "c", None)
    assert facts["arena_used_bytes"] == Interpreter(DIGITS).arena_used_bytes()
    assert len(facts["microseconds"]) == 3
    assert [row["op"] for row in facts["per_op"]][:1] == ["CONV_2D"]


def test_run_input_of_the_wrong_size_or_type_exits_1(tflm, tmp_path):
    (tmp_path / "short.bin").write_bytes(b"123")
    np.save(tmp_path / "float.npy", np.zeros((1, 8, 8, 2), np.float32))
    for name in ("short.bin", "float.npy"):
        result = tflm("run", DIGITS, "--input", tmp_path / name)
        assert result.exit_code == 1
        assert "takes" in result.stderr
    assert tflm("run", SINE, "--input", "a", "--input", "b").exit_code == 1


def test_run_backend_that_the_target_lacks_exits_1(tflm):
    result = tflm("run", DIGITS, "--backend", "viper")  # CPython has none
    assert result.exit_code == 1
    assert "viper" in result.stderr


def test_run_unknown_target_exits_2(tflm):
    assert tflm("run", DIGITS, "--target", "NO_SUCH_BOARD").exit_code == 2


@pytest.mark.firmware
@pytest.mark.parametrize("target", ["unix", "MPS2_AN386"])
def test_run_target_output_equals_host(tflm, target):
    host = answer(tflm("run", DIGITS, "--json", "--seed", "4"))
    other = answer(tflm("run", DIGITS, "--json", "--seed", "4", "--target", target, "--profile"))
    assert other["outputs"] == host["outputs"]
    assert other["arena_used_bytes"] == host["arena_used_bytes"]
    assert other["heap_bytes"] > 0
    assert len(other["per_op"]) == len(answer(tflm("inspect", DIGITS, "--json"))["ops"])


@pytest.mark.firmware
def test_run_serial_port_output_equals_host(tflm):
    host = answer(tflm("run", DIGITS, "--json"))
    with Emulator(load_board("MPS2_AN386"), pty=True) as emulator:
        facts = answer(tflm("run", DIGITS, "--json", "--target", emulator.port))
    assert facts["outputs"] == host["outputs"]
    assert facts["target"] == emulator.port


def test_verify_json_equal_models_report_no_difference(tflm, oracle):  # noqa: ARG001
    facts = answer(tflm("verify", DIGITS, "--json", "--count", "7"))
    assert (facts["inferences"], facts["different"]) == (7, 0)
    assert (facts["target"], facts["backend"]) == ("host", "c")


def test_verify_wrong_kernel_reports_differences_and_exits_1(tflm, oracle, monkeypatch):  # noqa: ARG001
    monkeypatch.setattr("tflm_host.targets.run._outputs", lambda _: [b"wrong"])
    facts = answer(tflm("verify", DIGITS, "--json", "--count", "3"), status=1)
    assert facts["different"] == 3


def test_verify_without_oracle_says_how_to_install_it(tflm, monkeypatch):
    monkeypatch.setattr("tflm_host.model.oracle.PACKAGE", "no_such_package")
    result = tflm("verify", DIGITS)
    assert result.exit_code == 1
    assert "pip install" in result.stderr


def test_romfs_models_aligned_in_the_image(tflm, tmp_path):
    image = tmp_path / "models.romfs"
    facts = answer(tflm("romfs", DIGITS, SINE, "-o", image, "--json"))
    found = list_romfs(image.read_bytes())
    assert [name for name, _, _ in found] == ["digits_cnn.tflite", "sine.tflite"]
    assert all(offset % 16 == 0 for _, offset, _ in found)
    assert facts["bytes"] == image.stat().st_size
    assert [f["offset"] for f in facts["files"]] == [offset for _, offset, _ in found]


def test_help_lists_every_command_and_imports_none():
    code = """
import sys
from click.testing import CliRunner
from tflm_host.__main__ import COMMANDS, main
text = CliRunner().invoke(main, ["--help"]).stdout
assert all(f"  {name} " in text and says in text for name, says in COMMANDS.items()), text
assert not {"numpy", "rich", "tflm"} & set(sys.modules), sorted(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    modules = {path.stem for path in (PACKAGE / "cli").glob("*.py")}
    internal = {"__init__", "common", "microphones", "examples", "demo", "device_tests"}
    internal |= {"docs", "docs_messages", "docs_tables", "front", "site", "release", "prose"}
    internal |= {"site_board", "docstring_text", "prose_rules", "prose_sources"}
    internal |= {"prose_comments", "docs_ways"}  # these are for `make`
    assert modules - internal == set(ALL_COMMANDS)
    assert all(main.get_command(None, name).name == name for name in ALL_COMMANDS)
