"""What firmware freezes: the package as it is, or squeezed, for all operators or for some."""

import zlib

from ..places import BUILD
from .files import write
from .rows import PACKAGE, collected, rows
from .squeeze import needed_paths, squeeze, texts_of

PREPARED = "prepared"


def families_of(ops, found):
    """Return the families that firmware built with TFLM_OPS=*ops* has; None for all.

    ops  names of kernels, and of families that have none, with commas between; "prepared" for
         prepared models alone, or ""
    """
    if not ops:
        return None
    if ops == PREPARED:
        return []
    names, alone = [name.strip() for name in ops.split(",")], families_alone(found)
    return sorted({name if name in alone else found.kernel(name).family for name in names if name})


def families_alone(found):
    """Return the families without kernels: Python runs their operators."""
    return [name for name in found.families if name not in {k.family for k in found.kernels}]


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
