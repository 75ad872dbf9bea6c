"""The ISA of the kernels that a target runs."""

from dataclasses import dataclass

from tflm.base.layout import PREPARED_FORMAT

from ..generate.sources import isa_names
from ..model.files import InputError
from ..model.native import host_isa
from .boards import KB, PORTABLE, UNIX_TARGETS, all_board_names, load_board
from .meant import meant
from .repl import UnknownTargetError
from .run import HOST

ASKED = """
import _tflm
from tflm.run.prepared import flash_here
print(_tflm.isa, _tflm.layout, flash_here())
"""


@dataclass(frozen=True)
class Core:
    """The target of a prepared model: kernels, and bytes of cache as in flash_cache.py."""

    isa: str
    flash_cache: int = 0


def isa_of(target):
    """Return the name of the kernels that *target* runs."""
    return core_of(target).isa


def core_of(target):
    """Return the Core of *target*: a target, a serial port, or the name of kernels."""
    if target in isa_names():
        return Core(target)
    if target == HOST:
        return Core(host_isa())
    if target in UNIX_TARGETS:
        return Core(PORTABLE)
    if target in all_board_names():
        board = load_board(target)
        return Core(board.isa, board.flash_cache)
    if "/" not in target and ":" not in target and not target.upper().startswith("COM"):
        near = meant(target, (HOST, *isa_names(), *UNIX_TARGETS, *all_board_names()))
        raise UnknownTargetError(f"no target and no kernels are called {target}.{near}")
    from .open_target import open_target  # which most targets do without

    with open_target(target) as board:
        isa, layout, flash = board.exec(ASKED).split()
    if int(layout) != PREPARED_FORMAT:
        raise InputError(f"{target} has another version of tflm: update it first")
    return Core(isa, int(flash) * KB)
