"""Minifies the package tflm: a copy with equal behaviour that takes less flash when frozen.

A name costs some twenty bytes in flash, a module two hundred. So, in this order:

- the rows of all families stand in one module, as bytes;
- numbers and strings with names in capitals stand where they are used, and have no name there;
- code that only builds without `_tflm` run is left out;
- parameters of kernels stand in the order of RECORDS, without names;
- the messages of exceptions are packed;
- modules that are always imported together are one; each family is one.

Users do not notice it. Every name that they can use, complete or read in a traceback is that of
the source. Every module outside of the packages `kernels` and `ops` can be imported.

Each step has its module here. manifest.py runs this package with Python only.
"""

from ..files import write
from ..rows import PACKAGE, rows, with_facts
from .constants import inline_constants
from .imports import with_imports
from .known import drop_unreachable, drop_unused
from .merge import merge
from .messages import LONG, number_messages
from .module import Module
from .records import collect, place_parameters

# Modules that are always imported together, in an order in which each finds what it imports.
GROUPS = {
    "interpreter": "shown port errors schema arena flatbuffer places views graph"
    " allocation model elements tensor insight interpreter",
    "loading": "heap context lifetime offline planner plan_check allocator registration loading",
    "operators": "options operators",
    "report": "recording reprs report",
    "ops.common": "quantize ops.common",
    "ops.index": "ops.collect ops.index",
}
# Modules that only some families need.
WITH_FAMILIES = {
    "control": ("circular", "control", "resources", "signal"),
    "flexbuffer": ("circular", "decode", "detection", "signal"),
    "resources": ("circular", "resources", "signal"),
    "periods": ("circular",),
}
# What no model needs to run, imported where it is called: name in TFLM_OPS, and its modules. A
# build that picks what it gets has those that it names.
SERVICES = {
    "audio": ("audio",),
    "listen": ("audio", "ear", "hearing", "sources", "stream"),
    "delegated": ("delegated",),
    "peer": ("delegated", "peer"),
    "npu": ("npu", "flexbuffer"),
    "feeding": ("feeding",),
    "printed": ("printed",),
    "profiler": ("profiler",),
    "resizing": ("resizing", "shapes"),
    "flex": ("flex", "flexbuffer"),
    "flexbuffer": ("flexbuffer",),
    "arena_planner": ("arena_planner",),
    "lite": ("lite", "signatures"),
    "signatures": ("signatures",),
    "state": ("state",),
}
# An unprepared model needs these.
LOADING = ("op_resolver", "refusal", "quantize", "resources", *GROUPS["loading"].split())


def needed_paths(source=PACKAGE, families=None, services=None):
    """Return the paths of the modules of package *source* that are needed beside C kernels.

    families  names of those to keep: None for all; none at all for prepared models only
    services  names of those to keep, None for all

    What a module imports at its start is there, too, whatever the tables above say.
    """
    paths = []
    for path in sorted(source.rglob("*.py")):
        name = path.relative_to(source)
        if not (name.parts[0] == "kernels" and name.stem != "__init__"):
            paths.append(name)
    named = _modules_of(SERVICES if services is None else services)
    if families is not None:
        paths = [name for name in paths if _is_needed(name, families) or name.stem in named]
    left_out = _modules_of(SERVICES) - named
    left_out -= {
        name
        for name, users in WITH_FAMILIES.items()
        if families is None or not set(families).isdisjoint(users)
    }
    paths = [name for name in paths if name.parent.name or name.stem not in left_out]
    return sorted(with_imports(source, map(str, paths)))


def _modules_of(services):
    return {name for service in services for name in SERVICES[service]}


def _is_needed(name, families):
    if name.parent.name == "ops":
        is_shared = name.stem in ("__init__", "collect", "index")
        family = name.stem.partition("_")[0]  # of parts, too
        return is_shared or family in families or (family == "common" and families)
    if families and name.stem in WITH_FAMILIES:
        return not set(families).isdisjoint(WITH_FAMILIES[name.stem])
    return bool(families) or name.stem not in LOADING


def squeeze(source, target, paths, groups=None, texts=()):
    """Write *paths* of package *source*, minified, to *target*; return the paths of the result.

    groups  GROUPS, or the groups of another package
    texts   the messages that `_tflm` has; if it has none, messages of services stay unchanged
    """
    modules = _read(source, paths)
    _reduce(modules, rows(source))
    _number(modules, texts, () if texts else _modules_of(SERVICES))
    merge(modules, GROUPS if groups is None else groups)
    for module in modules.values():
        _write(target / module.path, module.text(modules))
    return sorted([module.path for module in modules.values()])


def texts_of(paths, source=PACKAGE):
    """Return the messages of modules *paths* of *source*; long ones, which few say, are last."""
    modules = _read(source, paths)
    _reduce(modules, rows(source))
    return sorted(_number(modules), key=lambda text: len(text) >= LONG)


def _read(source, paths):
    modules, found = {}, rows(source)
    for path in paths:
        module = Module(path, with_facts((source / path).read_text(), found), source.name)
        modules[module.name] = module
    return modules


def _reduce(modules, found):
    families = [name for name in found.families if ("ops", name) in modules]
    collect(modules, found.tables(families))
    inline_constants(modules)
    for module in modules.values():
        drop_unreachable(module)
    drop_unused(modules.values())
    place_parameters(modules, found)


def _number(modules, texts=(), left_out=()):
    layout, errors = modules[("layout",)], modules[("errors",)]
    packages = [module for module in modules.values() if module.is_package]  # nothing is added
    numbered = [module for name, module in modules.items() if ".".join(name) not in left_out]
    return number_messages(numbered, errors, [layout, *packages], texts)


def _write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path.parent, {path.name: text})
