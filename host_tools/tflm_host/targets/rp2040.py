"""Runs the RP2040's firmware on rp2040js under Node, as emulator.py runs others on QEMU.

    with Rp2040Emulator(load_board("RPI_PICO"), romfs=image) as emulator:
        emulator.link ...               # bytes to and from the board's USB serial port

rp2040js/ holds the program of Node (bridge.mjs) and the boot ROM, which rp2040js does not have. It
counts cycles of the core, and flash is as fast as RAM there. options=TWO_CORES adds the second
core. Options that follow make flash wait, and look for races: see bridge.mjs.
"""

import os
import subprocess
import threading
from pathlib import Path

from ..generate import inputs
from ..generate.files import locked
from ..places import BUILD, ROOT
from .boards import FLASH_BASE
from .emulator import Emulator
from .repl import TargetError

CHUNK = 4096
SOURCES = Path(__file__).with_name("rp2040js")
TOOLS = BUILD / "rp2040js"
SCRIPT, NPM_SCRIPT = "scripts/build_rp2040js.sh", "scripts/npm_install.sh"
STOPWATCH = 0x4F000000  # see bridge.mjs
TWO_CORES = ("--cores", "2")  # options of the bridge, and some of those that may follow

# Defines what count_cycles() runs; the empty function's count is the cost of counting. Before
# it counts, the board sleeps until all that went over USB before has been dealt with.
COUNTER = f"""
import gc, machine, time
def _count(function, registers=machine.mem32, stopwatch={STOPWATCH:#x}):
    gc.collect()
    time.sleep_ms(5)
    registers[stopwatch] = 1
    function()
    registers[stopwatch] = 0
    return registers[stopwatch + 4] << 32 | registers[stopwatch]
def _nothing():
    pass
"""


class Rp2040Emulator(Emulator):
    program = "node"

    def __init__(self, *arguments, mic=None, camera=None, **options):
        """Emulate a Pico.

        mic     what its microphone hears: int16, 16,000 samples a second
        camera  what its camera sees: (frames behind each other, bytes of a row, rows of a frame)
        """
        self._mic = mic
        self._camera = camera
        self._terminal = None  # both ends of the pseudo-terminal
        super().__init__(*arguments, **options)

    def close(self):
        super().close()
        if self._terminal is not None:
            for end in self._terminal:
                os.close(end)
            self._terminal = None

    def _announced_port(self):
        """Return the path of a pseudo-terminal that is connected to the bridge, None before."""
        import tty  # only Unix has it, where emulated boards are

        link = self._connect()
        if link is None:
            return None
        self.link = link
        ours, theirs = self._terminal = os.openpty()
        tty.setraw(theirs)
        for copy in (_copy_in, _copy_out):
            threading.Thread(target=copy, args=(ours, link), daemon=True).start()
        return os.ttyname(theirs)

    def _command(self, romfs, icount, _pty):
        if icount:
            raise TargetError(f"{self.board.name} counts cycles, without icount=True")
        prepare_tools()
        command = ["node", str(SOURCES / "bridge.mjs"), "--rp2040js", str(TOOLS)]
        command += ["--bootrom", str(TOOLS / "bootrom.bin")]
        command += ["--uf2", str(self.board.firmware.with_suffix(".uf2"))]
        command += ["--listen", f"{self._folder}/uart"]
        if romfs is not None:
            offset = self.board.romfs_start - FLASH_BASE
            command += ["--image", str(self._write_romfs(romfs)), "--offset", str(offset)]
        if self._mic is not None:
            heard = self._folder / "mic"
            heard.write_bytes(self._mic)
            command += ["--mic", str(heard)]
        if self._camera is not None:
            frames, row, rows = self._camera
            seen = self._folder / "camera"
            seen.write_bytes(frames)
            command += ["--camera", str(seen), "--row", str(row), "--rows", str(rows)]
        return command


def _copy_in(terminal, link):
    try:
        while True:
            link.write(os.read(terminal, CHUNK))
    except OSError:
        pass  # closed


def _copy_out(terminal, link):
    try:
        while True:
            data = link.read(1)
            while data:
                data = data[os.write(terminal, data) :]
    except (OSError, ValueError, EOFError):
        pass  # closed


def prepare_tools():
    """Install rp2040js and build the boot ROM, where they are missing or out of date."""
    parts = SOURCES, SCRIPT, NPM_SCRIPT
    with locked(TOOLS.with_suffix(".lock")):
        text = inputs.listed(parts, {"compiler": inputs.version_of(inputs.ARM)})
        if inputs.is_same(TOOLS, text):
            return
        done = subprocess.run([SCRIPT], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise TargetError(f"{SCRIPT} failed:\n{done.stderr[-3000:]}")
        (TOOLS / inputs.INPUTS).write_text(text)
