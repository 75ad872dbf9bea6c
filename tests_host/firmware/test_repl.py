"""`tflm repl`, `tflm doctor --port` and `tflm deploy` on emulated boards and the unix build."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from contextlib import suppress

import pytest

import tflm
from tflm_host.places import ROOT
from tflm_host.targets.boards import load_board
from tflm_host.targets.emulator import Emulator

pytestmark = pytest.mark.firmware

SINE, DIGITS = ROOT / "models" / "sine.tflite", ROOT / "models" / "digits_cnn.tflite"
LEAVE = b"\x1d"  # Ctrl-]
SECONDS = 120
AGAIN_SECONDS = 5


def command(*arguments, code=None):
    words = [sys.executable, "-m", "tflm_host", *map(str, arguments)]
    return subprocess.run(words, input=code, capture_output=True, text=True, check=False)


def typed(arguments, steps):
    """Run the command at a terminal; of each step, wait for its first text, then type the other.

    What is typed while a program takes the terminal over is lost, and is typed once more. Returns
    all that was shown, and the exit status.
    """
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "tflm_host", *map(str, arguments)]
    process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown, seen, typing = b"", 0, b""
    end = time.monotonic() + SECONDS
    try:
        for awaited, answer in steps:
            while awaited not in shown[seen:]:
                assert time.monotonic() < end, shown
                if select.select([ours], [], [], AGAIN_SECONDS)[0]:
                    shown += os.read(ours, 4096)
                else:
                    os.write(ours, typing)
            seen, typing = len(shown), answer
            os.write(ours, typing)
        while time.monotonic() < end:
            with suppress(subprocess.TimeoutExpired):
                return shown, process.wait(AGAIN_SECONDS)
            os.write(ours, typing)
        return shown, None
    finally:
        process.kill()
        process.wait()
        os.close(ours)


@pytest.mark.parametrize("port", ["MPS2_AN386", "unix"])
def test_repl_in_a_pipe_runs_the_code_and_prints_what_it_prints(port):
    done = command(
        "repl", port, code="import tflm\nfor i in range(3):\n    print(i, tflm.backends())"
    )
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["0", "1", "2"]
    assert "'c'" in done.stdout


def test_repl_in_a_pipe_ends_with_1_where_the_code_raises():
    code = "import tflm\nprint(tflm.Interpreter('/rom/sine.tflite').arena_used_bytes())\n1 / 0"
    done = command("repl", "MPS2_AN386", SINE, DIGITS, code=code)
    assert (done.returncode, done.stdout) == (1, "240\n")
    assert "ZeroDivisionError" in done.stderr


def test_repl_at_a_terminal_answers_what_is_typed_and_goes_with_ctrl_bracket():
    load = b"import tflm; print('op' + 'ened', tflm.Interpreter('/rom/sine.tflite'))\r"
    steps = [(b"to exit", b"\r"), (b">>> ", load), (b"opened", b"\r"), (b">>> ", LEAVE)]
    shown, status = typed(["repl", "MPS2_AN386", SINE], steps)
    assert status == 0
    assert b"/rom/sine.tflite" in shown


def test_repl_of_unix_at_a_terminal():
    steps = [(b">>> ", b"import tflm; print('x' * 3 + tflm.__version__)\r"), (b"xxx0", b"\x04")]
    assert typed(["repl", "unix"], steps)[1] == 0


@pytest.mark.parametrize(("port", "leave"), [("MPS2_AN386", LEAVE), ("unix", b"\3\4")])
def test_tab_shows_the_public_names_and_of_an_arena_no_others(port, leave):
    """MicroPython 1.25 also shows private names that lie between public ones; 1.26 does not."""
    interp = tflm.Interpreter(str(SINE))
    objects = {"interp": interp, "tensor": interp.inputs[0], "arena": tflm.Arena(64)}
    code = "import tflm; interp = tflm.Interpreter('%s'); tensor = interp.inputs[0]; arena = "
    path = SINE if port == "unix" else "/rom/sine.tflite"
    steps = [(b"to exit", b"\r")] * (port != "unix")
    steps.append((b">>> ", (code % path + "tflm.Arena(64); print('ma' + 'de')\r").encode()))
    steps.append((b"made", b"\r"))
    for name in objects:
        steps += [(b">>> ", b"%s.\t" % name.encode()), (b"\n>>> ", b"\3"), (b">>> ", b"\r")]
    arguments = ["repl", port] + [SINE] * (port != "unix")
    shown, status = typed(arguments, [*steps, (b">>> ", leave)])
    assert status == 0
    for name, thing in objects.items():
        listed = re.search(rb"\b%s\.\r\n(.*?)>>>" % name.encode(), shown, re.DOTALL)[1].decode()
        public = {word for word in listed.split() if not word.startswith("_")}
        assert public == {word for word in dir(thing) if not word.startswith("_")}, name
        assert name != "arena" or public == set(listed.split())


@pytest.mark.parametrize(
    ("arguments", "status", "reason"),
    [
        (("RPI_PICO2",), 1, "nothing emulates RPI_PICO2"),
        (("NO_SUCH_BOARD",), 2, "no target is called 'NO_SUCH_BOARD'"),
        (("unix", SINE), 2, "opens the files of this machine"),
        (("/dev/no-such-port",), 1, "/dev/no-such-port"),
    ],
)
def test_repl_that_cannot_be_says_why(arguments, status, reason):
    done = command("repl", *arguments, code="")
    assert done.returncode == status
    assert reason in " ".join(done.stderr.split())


def test_deploy_onto_an_emulated_board_proves_the_models_there():
    done = command("deploy", SINE, DIGITS, "--port", "MPS2_AN386", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert [model["path"] for model in answer["models"]] == [
        "/rom/sine.tflite",
        "/rom/digits_cnn.tflite",
    ]
    assert all(model["checked"] and model["in_flash"] for model in answer["models"])
    assert command("deploy", SINE, "--port", "unix").returncode == 2


def test_doctor_asks_an_emulated_board_and_one_at_a_port():
    with Emulator(load_board("MPS2_AN386"), pty=True) as emulator:
        ports = "--port", "MPS2_AN386", "--port", emulator.port
        done = command("doctor", *ports, "--json")
        assert done.returncode == 0, done.stderr
        boards = json.loads(done.stdout)["boards"]
    assert [board["port"] for board in boards] == ["MPS2_AN386", emulator.port]
    for board in boards:
        assert "Cortex-M4F" in board["board"]
        assert (board["backends"], board["error"]) == (["c"], None)


def test_builds_say_what_they_do_and_where_the_result_lies():
    command = ["make", "--no-print-directory", "unix"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    log, built = "building unix: the log is build/unix.log", "built build/unix/micropython in"
    is_current = "build/unix/micropython is current" in done.stdout
    assert is_current != (log in done.stdout and built in done.stdout)
