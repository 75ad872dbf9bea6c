"""`make stubs`: type stubs of the public names, the package tflm-stubs (PEP 561).

Names, signatures and docstrings come from the code. Types are in stub_types.py, by the name of the
parameter or of the member. A function without a result returns None. A type without an entry is
Any, so a new name appears at once.
"""

import ast
import inspect
import textwrap
from functools import cache
from importlib import import_module

import tflm
from tflm.detect import _LATER as LATER

from ..places import BUILD, ROOT
from .stub_types import ATTRIBUTES, PARAMETERS, REQUIRED, RETURNS

MODULES = (
    "base.arena",
    "load.context",
    "detect.boxes",
    "detect.faces",
    "detect.fomo",
    "detect.heat",
    "detect.ssd",
    "detect.yolo_grid",
    "detect.yolo_rows",
    "base.errors",
    "run.graph",
    "interpreter",
    "model",
    "load.op_resolver",
    "file.operators",
    "extra.profiler",
    "run.recording",
    "load.registration",
    "extra.signatures",
    "run.tensor",
    "file.views",
)
# Modules that a program imports by name; stub_types.py has their names with the module's before.
BY_NAME = ("aio", "audio", "camera", "ear", "hearing", "image", "lite", "mel", "motion", "npu")
BY_NAME += ("peer", "sources", "spectral", "stream", "detect.labels")
# Names that a module has from another one, on first use.
FROM_OTHERS = {
    "stream": {
        "Each": "aio",
        "Gravity": "motion",
        "Spectral": "spectral",
        "Window": "motion",
        "drop": "aio",
        "invoke": "aio",
    }
}
SPECIAL = (
    "__init__",
    "__call__",
    "__len__",
    "__getitem__",
    "__setitem__",
    "__iter__",
    "__enter__",
    "__exit__",
    "__aiter__",
    "__anext__",
)
HEADER = '''"""{text}"""

from typing import Any, Callable, Iterator, Optional, Sequence, Union

{imports}
'''
INDENT = "    "
FOLDER = BUILD / "stubs"
PROJECT = """[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "tflm-stubs"
version = "{version}"
description = "Type stubs of tflm, TensorFlow Lite Micro for MicroPython"
license = "MIT"
requires-python = ">=3.9"

[tool.setuptools]
packages = ["tflm-stubs"]

[tool.setuptools.package-data]
"*" = ["*.pyi", "*/*.pyi", "py.typed"]
"""


def stubs():
    """Return {file name: text} of the package tflm-stubs."""
    found = {f"{name.replace('.', '/')}.pyi": module_stub(name) for name in MODULES + BY_NAME}
    packages = {f"{name.partition('.')[0]}/__init__.pyi": "" for name in MODULES if "." in name}
    packages["detect/__init__.pyi"] = "".join(
        f"from tflm.{module} import {name} as {name}\n" for name, module in LATER.items()
    )
    return {"__init__.pyi": package_stub(), "py.typed": "", **packages, **found}


def package_stub():
    """Return the stub of the package: its names come from the modules'."""
    names = [name for name in dir(tflm) if not name.startswith("_")]
    lines, rest = [], []
    for name in names:
        value = getattr(tflm, name)
        if inspect.ismodule(value):
            continue
        module = getattr(value, "__module__", "").removeprefix("tflm.")
        if inspect.isclass(value) and module in MODULES:
            lines.append(f"from .{module} import {name} as {name}")
        elif inspect.isfunction(value):
            rest.append(function_stub(value, name, ""))
        else:
            rest.append(f"{name}: {ATTRIBUTES.get(name, 'Any')}")
    rest.append("__version__: str")
    text = inspect.getdoc(tflm)
    return HEADER.format(text=text, imports="\n".join(lines)) + "\n" + "\n".join(rest) + "\n"


def module_stub(name):
    """Return the stub of the module *name*: its public classes; functions of those BY_NAME."""
    module = import_module(f"tflm.{name}")
    own = [thing for thing in vars(module).values() if is_public(thing, module)]
    kinds = [kind for kind in own if inspect.isclass(kind)]
    parts = [class_stub(kind) for kind in kinds]
    for function in filter(inspect.isfunction, own if name in BY_NAME else ()):
        parts.append(function_stub(function, function.__name__, f"{name}.{function.__name__}"))
    text = "\n\n".join(parts)
    others = {kind: other for other in MODULES for kind in classes_of(other)}
    own = {kind.__name__ for kind in kinds}
    used = sorted(kind for kind in others if kind not in own and uses(text, kind))
    imports = "\n".join(f"from tflm.{others[kind]} import {kind}" for kind in used)
    for thing, other in FROM_OTHERS.get(name, {}).items():
        imports += f"\nfrom tflm.{other} import {thing} as {thing}"
    if uses(text, "PathLike"):
        imports = "from os import PathLike\n" + imports
    return HEADER.format(text=inspect.getdoc(module), imports=imports) + "\n" + text + "\n"


def is_public(thing, module):
    """Return whether *thing* is a class or function that *module* has for its users."""
    name = getattr(thing, "__name__", "_")
    return getattr(thing, "__module__", "") == module.__name__ and name[0] != "_"


def full_name(kind):
    """Return the name of a class in stub_types.py."""
    module = kind.__module__.rpartition(".")[2]
    return f"{module}.{kind.__name__}" if module in BY_NAME else kind.__name__


def classes_of(name):
    module = import_module(f"tflm.{name}")
    kinds = [kind for kind in vars(module).values() if inspect.isclass(kind)]
    return [kind.__name__ for kind in kinds if kind.__module__ == module.__name__]


def uses(text, name):
    """Return whether an annotation in *text* names the class."""
    tree = ast.parse(text)
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(tree))


def class_stub(kind):
    """Return the stub of a class, with every member of its private bases."""
    bases = [base.__name__ for base in kind.__bases__ if base.__module__ == "builtins"]
    own = [
        base.__name__ for base in kind.__bases__ if is_public(base, import_module(kind.__module__))
    ]
    bases = [base for base in own + bases if base != "object"]
    parents = f"({', '.join(bases)})" if bases else ""
    lines = [f"class {kind.__name__}{parents}:"]
    lines += [INDENT + line for line in docstring(kind)]
    names = [name for name in dir(kind) if name in SPECIAL or not name.startswith("_")]
    members = []
    for name in sorted({*names, *attributes_set(kind)}):
        if name in attributes_set(kind) or not is_inherited(kind, name):
            members += member_stub(kind, name)
    return "\n".join(lines + ([INDENT + line for line in members] or [INDENT + "..."]))


def is_inherited(kind, name):
    """Return whether *name* is a builtin class's, which has its own stub."""
    value = inspect.getattr_static(kind, name, None)
    return not (inspect.isfunction(value) or isinstance(value, property)) and (
        name in SPECIAL or hasattr(Exception, name)
    )


@cache
def attributes_set(kind):
    """Return the public attributes that the class or its methods set."""
    found = set()
    for base in kind.__mro__:
        if not base.__module__.startswith("tflm"):
            continue
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(base)))):
            is_set = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
            if is_set and getattr(node.value, "id", "") == "self" and node.attr[0] != "_":
                found.add(node.attr)
    return {name for name in found if not callable(getattr(kind, name, None))}


def member_stub(kind, name):
    value = inspect.getattr_static(kind, name, None)
    full = f"{full_name(kind)}.{name}"
    if isinstance(value, classmethod):
        return ["@classmethod", *function_stub(value.__func__, name, full).splitlines()]
    if isinstance(value, property):
        lines = ["@property", f"def {name}(self) -> {ATTRIBUTES.get(full, 'Any')}:"]
        lines += [INDENT + line for line in docstring(value)] + [INDENT + "..."]
        if value.fset:
            given = ATTRIBUTES.get(full, "Any")
            lines += [f"@{name}.setter", f"def {name}(self, value: {given}) -> None: ..."]
        return lines
    if inspect.isfunction(value):
        return function_stub(value, name, full).splitlines()
    return [f"{name}: {ATTRIBUTES.get(full, 'Any')}"]


def function_stub(function, name, full):
    """Return the stub of a function or method."""
    shown = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == "others":  # which only makes an error
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in [one[0] for one in shown]:
            shown.append("*")
        shown.append(parameter_stub(parameter, full))
    result = "None" if name == "__init__" else RETURNS.get(full or name) or returned(function)
    kind = "async def" if inspect.iscoroutinefunction(function) else "def"
    lines = [f"{kind} {name}({', '.join(shown)}) -> {result}:"]
    lines += [INDENT + line for line in docstring(function)] + [INDENT + "..."]
    return "\n".join(lines)


def parameter_stub(parameter, full):
    name = parameter.name
    if name in ("self", "cls"):
        return name
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    kind = PARAMETERS.get(f"{full}.{name}") or PARAMETERS.get(name, "Any")
    optional = parameter.default is not parameter.empty and f"{full}.{name}" not in REQUIRED
    default = " = ..." if optional else ""
    return f"{stars}{name}: {kind}{default}"


def returned(function):
    """Return None for a function that returns nothing, Iterator for a generator, else Any."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    nodes = list(ast.walk(tree))
    if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in nodes):
        return "Iterator[Any]"
    values = [node for node in nodes if isinstance(node, ast.Return) and node.value is not None]
    return "Any" if values else "None"


def docstring(thing):
    text = inspect.getdoc(thing) if getattr(thing, "__doc__", None) else None
    return f'r"""{text}\n"""'.splitlines() if text else []


def write(folder=FOLDER):
    """Write the package, and files to build its wheel, to *folder*; return its folder."""
    package = folder / "tflm-stubs"
    package.mkdir(parents=True, exist_ok=True)
    for name, text in stubs().items():
        (package / name).parent.mkdir(exist_ok=True)
        (package / name).write_text(text, encoding="utf-8")
    (folder / "pyproject.toml").write_text(PROJECT.format(version=tflm.__version__))
    return package


if __name__ == "__main__":
    print(f"{write().relative_to(ROOT)}: pip install build/stubs, or copy it to typings/tflm")
