"""A new user walks a page of docs/ in a release's folder: types its commands, reads the lines.

The user has that folder, a shell, Python and a network, no clone and no compiler. Every block
`console` of the page is typed, unless it is titled "Builds" or "A sketch". The Ways below say what
stands in for the board, its drive and Windows. Where the page's firmware arrives on the drive, the
emulated board starts it. A line `...` of the page stands for any lines, and `...` in a line for
any text.
"""

import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from support.pages.doc_blocks import is_like, read_page
from support.pages.terminal import BOARD, SHELL, Terminal
from tflm_host.places import ROOT
from tflm_host.targets.boards import Board, load_board
from tflm_host.targets.emulator import Emulator
from tflm_host.targets.rp2040 import Rp2040Emulator

PROGRAMS = ("bash", "cat", "cp", "ls", "mkdir", "rm", "uname", "basename", "dirname")
LEFT_OUT = ("Builds", "A sketch")
LOADER = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"
UNITS = {"B": 1, "bytes": 1, "kB": 1000, "MB": 1000**2}
FETCHED = re.compile(r"^ *Downloading \S+ \(([\d.]+) (\w+)\)", re.MULTILINE)
TAKEN = re.compile(r"^(?:Processing|Looking.*?) (/\S+\.whl)", re.MULTILINE)  # a folder's wheel
INSTALL = 'python3 -m pip install "$(ls $PWD/tflm_host-*.whl)[kernels]"'


class DiffersError(Exception):
    """A command printed other lines than its page says."""


@dataclass(frozen=True)
class Way:
    """How a page is walked.

    board   emulated board that stands in for the page's, None where the page has none
    port    what the page calls its serial port
    drive   what the page calls the drive of its boot loader
    file    firmware that the page drags to the drive, where no command copies it
    equal   {command: the same on this system}
    """

    page: str
    board: str | None = None
    port: str = "/dev/ttyACM0"
    drive: str | None = None
    file: str | None = None
    equal: dict = field(default_factory=dict)


WINDOWS = {"py -m pip install (Get-Item tflm_host-*.whl).FullName": INSTALL}
WAYS = (
    Way("pico-windows.md", "RPI_PICO", "COM3", "RPI-RP2", "firmware/RPI_PICO.uf2", WINDOWS),
    Way("pico-macos-linux.md", "RPI_PICO", drive="/media/$USER/RPI-RP2/"),
    Way("nucleo.md", "RPI_PICO"),  # it stands for a Nucleo, which nothing emulates
    Way("stock.md", "RPI_PICO-stock"),
    Way("no-board.md"),
)


@dataclass
class Walked:
    """What a walk took."""

    page: str
    commands: int
    seconds: float
    downloaded: int  # bytes, the release not included


@dataclass(frozen=True)
class Dragged(Board):
    """A board whose firmware is the user's file."""

    file: Path | None = None

    @property
    def firmware(self):
        return self.file


def steps(block):
    """Return [(prompt, line, what it prints, prompt that follows)] of *block*."""
    pieces = re.split(r"^(\$|>>>|>) (.*)\n", block.text, flags=re.MULTILINE)
    prompts = [SHELL if prompt == ">" else prompt for prompt in pieces[1::3]]
    follows = [*prompts[1:], prompts[-1]]
    return list(zip(prompts, pieces[2::3], pieces[3::3], follows, strict=True))


def downloaded(printed):
    """Return the bytes that pip says it has fetched, in what it *printed*."""
    sizes = [float(size) * UNITS[unit] for size, unit in FETCHED.findall(printed)]
    local = [path for path in map(Path, TAKEN.findall(printed)) if "tflm_host" not in path.name]
    return round(sum(sizes)) + sum(path.stat().st_size for path in local)


def a_pc(folder, own_python):
    """Make a PC of *folder*: a few programs, and Python without packages; return its variables.

    own_python  pip may install beside it, as on Windows
    """
    programs = folder / "bin"
    programs.mkdir()
    for name in PROGRAMS:
        (programs / name).symlink_to(shutil.which(name))
    for name in ("python3", "python"):  # no link: Python looks for its library beside its file
        path = programs / name
        path.write_text(f'#!{shutil.which("bash")}\nexec "{sys._base_executable}" "$@"\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    if own_python:
        subprocess.run([sys._base_executable, "-m", "venv", folder / "python"], check=True)
        programs = f"{folder / 'python' / 'bin'}:{programs}"
    kept = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "SSL_"))}
    return {**kept, "PATH": str(programs), "HOME": str(folder), "USER": "me"}


class Walk:
    """A walk of *way* in *dist*, a copy of a release that may be written to."""

    def __init__(self, way, dist, folder):
        self.way, self.dist, self.folder = way, dist, folder
        self.drive = folder / "drive"
        self.printed = []
        self._stack = ExitStack()
        self._port = None
        self._server = str(free_port())

    def run(self):
        """Walk the page; return what it took. Raises DiffersError, or terminal.StoppedError."""
        self.drive.mkdir()
        (self.drive / "INFO_UF2.TXT").write_text(LOADER)
        begun = time.monotonic()
        count = 0
        with self._stack:
            variables = a_pc(self.folder, own_python=bool(self.way.equal))
            terminal = self._stack.enter_context(Terminal(self.dist, variables))
            if self.way.file:
                shutil.copy(self.dist / self.way.file, self.drive)
            elif self.way.drive is None and self.way.board:
                self._start(load_board(self.way.board))
            for block in self._blocks():
                count += self._type(terminal, block)
        taken = sum(map(downloaded, self.printed))
        return Walked(self.way.page, count, time.monotonic() - begun, taken)

    def _blocks(self):
        page = read_page(ROOT / "docs" / self.way.page)
        found = [block for block in page.blocks if block.language == "console"]
        return [block for block in found if not block.title.startswith(LEFT_OUT)]

    def _type(self, terminal, block):
        """Type the lines of *block* and compare; return how many there were."""
        typed = 0
        for prompt, line, wanted, follows in steps(block):
            if line.endswith("# macOS"):
                continue
            self._look_at_drive()
            printed = terminal.type(self._here(line), follows)
            printed = printed.replace(self._port or "\0", self.way.port)
            self.printed.append(printed)
            told = wanted.strip() or prompt == BOARD  # whose silence counts, too
            if terminal.status or (told and not is_like(wanted, printed)):
                raise DiffersError(f"{block}\n$ {line}\n{printed}\n--- the page says\n{wanted}")
            typed += 1
        terminal.leave()
        return typed

    def _here(self, line):
        """Return what is typed here for the page's *line*."""
        line = self.way.equal.get(line, line)
        if self._port:
            line = line.replace(self.way.port, self._port)
            line = re.sub(r"^mpremote ", f"mpremote connect port:{self._port} ", line)
        if self.way.drive:
            line = line.replace(self.way.drive, f"{self.drive}/")
        return re.sub(r"\b8000\b", self._server, line)

    def _look_at_drive(self):
        """Start the board where its firmware lies on the drive, which disappears then."""
        found = list(self.drive.glob("*.uf2"))
        if found and self._port is None:
            facts = load_board(self.way.board)
            self._start(Dragged(**{**vars(facts), "file": found[0]}))

    def _start(self, board):
        pico = board.machine == "rp2040js"
        emulator = (Rp2040Emulator if pico else Emulator)(board, pty=True)
        self._port = self._stack.enter_context(emulator).port


def free_port():
    """Return the number of a TCP port that nobody listens at."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
