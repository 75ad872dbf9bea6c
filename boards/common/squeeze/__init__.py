"""Writes a copy of a package that does the same and takes less flash when it is frozen.

A name costs some twenty bytes in flash, a module two hundred. So, in this order,

- numbers and strings with names in capitals stand where they are used, and have no name;
- what only builds without `_tflm` run is left out;
- parameters of kernels stand in the order of their record, without names;
- parameters of functions are letters where functions are called by position only;
- the messages of exceptions are packed;
- modules that are always imported together are one;
- functions that one place calls stand in that place;
- names that users do not meet are a letter or two;
- the names that a module says most get the numbers that take one byte.

Each of these has its module here. Run by manifest.py, for which Python alone must do.
"""

import ast
import os

from .constants import inline_constants
from .inline import inline_once
from .known import drop_unreachable, drop_unused_functions
from .merge import merge
from .messages import LONG, number_messages
from .module import Module
from .names import public_names, shorten_names, shorten_parameters
from .order import number_names
from .records import place_parameters

# Modules of what users meet: they may call its functions with keywords.
PUBLIC = (
    ("arena",),
    ("context",),
    ("graph",),
    ("interpreter",),
    ("model",),
    ("op_resolver",),
    ("recording",),
    ("tensor",),
    ("views",),
)
# Attributes there that only the package uses.
OWN = (
    *("allocate_persistent", "allocate_temp", "bind", "deallocate_temp", "fill", "is_shared"),
    *("mark", "offset_of", "reserve", "reset_temps", "resize_head", "restore", "temp", "view"),
    *("check_shapes", "forget_tensors", "start", "state"),
    *("check_all", "find_code", "why_missing"),
    *("links", "metadata_position", "node_bytes", "places"),
)
# Globals that scripts on boards use, too.
KEPT = ("ABSENT", "BUILTINS", "NODE_FORMAT", "find", "kernel_index", "kernel_names")
# Modules that are always imported together, in an order in which each finds what it imports.
GROUPS = {
    "interpreter": "errors schema arena flatbuffer op_names views model tensor graph interpreter",
    "loading": "context lifetime offline planner plan_check allocator op_resolver loading",
    "report": "recording report",
    "ops.all": "quantize ops.common ops.conv ops.fully_connected ops.activations ops.arithmetic"
    " ops.concatenation ops.logistic ops.pad ops.pooling ops.quantize ops.reduce ops.reshape"
    " ops.softmax ops.svdf",
}


def needed_paths(source):
    """Return the paths of the modules of package *source* that are needed beside C kernels."""
    paths = []
    for folder, _, names in os.walk(source):
        where = os.path.relpath(folder, source)
        for name in names:
            if name.endswith(".py") and (where != "kernels" or name == "__init__.py"):
                paths.append(os.path.normpath(os.path.join(where, name)))
    return sorted(paths)


def squeeze(source, target, paths, groups=GROUPS, texts=()):
    """Write *paths* of package *source*, squeezed, to *target*; return the paths of the result.

    texts  the messages that `_tflm` has
    """
    modules = _read(source, paths)
    _reduce(modules)
    public = public_names(modules, (*PUBLIC, ("errors",)), OWN)
    _number(modules, texts)
    known = _known_globals(modules)
    merge(modules, groups)
    inline_once(list(modules.values()), public.union(known))
    shorten_names(list(modules.values()), public, known)
    for module in modules.values():
        number_names(module)
        _write(os.path.join(target, module.path), ast.unparse(module.tree) + "\n")
    return sorted([module.path for module in modules.values()])


def texts_of(source):
    """Return the messages of package *source*, long ones last: few say their numbers."""
    modules = _read(source, needed_paths(source))
    _reduce(modules)
    return sorted(_number(modules), key=lambda text: len(text) >= LONG)


def _read(source, paths):
    modules = {}
    for path in paths:
        with open(os.path.join(source, path)) as file:
            module = Module(path, file.read())
        modules[module.name] = module
    return modules


def _reduce(modules):
    inline_constants(modules, KEPT)
    for module in modules.values():
        drop_unreachable(module)
    drop_unused_functions(modules.values())
    place_parameters(modules, modules[("layout",)])
    shorten_parameters(modules.values(), PUBLIC, OWN)


def _number(modules, texts=()):
    layout, errors = modules[("layout",)], modules[("errors",)]
    return number_messages(modules.values(), errors, [layout], texts)


def _known_globals(modules):
    """Return KEPT, and what the tables of packages name."""
    names = set(KEPT)
    for module in modules.values():
        if module.is_package:
            names |= {node.value for node in module.nodes(ast.Constant)}
    return {name for name in names if isinstance(name, str)}


def _write(path, text):
    if os.path.exists(path):
        with open(path) as file:
            if file.read() == text:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    own = f"{path}.{os.getpid()}"  # builds of several boards write the same
    with open(own, "w") as file:
        file.write(text)
    os.replace(own, path)
