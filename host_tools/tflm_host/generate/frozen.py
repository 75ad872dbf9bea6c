"""The package that firmware freezes: unchanged or minified, for all operators or for some."""

import zlib

from ..places import BUILD
from .files import write
from .rows import PACKAGE, collected, is_kernel_rows, rows, shortened, source_of, with_facts
from .squeeze import AS_FILES, SERVICES, needed_paths, squeeze, texts_of
from .texts import texts_h

PREPARED = "prepared"


def families_of(ops, found):
    """Return the families that firmware built with TFLM_OPS=*ops* has; None for all.

    ops  names of kernels, of families without kernels and of services, with commas between; or "".
         "prepared" stands first, for prepared models only. Without names of kernels behind it,
         that is all kernels
    """
    if not ops:
        return None
    names, alone = _names(ops), families_alone(found)
    if names[0] == PREPARED:
        return []
    names = [name for name in names if name not in SERVICES]
    return sorted({name if name in alone else found.kernel(name).family for name in names})


def services_of(ops):
    """Return the services of firmware built with TFLM_OPS=*ops*; None stands for all."""
    return [name for name in _names(ops) if name in SERVICES] if ops else None


def _names(ops):
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

    Its messages stand in texts.h of the same folder, which `_tflm` of this firmware includes.
    """
    families, services = families_of(ops, rows()), services_of(ops)
    key = f"{zlib.crc32(repr((families, services)).encode()):08x}" if ops else "all"
    folder = BUILD / "squeezed" / key
    paths = needed_paths(families=families, services=services)
    if services is None:
        paths = [path for path in paths if path[:-3].replace("/", ".") not in AS_FILES]
    texts = texts_of(paths)
    paths = squeeze(PACKAGE, folder / "tflm", paths, texts=texts)
    write(folder, {"texts.h": texts_h(texts)})
    return str(folder), paths
