"""Runs Python code on any target, in one way.

    with open_target("MPS2_AN386", models=["person_detect.tflite"]) as target:
        target.exec("import tflm")
        print(target.exec(f"print(tflm.Model({target.path('person_detect.tflite')!r}))"))

A target's name is "unix", "unix-asan", an emulated board's name (see boards/), or a serial port of
a real board ("/dev/ttyACM0", "COM3", "port:..."). It builds missing firmware. State stays from
one exec() to the next.
"""

import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from . import rp2040
from .board_files import BoardFiles, NoRoom
from .boards import RP2_EMULATORS, UNICORN, UNIX_TARGETS, all_board_names, folder_of, load_board
from .build import build
from .emulator import Emulator
from .links import PipeLink, SerialLink
from .microphone import samples_of
from .repl import SERVER, ExecError, RawRepl, ServerRepl, TargetError
from .romfs import build_romfs
from .viper import FIND_VIPER, viper_files

EXEC_SECONDS = 120
BOOT_SECONDS = 30
DEPLOY_SECONDS = 600
REOPEN_SECONDS = 0.5  # between attempts to open the port of a board that restarts
UNIX_HEAP = "16m"

LIST_ROM = """
import os
try:
    print(", ".join(os.listdir("/rom")))
except OSError:
    pass
"""

# Defines what count_instructions() runs; the empty function's count is the cost of counting.
COUNTER = """
import gc, qemu_board
def _count(function):
    gc.collect()
    qemu_board.restart()
    start = qemu_board.ticks()
    function()
    return qemu_board.ticks() - start
def _nothing():
    pass
"""


def open_target(
    name,
    models=(),
    icount=False,
    heap=UNIX_HEAP,
    viper=False,
    consent=None,
    options=(),
    mic=None,
    camera=None,
):
    """Start target *name* with files *models* on it; a context manager.

    models   paths, or pairs (file name, bytes) of any files. target.path(file name) is its path on
             the target, target.source(file name) an expression for it on a real board
    icount   an emulated board's clock counts instructions; see count_instructions()
    heap     size of the heap of the unix port, such as "16m"; boards have a fixed one
    viper    tflm finds its viper kernels, too. An emulated board has them in /rom, because
             firmware with C kernels has none. The unix build always has them
    consent  consent(what) is called before files of a real board are replaced, and raises to
             forbid it. With None nothing is replaced
    options  more of the command line of the emulator: QEMU's, or bridge.mjs' of a Pico
    mic      path of a wave file that an emulated Pico's microphone hears: GPIO 16 to 18
    camera   what an emulated Pico's camera sees, as pictures.frames_of() gives it: GPIO 2 to 12
    """
    files = [_named(model) for model in models]
    heard = samples_of(mic, name) if mic is not None else None
    if name in UNIX_TARGETS:
        return UnixTarget(name, files, heap)
    if is_port(name):
        return SerialTarget(name.removeprefix("port:"), files, consent)
    refuse_unless_emulated(name)
    build(name)
    if folder_of(name) in RP2_EMULATORS:
        return PicoTarget(name, files, icount, viper, options, mic=heard, camera=camera)
    if folder_of(name) in UNICORN:
        return Stm32Target(name, files, icount, viper, options)
    return EmulatedTarget(name, files, icount, viper, options)


def is_port(name):
    """Return whether *name* is a serial port's."""
    return "/" in name or ":" in name or name.upper().startswith("COM")


def refuse_unless_emulated(name):
    """Raise TargetError for a board that there is only as a real one."""
    board = folder_of(name)
    if board in all_board_names() and load_board(board).machine is None:
        raise TargetError(f"nothing emulates {name}: name the serial port of a real one")


class Target:
    """The base class of targets. A subclass sets name, repl and the paths of its files."""

    def __init__(self, name):
        self.name = name
        self.viper = False  # whether FIND_VIPER is to be run after a reset
        self.repl = None
        self._paths = {}

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self.close()

    def path(self, file_name):
        """Return the target's path of the file that open_target() was given as *file_name*."""
        return self._paths[Path(file_name).name]

    def source(self, file_name):
        """Return the expression that has the file's path, or its bytes, on the target."""
        return repr(self.path(file_name))

    def exec(self, code, timeout=EXEC_SECONDS):
        """Run *code* and return what it printed.

        Raises ExecError if it raised there, TargetError if the target stopped or did not reply in
        *timeout* seconds.
        """
        return self._told(self.repl.exec, code, timeout)

    def follow(self, code, take, quiet):
        """Run *code* and give each line to take(line), as it comes; see ServerRepl.follow()."""
        self._told(self.repl.follow, code, take, quiet)

    def _told(self, function, *arguments):
        """Call *function* of the REPL; an error names the target, and says why it stopped."""
        try:
            return function(*arguments)
        except ExecError:
            raise
        except TargetError as error:
            reason = self._why_stopped(str(error))
            raise TargetError("\n".join(filter(None, (f"{self.name}: {error}", reason)))) from None

    def reopen(self, seconds):
        """Enter the REPL of a target that restarts, within *seconds*."""
        self._told(self.repl.enter, seconds)

    def run_file(self, path, timeout=EXEC_SECONDS):
        """Run the Python file at *path* of the host and return what it printed."""
        return self.exec(Path(path).read_text(encoding="utf-8"), timeout)

    def _why_stopped(self, _output):
        """Return the known reason why the target stopped by itself, "" while it runs."""
        return ""


class EmulatedTarget(Target):
    def __init__(self, name, files, icount, viper, options=()):
        super().__init__(name)
        kernels = viper_files(load_board(name).cpu) if viper else []
        romfs = build_romfs([*files, *kernels]) if files or kernels else None
        self.viper = viper
        self._icount = icount
        self._paths = {file_name: "/rom/" + file_name for file_name, _ in files}
        self._emulator = self._started(load_board(name), romfs, options)
        try:
            self.repl = RawRepl(self._emulator.link)
            self.repl.enter(BOOT_SECONDS)
            if viper:
                self.exec(FIND_VIPER)
        except TargetError as error:
            self.close()
            raise TargetError(f"{name} does not start: {error}") from None
        except BaseException:
            self.close()
            raise

    def _started(self, board, romfs, options):
        return Emulator(board, romfs, self._icount, options=options)

    def close(self):
        self._emulator.close()

    def count_instructions(self, setup, statement, timeout=EXEC_SECONDS):
        """Run *setup*, then return how many instructions *statement* takes, run once.

        The call that holds the statement is not counted. Every 2**24 ticks (10 million
        instructions on an MPS2) the clock's own interrupt adds about 40.
        """
        if not self._icount:
            raise TargetError("open_target(..., icount=True) counts instructions")
        return self.instructions(self._count(COUNTER, setup, statement, timeout))

    def instructions(self, ticks):
        """Return how many instructions took *ticks* of the board's clock, under icount."""
        return self._emulator.instructions(ticks)

    def _count(self, counter, setup, statement, timeout):
        """Return by how much *counter*'s count of *statement* exceeds that of nothing."""
        body = "\n".join("    " + line for line in statement.splitlines())
        self.exec(f"{counter}\n{setup}\ndef _statement():\n{body}\n", timeout)
        printed = self.exec("print(_count(_nothing), _count(_statement))", timeout)
        empty, count = map(int, printed.split()[-2:])
        return count - empty

    def _why_stopped(self, output):
        return self._emulator.why_stopped(output)


class PicoTarget(EmulatedTarget):
    def __init__(self, name, files, icount, viper, options=(), **devices):
        self._devices = devices
        super().__init__(name, files, icount, viper, options)

    def _started(self, board, romfs, options):
        return rp2040.Rp2040Emulator(board, romfs, self._icount, options=options, **self._devices)

    def count_cycles(self, setup, statement, timeout=EXEC_SECONDS):
        """Run *setup*, then return how many cycles of the core *statement* takes, run once.

        The call that holds the statement is not counted. Flash that waits, on the real board,
        is not either.
        """
        return self._count(rp2040.COUNTER, setup, statement, timeout)


class Stm32Target(EmulatedTarget):
    """A board whose flash outlives a reset, and the failure that cut_power() asks for."""

    def _started(self, board, romfs, options):
        from .stm32 import Stm32Emulator  # Unicorn takes a while to import

        return Stm32Emulator(board, romfs, self._icount, options=options)

    @property
    def chip(self):
        return self._emulator.chip

    def cut_power(self, operations):
        """Let the power fail at the write to flash, or erase, that comes after *operations*."""
        self.chip.flash.operations_left = operations

    def power_on(self):
        """Start the board again, with the flash as it is, and enter its REPL."""
        self.chip.power_on()
        self.repl = RawRepl(self._emulator.link)
        self.repl.enter(BOOT_SECONDS)


class UnixTarget(Target):
    def __init__(self, name, files, heap):
        super().__init__(name)
        program = build(name)
        self._folder = tempfile.TemporaryDirectory(prefix="tflm-")
        folder = Path(self._folder.name)
        for file_name, data in files:
            path = folder / file_name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            self._paths[file_name] = str(folder / file_name)
        self._errors = open(folder / "stderr", "w+b")  # noqa: SIM115 (closed in close())
        self._process = subprocess.Popen(
            [str(program), "-X", f"heapsize={heap}", "-c", SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={"ASAN_OPTIONS": "detect_leaks=0", "HOME": str(folder)},
        )
        self._link = PipeLink(self._process)
        self.repl = ServerRepl(self._link)

    def close(self):
        self._process.kill()
        self._process.wait()
        self._link.close()
        self._errors.close()
        self._folder.cleanup()

    def _why_stopped(self, _output):
        try:
            status = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return ""
        self._errors.seek(0)
        errors = self._errors.read().decode(errors="replace").strip()
        return f"it ended with status {status}: {errors[:4000]}"


class SerialTarget(Target):
    """A real board. Files go to its RAM; only where they do not fit is its /rom replaced.

    consent  as of open_target()
    """

    def __init__(self, port, files=(), consent=None):
        super().__init__(port)
        self._files = None  # board_files.BoardFiles
        self._open()
        try:
            if files:
                self._place(files, consent)
        except BaseException:
            self.close()
            raise

    def _open(self):
        try:
            self._link = SerialLink(self.name)
        except OSError as error:
            raise TargetError(f"{self.name}: {error}") from None
        self.repl = RawRepl(self._link)
        try:
            self.repl.enter(BOOT_SECONDS)
        except BaseException:
            self._link.close()
            raise

    def _place(self, files, consent):
        try:
            self._files = BoardFiles(self, files)
        except NoRoom as error:
            there = self.exec(LIST_ROM).strip()
            if consent is None:
                raise
            consent(f"{error}: this replaces its /rom, which holds {there or 'nothing'}")
        else:
            return
        self.close()
        deploy_romfs(self.name, build_romfs(files))
        self._open()
        self._paths = {file_name: "/rom/" + file_name for file_name, _ in files}

    def reopen(self, seconds):
        """Open the port again: with USB, it goes and comes back. Files in RAM are lost."""
        deadline = time.monotonic() + seconds
        while True:
            self._link.close()
            time.sleep(REOPEN_SECONDS)
            try:
                return self._open()
            except TargetError:
                if time.monotonic() > deadline:
                    raise

    def source(self, file_name):
        return self._files.sources[file_name] if self._files else super().source(file_name)

    def close(self):
        with suppress(OSError):  # unplugged
            with suppress(TargetError):
                if self._files and self._files.written:
                    self.repl.enter(BOOT_SECONDS)  # it may be busy still
                    self.exec("import os")
                    self._files.remove()
            self.repl.leave()
        self._link.close()


def deploy_romfs(port, image):
    """Write ROMFS *image* to the board at serial *port* with mpremote."""
    with tempfile.TemporaryDirectory(prefix="tflm-") as folder:
        path = Path(folder) / "models.romfs"
        path.write_bytes(image)
        mpremote(port, "romfs", "deploy", str(path), timeout=DEPLOY_SECONDS)


def mpremote(port, *arguments, timeout=EXEC_SECONDS):
    """Run one mpremote command on the board at serial *port*; return what it printed."""
    command = [sys.executable, "-m", "mpremote", "connect", "port:" + port, *arguments]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TargetError(f"mpremote {arguments[0]}: no end in {timeout} s") from None
    if done.returncode != 0:
        raise TargetError(f"mpremote {arguments[0]} failed:\n{done.stdout[-2000:]}")
    return done.stdout


def _named(model):
    """Return (file name, bytes) of a path or of such a pair."""
    if isinstance(model, tuple):
        return model[0], bytes(model[1])
    path = Path(model)
    return path.name, path.read_bytes()
