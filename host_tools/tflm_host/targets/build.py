"""Finds the firmware of a target, building it where it is missing or out of date."""

import shutil
import subprocess
import sys

from ..generate.files import locked
from ..generate.inputs import firmware_is_current
from ..places import BUILD, IN_CLONE, ROOT
from .boards import UNIX_TARGETS, all_board_names, folder_of
from .meant import meant
from .repl import TargetError, UnknownTargetError

WORDS = ("building ", "built ")  # with which build_firmware.sh says what it does, and where it is


def build(target):
    """Build *target* ("unix", a board, "MPS2_AN386-stock", ...); return its path."""
    program = program_path(target)
    if not IN_CLONE:
        raise TargetError(
            f"{target} is built in a clone of tflm, and this is an installed package: run the"
            " clone's own tflm, or name host or the serial port of a board"
        )
    if not is_current(target):
        with locked(BUILD / f"{target}.asked"):
            if not is_current(target):  # another process may have built it meanwhile
                _build(target, program)
    return program


def _build(target, program):
    if shutil.which("make") is None:
        raise TargetError(f"{program} is missing and so is make: run `make setup`")
    goal = [target] if target in ("unix", "unix-asan") else ["firmware", f"BOARD={target}"]
    status, printed = _make(goal)
    if status != 0 or not program.exists():
        command = " ".join(["make", *goal])
        raise TargetError(f"`{command}` failed:\n{printed[-3000:]}")


def _make(goal):
    """Run make; return its status and its output. Its progress goes to stderr."""
    printed = []
    with subprocess.Popen(
        ["make", "--no-print-directory", *goal],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        for line in process.stdout:
            printed.append(line)
            if line.startswith(WORDS):
                print(line, end="", file=sys.stderr, flush=True)
    return process.returncode, "".join(printed)


def program_path(target):
    """Return where the build of *target* is. Raises UnknownTargetError for others."""
    if target in UNIX_TARGETS:
        return BUILD / target / "micropython"
    if folder_of(target) in all_board_names():
        return BUILD / target / "firmware.elf"
    if not IN_CLONE:
        raise UnknownTargetError(
            f"no target is called '{target}': name host, or the serial port of a board; `tflm"
            " doctor` lists the ports"
        )
    known = ", ".join((*UNIX_TARGETS, *all_board_names()))
    near = meant(target, (*UNIX_TARGETS, *all_board_names()))
    text = f"no target is called '{target}'.{near} There are {known}, and serial ports"
    raise UnknownTargetError(text)


def is_current(target):
    """Return whether *target* is built of the sources that are here."""
    return firmware_is_current(target)


def compile_module(path, base, folder, arch, *flags):
    """Compile the module *path* below *base* to an .mpy file below *folder*; return its name.

    Raises TargetError where mpy-cross says anything: it ends with status 0, and has written a
    wrong jump, where one is out of an Xtensa's reach.
    """
    source = path.relative_to(base).as_posix()
    target = (folder / source).with_suffix(".mpy")
    target.parent.mkdir(parents=True, exist_ok=True)
    compiler = BUILD / "mpy-cross" / "mpy-cross"
    said = run(compiler, f"-march={arch}", *flags, "-s", source, "-o", target, path).strip()
    if said:
        target.unlink(missing_ok=True)
        raise TargetError(f"{source} does not compile for {arch}: {said[-3000:]}")
    return target.relative_to(folder).as_posix()


def run(*command):
    """Run *command* and return its output. Raises TargetError where it fails."""
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, cwd=ROOT
    )
    if done.returncode != 0:
        raise TargetError(f"{command[0]} failed:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout + done.stderr
