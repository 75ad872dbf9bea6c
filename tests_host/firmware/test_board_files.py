"""What `run`, `verify`, `bench` and `deploy` leave on a board: nothing, without consent."""

import json
import shutil
from hashlib import sha256

import click
import pytest
from click.testing import CliRunner

from tflm import Interpreter
from tflm_host.__main__ import main
from tflm_host.cli import common as cli_common
from tflm_host.deploy.models import Plan
from tflm_host.places import ROOT
from tflm_host.targets.board_files import BoardFiles, NoRoom
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build
from tflm_host.targets.emulator import QEMU, Emulator
from tflm_host.targets.open_target import SerialTarget, open_target

BOARD = "MPS2_AN386"
SINE, DIGITS = (ROOT / "models" / f"{name}.tflite" for name in ("sine", "digits_cnn"))
LISTING = "import os\nprint(sorted(os.listdir('/rom')), 'tflm_test_0.tmp' in os.listdir())"


def files(*paths):
    return [(path.name, path.read_bytes()) for path in paths]


@pytest.fixture(scope="module")
def board():
    """The serial port of a board."""
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    build(BOARD)
    with Emulator(load_board(BOARD), pty=True) as emulator:
        yield emulator.port


@pytest.fixture
def port(board):
    """The same, with sine.tflite in /rom."""
    with SerialTarget(board) as target:
        Plan(target, [SINE]).write()
    return board


def tflm(*args, status=0):
    result = CliRunner().invoke(main, list(map(str, args)))
    assert result.exit_code == status, result.output
    return result


def in_rom(port):
    with SerialTarget(port) as target:
        return target.exec(LISTING).strip()


def test_run_verify_and_bench_leave_rom_as_it_was(port, oracle):  # noqa: ARG001
    host = json.loads(tflm("run", DIGITS, "--json").stdout)
    there = json.loads(tflm("run", DIGITS, "--json", "--target", port).stdout)
    assert there["outputs"] == host["outputs"]
    emulated = json.loads(tflm("run", DIGITS, "--json", "--target", BOARD).stdout)
    # The model in RAM is not counted.
    assert abs(there["heap_bytes"] - emulated["heap_bytes"]) < DIGITS.stat().st_size // 2
    assert "model in RAM" in tflm("run", DIGITS, "--target", port).stdout
    tflm("verify", DIGITS, "--target", port, "--count", 2)
    assert "model in RAM" in tflm("bench", DIGITS, "--target", port).stdout
    assert in_rom(port) == "['sine.tflite'] False"


def test_model_that_is_deployed_runs_where_it_is(port):
    assert "model in flash" in tflm("run", SINE, "--target", port).stdout


@pytest.fixture
def large(tmp_path):
    """A model file larger than the board's RAM."""
    path = tmp_path / "large.tflite"
    path.write_bytes(SINE.read_bytes() + bytes(1 << 20))
    return path


def test_model_too_large_for_ram_replaces_rom_with_consent_only(port, large, monkeypatch):
    error = tflm("run", large, "--target", port, status=2).stderr
    assert "do not fit into its RAM: this replaces its /rom, which holds sine.tflite" in error
    assert "--yes" in error
    assert in_rom(port) == "['sine.tflite'] False"
    monkeypatch.setattr(cli_common.sys, "stdin", Terminal())
    monkeypatch.setattr(click.termui, "visible_prompt_func", lambda _: "n")
    tflm_asked("run", large, "--target", port, status=1)
    assert in_rom(port) == "['sine.tflite'] False"
    assert "model in flash" in tflm("run", large, "--target", port, "--yes").stdout


class Terminal:
    def isatty(self):
        return True


def tflm_asked(*args, status):
    """Run a command as at a terminal: CliRunner would take its place."""
    with pytest.raises(SystemExit) as caught:
        main([str(arg) for arg in args], prog_name="tflm")
    assert caught.value.code == status


def test_library_call_without_consent_refuses(port, large):
    with pytest.raises(NoRoom, match="do not fit into its RAM"), open_target(port, [large]):
        pass
    assert in_rom(port) == "['sine.tflite'] False"


def test_deploy_asks_before_it_replaces(port, monkeypatch):
    error = tflm("deploy", DIGITS, "--port", port, status=2).stderr
    assert "this replaces /rom, with sine.tflite; no longer in it: sine.tflite" in error
    monkeypatch.setattr(cli_common.sys, "stdin", Terminal())
    monkeypatch.setattr(click.termui, "visible_prompt_func", lambda _: "n")
    tflm_asked("deploy", DIGITS, "--port", port, status=1)
    assert in_rom(port) == "['sine.tflite'] False"
    monkeypatch.setattr(click.termui, "visible_prompt_func", lambda _: "y")
    tflm_asked("deploy", DIGITS, "--port", port, status=0)
    assert in_rom(port) == "['digits_cnn.tflite'] False"


@pytest.fixture
def small():
    """A MicroPython with a filesystem and a heap that the test chooses, in an empty folder."""

    def start(heap):
        target = open_target("unix", [("own.txt", b"my own")], heap=heap)
        path = target.path("own.txt")
        folder = path.rpartition("/")[0] + "/mine"
        target.exec(f"import os\nos.mkdir({folder!r})\nos.rename({path!r}, '{folder}/own.txt')")
        target.exec(f"os.chdir({folder!r})")
        return target

    return start


def test_inputs_that_do_not_fit_go_to_a_file_that_is_removed(small):
    blob = bytes(range(256)) * 800
    with small("120k") as target:
        target.exec("open('tflm_test_0.tmp', 'w').close()")  # somebody's own
        placed = BoardFiles(target, [*files(DIGITS), ("x.in", blob)])
        path = target.exec(f"print({placed.sources['x.in']})").strip()
        assert path.endswith("/tflm_test_1.tmp")
        found = target.exec(f"has({path!r}, {len(blob)})").strip()
        assert found == sha256(blob).hexdigest()
        code = f"import tflm\ni = tflm.Interpreter({placed.sources[DIGITS.name]})"
        target.exec(code)
        need = Interpreter(str(DIGITS)).arena_used_bytes()
        assert target.exec("print(i.arena_used_bytes())").split() == [str(need)]
        placed.remove()
        assert target.exec("print(sorted(os.listdir()))") == "['own.txt', 'tflm_test_0.tmp']\n"


def test_files_that_fit_nowhere_leave_nothing(small):
    with small("120k") as target:
        with pytest.raises(NoRoom, match="bytes of files and .* do not fit into its RAM"):
            BoardFiles(target, [("m.tflite", SINE.read_bytes() + bytes(1 << 20)), ("x.in", b"1")])
        assert target.exec("print(os.listdir())") == "['own.txt']\n"


def test_deploy_into_a_folder_asks_for_files_of_that_name_only(small):
    with small("1m") as target:
        folder = target.exec("print(os.getcwd())").strip()
        assert Plan(target, [SINE], folder).replaced == []
        Plan(target, [SINE], folder).write()
        assert Plan(target, [SINE, DIGITS], folder).replaced == ["sine.tflite"]
        assert "own.txt" in target.exec("print(os.listdir())")
