"""Runs the scripts of tests_device/ on a target.

Nothing is written to a real board: the scripts are self-contained, except test_runtime.py, which
looks for the files of models/ in /rom. What they share is tflm_tests.py, which firmware and
package have; to the memory of firmware with some operators it is sent. An emulated board has the
scripts in its /rom, where they fit, because its serial line takes longer than all tests. A Pico
has none there: its stack of 8 KB is too short for execfile() below the deepest tests. Before each
script the board is reset softly. Where a script asks for it, the runner presses Ctrl-C.
"""

import re
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .. import places
from ..deploy.package import package_files
from ..places import TESTS
from ..targets.boards import (
    RP2_EMULATORS,
    STOCK,
    UNICORN,
    UNIX_TARGETS,
    all_board_names,
    board_names,
    folder_of,
    load_board,
)
from ..targets.open_target import open_target
from ..targets.repl import CTRL_C, ExecError, RawRepl, TargetError
from ..targets.viper import FIND_VIPER, arch_of

FOLDER = TESTS.parent
MODELS = sorted([*places.MODELS.glob("*.tflite"), *places.MODELS.glob("*.json")])
SMOKE = "test_interpreter.py"  # runs once more after a reset
SECONDS = 600
RESET_SECONDS = 60
CUE = b"press Ctrl-C"
ROM_FOR_SCRIPTS = 1 << 20
SUMMARY = re.compile(r"^Ran (\d+) tests, (\d+) skipped, (\d+) failed", re.MULTILINE)
SKIPPED = re.compile(r"^\w+: skipped, (.*)$", re.MULTILINE)
FAILED = re.compile(r"^\w+: FAIL\n(.*?)(?=^test_\w+: |^Ran \d)", re.MULTILINE | re.DOTALL)
# Why firmware that TFLM_OPS or a board's kernels.txt made smaller cannot run a test.
LEFT_OUT = "this firmware lacks operators or services of it"
LACKS = re.compile(
    r"UnsupportedOpError: .* operators that this build lacks: "
    r"|UnsupportedOpError: this build has no C kernels for "
    r"|ImportError: this firmware was built without |ImportError: no module named 'tflm\."
)

# Makes the module tflm_tests of its source, where the firmware has none.
MISSING = """
try:
    import tflm_tests
    print("False")
except ImportError:
    print("True")
"""
INSTALL = """
import sys
class _Module:
    pass
def _install(source):
    names = {"__name__": "tflm_tests"}
    exec(source, names)
    module = sys.modules["tflm_tests"] = _Module()
    for key in names:
        setattr(module, key, names[key])
"""


@dataclass
class Outcome:
    """The output of one script on one target."""

    target: str
    script: str
    passed: int = 0
    skipped: int = 0
    failed: int = 0
    seconds: float = 0.0
    printed: str = ""
    output: str = ""  # of a script that failed
    skips: tuple = ()  # why tests were skipped
    is_lost: bool = False  # whether the target did not reply

    @property
    def ok(self):
        return self.failed == 0 and self.passed + self.skipped > 0


def scripts():
    """Return the scripts of tests_device/, sorted."""
    return sorted(FOLDER.glob("test_*.py"))


def run_all(name, paths=None):
    """Yield an Outcome for each script on target *name*, then one for a reset and import.

    paths  of the scripts; None: all of them
    """
    paths = paths or scripts()
    emulated = folder_of(name) in all_board_names()
    files = [*MODELS, *stock_package(name)] if emulated or name in UNIX_TARGETS else []
    if name in UNIX_TARGETS:
        for path in paths:
            with open_target(name, files) as target:  # it has no soft reset
                folder = target.path(MODELS[0]).rpartition("/")[0]
                target.exec(f"MODELS = ({folder!r},)")
                yield run_one(target, path)
        return
    in_rom = emulated and folder_of(name) not in RP2_EMULATORS
    if in_rom and load_board(name).romfs_size >= ROM_FOR_SCRIPTS:
        files += paths
    viper = emulated and not name.endswith(STOCK) and folder_of(name) not in UNICORN
    with open_target(name, files, viper=viper) as target:
        for path in paths:
            yield run_one(target, path)
        again = run_one(target, FOLDER / SMOKE)
        again.script += " after a reset"
        yield again


def stock_package(name):
    """Return the files that give stock firmware *name* the C kernels; none for any other."""
    if not name.endswith(STOCK) or name in UNIX_TARGETS:
        return []
    if folder_of(name) not in board_names():
        raise TargetError(f"{name} has no /rom that could hold the package")
    arch = arch_of(load_board(name).cpu)
    return [("lib/" + path, data) for path, data in package_files(arch, "package.json")]


def run_one(target, path):
    """Reset the board, run one script on it and return its Outcome."""
    start = time.monotonic()
    output, failure, is_lost = "", "", False
    try:
        if isinstance(target.repl, RawRepl):
            target.repl.enter(RESET_SECONDS)
            if target.exec("print('CTRL_C' in globals())").strip() != "False":
                raise TargetError("names outlived the soft reset")
        if target.exec(MISSING).strip() == "True":
            target.exec(f"{INSTALL}_install({TESTS.read_text()!r})\ndel _install, _Module")
        script = Path(path).read_text()
        target.exec("CTRL_C = True")
        if target.viper and re.search("viper|KernelCalls", script):
            target.exec(FIND_VIPER)
        output = exec_with_ctrl_c(target, _in_rom(target, path) or script)
    except ExecError as error:  # SystemExit, where a test failed
        output, failure = error.output, error.traceback
    except TargetError as error:
        failure, is_lost = str(error), True
    outcome = Outcome(target.name, Path(path).name, seconds=time.monotonic() - start)
    outcome.printed, outcome.is_lost = output, is_lost
    _count(outcome, failure)
    if outcome.failed:
        outcome.output = f"{output}\n{failure}".strip()
    return outcome


def is_left_out(traceback):
    """Tell whether code failed because this firmware lacks an operator or a service.

    Of the examples of walk(), between which a line is empty, the first one that went wrong tells:
    the others may follow from it.
    """
    first = traceback.strip().partition("\n\n")[0]
    return bool(LACKS.match(first.rpartition("\n")[2]))


def _count(outcome, failure):
    """Count the tests of a script that ended with *failure*, "" for none."""
    printed, left_out = outcome.printed, 0
    outcome.skips = tuple(SKIPPED.findall(printed))
    summary = SUMMARY.search(printed)
    if summary:
        count, outcome.skipped, outcome.failed = map(int, summary.groups())
        outcome.passed = count - outcome.skipped - outcome.failed
    if outcome.failed and not outcome.is_lost:
        left_out = sum(map(is_left_out, FAILED.findall(printed)))
    elif failure or not summary:
        outcome.failed = max(outcome.failed, 1)
        left_out = int(not summary and is_left_out(failure))
    outcome.failed -= left_out
    outcome.skipped += left_out
    outcome.skips += (LEFT_OUT,) * left_out


def _in_rom(target, path):
    """Return code that runs the script at *path* from the target's /rom, None where it is not."""
    with suppress(KeyError):
        place = target.path(path)
        if place == f"/rom/{Path(path).name}" and Path(path).parent == FOLDER:
            return f"execfile({place!r})"
    return None


def exec_with_ctrl_c(target, code):
    """Run *code* as target.exec() does, and press Ctrl-C each time that it prints CUE."""
    link = target.repl._stream.link
    read, tail = link.read, b""

    def watch(seconds):
        nonlocal tail
        data = read(seconds)
        seen = (tail + data).count(CUE) - tail.count(CUE)
        tail = (tail + data)[-2 * len(CUE) :] if not seen else b""
        for _ in range(seen):
            _press(target)
        return data

    link.read = watch
    try:
        return target.exec(code, SECONDS)
    finally:
        link.read = read


def _press(target):
    time.sleep(0.2)  # it shall be at work again
    if target.name in UNIX_TARGETS:
        target._process.send_signal(signal.SIGINT)
    else:
        target.repl._stream.link.write(CTRL_C)
