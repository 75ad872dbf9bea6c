"""Writes a copy of a package that does the same and takes less flash when it is frozen.

A name costs some twenty bytes in flash, a module two hundred. So, in this order:

- numbers and strings with names in capitals stand where they are used, and have no name there;
- what only builds without `_tflm` run is left out;
- parameters of kernels stand in the order of their record, without names;
- the messages of exceptions are packed;
- modules that are always imported together are one.

Users do not see it: all that they can name, complete or read in a traceback is called as in the
source, and every module outside of the packages `kernels` and `ops` can be imported.

Each of these has its module here. Run by manifest.py, for which Python alone must do.
"""

import os

from .constants import inline_constants
from .known import drop_unreachable, drop_unused_functions
from .merge import merge
from .messages import LONG, number_messages
from .module import Module
from .records import place_parameters

# Modules that are always imported together, in an order in which each finds what it imports.
GROUPS = {
    "interpreter": "shown errors schema arena flatbuffer op_names views model elements tensor"
    " graph interpreter",
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
    _number(modules, texts)
    merge(modules, groups)
    for module in modules.values():
        _write(os.path.join(target, module.path), module.text(modules))
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
            module = Module(path, file.read(), os.path.basename(source))
        modules[module.name] = module
    return modules


def _reduce(modules):
    inline_constants(modules)
    for module in modules.values():
        drop_unreachable(module)
    drop_unused_functions(modules.values())
    place_parameters(modules, modules[("layout",)])


def _number(modules, texts=()):
    layout, errors = modules[("layout",)], modules[("errors",)]
    packages = [module for module in modules.values() if module.is_package]  # nothing is added
    return number_messages(modules.values(), errors, [layout, *packages], texts)


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
