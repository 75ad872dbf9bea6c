"""A REPL at the terminal: an emulated board's, the unix build's, or a real board's.

mpremote is the terminal of boards; an emulated one gets a pseudo-terminal for that.
"""

import subprocess
import sys

from . import rp2040
from .boards import RP2_EMULATORS, UNICORN, UNIX_TARGETS, folder_of, load_board
from .build import build
from .emulator import Emulator
from .microphone import samples_of
from .open_target import UNIX_HEAP, is_port
from .romfs import build_romfs


def console(name, files=(), mic=None, camera=None):
    """Let the user type at target *name*; return the exit status of the terminal.

    files  pairs (file name, bytes) that an emulated board has in /rom
    mic    path of a wave file that an emulated Pico's microphone hears
    camera  what an emulated Pico's camera sees, of pictures.frames_of()
    """
    if is_port(name):
        return _mpremote(name.removeprefix("port:"))
    options = {} if mic is None else {"mic": samples_of(mic, name)}
    if camera is not None:
        options["camera"] = camera
    program = build(name)
    if name in UNIX_TARGETS:
        return subprocess.call([str(program), "-X", f"heapsize={UNIX_HEAP}"])
    board = load_board(name)
    romfs = build_romfs(files) if files else None
    with _emulator_of(name)(board, romfs, pty=True, **options) as running:
        return _mpremote(running.port)


def _emulator_of(name):
    if folder_of(name) in RP2_EMULATORS:
        return rp2040.Rp2040Emulator
    if folder_of(name) in UNICORN:
        from .stm32 import Stm32Emulator  # Unicorn takes a while to import

        return Stm32Emulator
    return Emulator


def _mpremote(port):
    return subprocess.call([sys.executable, "-m", "mpremote", "connect", "port:" + port, "repl"])
