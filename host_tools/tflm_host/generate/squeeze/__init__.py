"""Minifies the package tflm: a copy with equal behaviour that takes less flash when frozen.

A name costs some twenty bytes in flash, a module two hundred. So, in this order:

- the rows of all families stand in one module, as bytes;
- numbers and strings with names in capitals stand where they are used, and have no name there;
- code that only builds without `_tflm` run is left out;
- parameters of kernels stand in the order of RECORDS, without names;
- the messages of exceptions are packed;
- modules that are always imported together are one; each family is one;
- modules and classes get room for all their names at once.

Users do not notice it. Every name that they can use, complete or read in a traceback is that of
the source. Every module outside of the packages `kernels` and `ops` can be imported. A group that
has the name of a package is merged into that package itself: so no package costs RAM of its own.
Firmware of TFLM_OPS is for small flash. There, modules of a group lose their own names, except the
modules of OWN_NAMES. Constants have none either, but the tensor types of the module `schema`.
Private names and parameters of private functions are one or two letters there.

Each step has its module here. manifest.py runs this package with Python only.
"""

from fnmatch import fnmatchcase

from ..files import write
from ..rows import PACKAGE, is_kernel_rows, rows, source_of, with_facts
from .constants import inline_constants
from .imports import with_imports
from .known import drop_unreachable, drop_unused, require_native
from .merge import merge
from .messages import LONG, number_messages
from .module import Module
from .records import collect, place_parameters
from .rename import rename_private
from .rooms import make_room

# Modules that are always imported together, in an order in which each finds what it imports.
GROUPS = {
    "run": "base.shown base.port base.errors schema base.arena file.flatbuffer file.places"
    " file.views run.graph model run.elements run.tensor interpreter",
    "load": "base.heap load.context memory.lifetime memory.offline memory.planner"
    " memory.plan_check memory.allocator load.registration load.loading",
    "file": "file.options file.operators",
    "run.report": "run.recording base.reprs run.report",
    "ops.common": "ops.quantize ops.common",
    "ops.index": "ops.collect ops.index",
}
# Only models that are not prepared need these packages, but the tables of operators.
LOADING = ("memory", "load", "ops")
TABLES = ("ops", "ops.collect", "ops.index")
# Modules that only some families need.
WITH_FAMILIES = {
    "file.control": ("circular", "control", "resources", "signal"),
    "file.flexbuffer": ("circular", "decode", "detection", "signal"),
    "load.resources": ("circular", "resources", "signal"),
    "run.periods": ("circular",),
}
# Parts of families that only these kernels need: names and patterns.
PARTS = {
    "ops.broadcast_float": "add_f32 pairs_f32",
    "ops.broadcast_prelu": "prelu_s*",
    "ops.broadcast_wide": "add_s32 sub_s32 mul_s32 div_s32 squared_difference_s32 floor_*_s32",
    "ops.common_hybrid": "*_hybrid",
    "ops.common_s16": "*conv_2d_s16 fully_connected_s16 transpose_conv_s16",
    "ops.conv_s16": "*conv_2d_s16",
    "ops.elementwise_float": (
        "unary_f32 exp_f32 log_f32 sin_f32 cos_f32 tanh_f32 elu_f32 logistic_f32 leaky_relu_f32"
    ),
    "ops.elementwise_functions": "function_s* leaky_relu_s*",
    "ops.elementwise_transforms": "gelu_f32 transform_s*",
}
# Modules of a group that keep their own names in firmware of TFLM_OPS, as users import them.
OWN_NAMES = ("interpreter", "model", "schema")
# What no model needs to run, imported where it is called: name in TFLM_OPS, and its modules. A
# build that picks what it gets has those that it names. First the modules of `extra`.
SERVICES = {
    **{
        name: (f"extra.{name}",)
        for name in (
            "arena_planner",
            "constants",
            "feeding",
            "printed",
            "profiler",
            "signatures",
            "state",
        )
    },
    "report": ("base.reprs", "run.recording", "run.report"),
    "delegated": ("extra.delegated",),
    "flex": ("extra.flex", "file.flexbuffer"),
    "resizing": ("extra.resizing", "extra.shapes"),
    "audio": ("audio",),
    "mel": ("mel",),
    "motion": ("motion",),
    "detect": (
        *(f"detect.{name}" for name in ("boxes", "curves", "faces", "fomo", "heat", "labels")),
        *(f"detect.{name}" for name in ("ssd", "yolo_grid", "yolo_rows")),
    ),
    "image": ("image",),
    "listen": ("audio", "ear", "hearing", "sources", "stream"),
    "camera": ("camera",),
    "aio": ("aio",),
    "spectral": ("spectral",),
    "peer": ("extra.delegated", "peer"),
    "npu": ("npu", "file.flexbuffer"),
    "flexbuffer": ("file.flexbuffer",),
    "lite": ("lite", "extra.signatures"),
}
# Modules of which only some boards freeze the service: C has none of their messages.
OF_BOARDS = ("camera",)
# What firmware with everything has not, as flash is short: a board has the modules of these
# services as files, from the list of that name of its package, such as detect.json. Firmware whose
# TFLM_OPS names the service has them.
FILE_SERVICES = "aio", "detect", "spectral"
AS_FILES = tuple(module for service in FILE_SERVICES for module in SERVICES[service])


def needed_paths(source=PACKAGE, families=None, services=None, kernels=None, users=None):
    """Return the paths of the modules of package *source* that are needed beside C kernels.

    families  names of those to keep: None for all; none at all for prepared models only
    services  names of services to keep, None for all
    kernels   names of kernels in this firmware, None for all: they decide about PARTS
    users     families of the kernels of a build for prepared models only, None for all

    What a module imports at its start is there, too, whatever the tables above say.
    """
    paths = {}
    for path in sorted(source.rglob("*.py")):
        name = path.relative_to(source)
        if not (name.parts[0] == "kernels" and name.stem != "__init__"):
            module = name.parent if name.stem == "__init__" else name.with_suffix("")
            paths[str(name)] = ".".join(module.parts)
    named = _modules_of(SERVICES if services is None else services)
    left_out = _modules_of(SERVICES) - named
    if families is not None:
        left_out |= {name for name in paths.values() if not _is_needed(name, families)} - named
    users = families or users
    left_out -= {
        name
        for name, others in WITH_FAMILIES.items()
        if families is None or families and not set(families).isdisjoint(others)
    }
    if families == [] and users is not None:
        left_out |= {
            name for name, others in WITH_FAMILIES.items() if set(users).isdisjoint(others)
        } - named
    if kernels is not None:
        left_out |= {name for name, patterns in PARTS.items() if not _fit(kernels, patterns)}
    kept = [path for path, name in paths.items() if name not in left_out]
    return sorted(with_imports(source, kept))


def _modules_of(services):
    return {name for service in services for name in SERVICES[service]}


def _fit(kernels, patterns):
    return any(fnmatchcase(kernel, one) for one in patterns.split() for kernel in kernels)


def _is_needed(name, families):
    """Return whether a build with *families*, or with none, needs the module *name*."""
    package, _, stem = name.rpartition(".")
    family = stem.partition("_")[0]  # of parts, too
    if package == "ops" and name not in TABLES:
        return family in families or bool(families) and family in ("common", "quantize")
    if families and name in WITH_FAMILIES:
        return not set(families).isdisjoint(WITH_FAMILIES[name])
    return bool(families) or name in TABLES or name.partition(".")[0] not in LOADING


def squeeze(source, target, paths, groups=None, texts=(), lean=False, native=None):
    """Write *paths* of package *source*, minified, to *target*; return the paths of the result.

    groups  GROUPS, or the groups of another package
    texts   the messages that `_tflm` has; if it has none, messages of services stay unchanged
    lean    of TFLM_OPS: only modules of OWN_NAMES and tensor types keep names of their own, and
            private names are short
    native  the names of `_tflm` in a native module; ValueError where a module needs more
    """
    modules = _read(source, paths)
    _reduce(modules, rows(source), lean)
    if native is not None:
        require_native(modules.values(), native)
    _number(modules, texts, () if texts else _modules_of(SERVICES))
    merge(modules, GROUPS if groups is None else groups, OWN_NAMES if lean else None)
    if lean:
        rename_private(modules)
    for module in modules.values() if texts else ():
        make_room(module)
    for module in modules.values():
        _write(target / module.path, module.text(modules))
    return sorted([module.path for module in modules.values()])


def texts_of(paths, source=PACKAGE, lean=False):
    """Return the messages of modules *paths* of *source*; long ones, which few say, are last."""
    modules = _read(source, paths)
    _reduce(modules, rows(source), lean)
    return sorted(_number(modules), key=lambda text: len(text) >= LONG)


def _read(source, paths):
    modules, found = {}, rows(source)
    for path in paths:
        if is_kernel_rows(path):
            continue
        module = Module(path, with_facts(source_of(source / path), found), source.name)
        modules[module.name] = module
    return modules


def _reduce(modules, found, lean=False):
    families = [name for name in found.families if ("ops", name) in modules]
    collect(modules, found.tables(families))
    inline_constants(modules, lean)
    for module in modules.values():
        drop_unreachable(module)
    drop_unused(modules.values())
    place_parameters(modules, found)


def _number(modules, texts=(), left_out=()):
    layout, errors = modules[("base", "layout")], modules[("base", "errors")]
    packages = [module for module in modules.values() if module.is_package]  # nothing is added
    numbered = [module for name, module in modules.items() if ".".join(name) not in left_out]
    numbered = [module for module in numbered if ".".join(module.name) not in OF_BOARDS]
    return number_messages(numbered, errors, [layout, *packages], texts)


def _write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path.parent, {path.name: text})
