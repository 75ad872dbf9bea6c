"""The package that firmware freezes: unchanged or minified, for all operators or for some."""

import sys
import zlib

from ..places import BUILD
from . import inputs
from .files import locked, write
from .rows import PACKAGE, collected, is_kernel_rows, rows, shortened, source_of, with_facts
from .squeeze import AS_FILES, SERVICES, needed_paths, squeeze, texts_of
from .texts import texts_h

PREPARED = "prepared"
PATHS = "paths"  # the file that lists the modules of a folder
# Packages whose modules stand first: MicroPython compares a name with those of all before it.
FIRST = ("__init__.py", "run/__init__.py", "load/__init__.py", "ops/", "file/__init__.py")


def families_of(ops, found):
    """Return the families that firmware built with TFLM_OPS=*ops* has; None for all.

    ops  names of kernels, of families without kernels and of services, with commas between; or "".
         "prepared" stands first, for prepared models only. Without names of kernels behind it,
         that is all kernels
    """
    if not ops:
        return None
    names, alone = names_of(ops), families_alone(found)
    if names[0] == PREPARED:
        return []
    names = [name for name in names if name not in SERVICES]
    return sorted({name if name in alone else found.kernel(name).family for name in names})


def services_of(ops):
    """Return the services of firmware built with TFLM_OPS=*ops*; None stands for all."""
    return [name for name in names_of(ops) if name in SERVICES] if ops else None


def kernels_of(ops, found):
    """Return the kernels of firmware built with TFLM_OPS=*ops*; None stands for all."""
    known = {kernel.name for kernel in found.kernels}
    names = names_of(ops)
    kernels = [name for name in names if name in known]
    return None if not names or names[0] == PREPARED and not kernels else kernels


def users_of(ops, found):
    """Return the families that run in firmware of TFLM_OPS=*ops*; None stands for all."""
    kernels, alone = kernels_of(ops, found), families_alone(found)
    if kernels is None:
        return None
    return sorted(
        {*(found.kernel(name).family for name in kernels), *set(names_of(ops)) & set(alone)}
    )


def names_of(ops):
    """Return the names in TFLM_OPS=*ops*."""
    return [name.strip() for name in ops.split(",") if name.strip()]


def families_alone(found):
    """Return the families without kernels: Python runs their operators."""
    return [name for name in found.families if name not in {k.family for k in found.kernels}]


def whole():
    """Write the package as it is, with its rows collected; return its folder.

    It has the viper kernels, and runs on MicroPython without `_tflm`, too.
    """
    folder = BUILD / "whole"
    names = {path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")}
    names = {name for name in names if not is_kernel_rows(name.as_posix())}
    for name in sorted(names):
        text = source_of(PACKAGE / name)
        if name.as_posix() == "ops/collect.py":
            text = collected(rows().tables())
        elif name.parent.name == "ops":
            text = with_facts(shortened(text), rows())
        write(folder / "tflm" / name.parent, {name.name: text})
    for path in (folder / "tflm").rglob("*.py"):
        if path.relative_to(folder / "tflm") not in names:
            path.unlink(missing_ok=True)  # of a module that was moved or removed since
    return folder


def freeze(ops=""):
    """Write the package for TFLM_OPS=*ops*; return its folder and the modules' paths.

    Its messages stand in texts.h of the same folder, which `_tflm` of this firmware includes. It
    is written once for one list of inputs: one package serves all boards.
    """
    needed = {
        "families": families_of(ops, rows()),
        "services": services_of(ops),
        "kernels": kernels_of(ops, rows()),
        "users": users_of(ops, rows()),
    }
    key = f"{zlib.crc32(repr(needed).encode()):08x}" if ops else "all"
    folder = BUILD / "squeezed" / key
    return str(folder), once(folder, needed, lambda: _squeezed(folder, needed, ops))


def once(folder, needed, make):
    """Call make() where an input has changed since; return the paths that it returned.

    make  writes files to *folder*, and returns their paths
    needed  the options of needed_paths()
    """
    made_of = inputs.listed(inputs.TFLM, {"Python": sys.version, "needed": needed})
    with locked(folder.with_suffix(".lock")):
        if not inputs.is_same(folder, made_of):
            (folder / inputs.INPUTS).unlink(missing_ok=True)
            write(folder, {PATHS: "\n".join(make())})
            write(folder, {inputs.INPUTS: made_of})  # the last, as all is there then
        return (folder / PATHS).read_text().split()


def _squeezed(folder, needed, ops):
    paths = needed_paths(**needed)
    if not ops:
        paths = [path for path in paths if path[:-3].replace("/", ".") not in AS_FILES]
    texts = texts_of(paths, lean=bool(ops))
    paths = squeeze(PACKAGE, folder / "tflm", paths, texts=texts, lean=bool(ops))
    write(folder, {"texts.h": texts_h(texts)})
    return sorted(paths, key=_rank)


def _rank(path):
    """Return where *path* stands among the modules: see FIRST."""
    return [not path.startswith(first) for first in FIRST], path
