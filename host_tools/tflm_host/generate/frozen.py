"""What firmware freezes: the package as it is, or squeezed, for all operators or for some."""

import zlib

from ..places import BUILD
from .files import write
from .rows import PACKAGE, collected, rows
from .squeeze import needed_paths, squeeze, texts_of

PREPARED = "prepared"


def families_of(ops, found):
    """Return the families that firmware built with TFLM_OPS=*ops* has; None for all.

    ops  names of kernels with commas between, "prepared" for prepared models alone, or "".
         Families without kernels of their own are always there
    """
    if not ops:
        return None
    if ops == PREPARED:
        return []
    kept = {found.kernel(name.strip()).family for name in ops.split(",") if name.strip()}
    return sorted(kept | (set(found.families) - {kernel.family for kernel in found.kernels}))


def whole():
    """Write the package as it is, with its rows collected; return its folder.

    It has the viper kernels, and runs on MicroPython without `_tflm`, too.
    """
    folder = BUILD / "whole"
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE)
        text = path.read_text()
        if name.as_posix() == "ops/collect.py":
            text = collected(rows().tables())
        write(folder / "tflm" / name.parent, {name.name: text})
    return folder


def freeze(ops=""):
    """Write the package for TFLM_OPS=*ops*; return its folder and the modules' paths."""
    families = families_of(ops, rows())
    key = "all" if families is None else f"{zlib.crc32(repr(families).encode()):08x}"
    folder = BUILD / "squeezed" / key
    paths = squeeze(PACKAGE, folder / "tflm", needed_paths(families=families), texts=texts_of())
    return str(folder), paths
