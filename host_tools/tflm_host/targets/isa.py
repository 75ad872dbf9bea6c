"""Which kernels a target runs."""

from tflm.layout import PREPARED_FORMAT

from ..generate.sources import isa_names
from ..model.files import InputError
from ..model.native import host_isa
from .boards import PORTABLE, UNIX_TARGETS, all_board_names, load_board
from .run import HOST


def isa_of(target):
    """Return the name of the kernels that *target* runs."""
    if target in isa_names():
        return target
    if target == HOST:
        return host_isa()
    if target in UNIX_TARGETS:
        return PORTABLE
    if target in all_board_names():
        return load_board(target).isa
    if "/" not in target and ":" not in target and not target.upper().startswith("COM"):
        raise InputError(f"no target and no kernels are called {target}")
    from .open_target import open_target  # noqa: PLC0415 - which most targets do without

    with open_target(target) as board:
        isa, layout = board.exec("import _tflm\nprint(_tflm.isa, _tflm.layout)").split()
    if int(layout) != PREPARED_FORMAT:
        raise InputError(f"{target} has another version of tflm: update it first")
    return isa
