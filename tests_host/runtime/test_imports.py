"""The modules of the runtime import each other one way, late imports included.

Each package, and each module beside them, imports only from those before it. So a firmware can
leave out a package without a change to those before it.
"""

import ast
import sys
from graphlib import CycleError, TopologicalSorter

import pytest

import _tflm
import tflm
from support.models.model_builder import ModelBuilder, Quant
from support.models.small_models import chain
from tflm.base import port
from tflm_host.places import MODULES
from tflm_host.prepare import prepare

PACKAGE = MODULES / "tflm"
TABLES = ("ops.collect", "ops.index")  # of operators: they name families, and import none
# The walls, lowest first.
ORDER = (
    "base",
    "schema",
    "tables",
    "file",
    "memory",
    "ops",
    "kernels",
    "load",
    "run",
    "model",
    "interpreter",
    "extra",
    "audio",
    "mel",
    "detect",
    "motion",
    "aio",
    "spectral",
    "camera",
    "image",
    "stream",
    "sources",
    "ear",
    "hearing",
    "lite",
    "npu",
    "peer",
)


def names_of_modules():
    """Return {name: path} of all modules, packages' own as the name of the package."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name:  # the module tflm has what users import
            found[name] = path
    return found


def imported(path, text=None):
    """Return the names of the modules of tflm that the one at *path* imports, anywhere in it."""
    package = path.relative_to(PACKAGE).parent.parts
    found = set()
    for node in ast.walk(ast.parse(path.read_text() if text is None else text)):
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
            found |= {".".join(name[1:]) for name in names if name[0] == "tflm" and name[1:]}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = [*above, *(node.module or "").split(".")]
            if not node.level:
                if module[0] != "tflm":
                    continue
                module = module[1:]
            name = ".".join(module).strip(".")
            found |= {name} | {f"{name}.{alias.name}".strip(".") for alias in node.names}
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "bring":
            found |= {part.value for part in node.args if isinstance(part, ast.Constant)}
    return found


def arrows():
    """Return {module: modules that it imports}."""
    modules = names_of_modules()
    return {name: imported(path) & modules.keys() - {name} for name, path in modules.items()}


def wall_of(name):
    """Return the number of the package, or of the module beside them, that *name* is in."""
    return ORDER.index("tables" if name in TABLES else name.partition(".")[0])


def test_no_module_imports_one_that_imports_it():
    packages = {name for name, path in names_of_modules().items() if path.stem == "__init__"}
    graph = {name: found - packages for name, found in arrows().items() if name not in packages}
    assert len(graph) > 60
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None
    assert order.index("model") < order.index("interpreter")


def test_no_package_imports_from_a_higher_one():
    found = arrows()
    up = [
        f"{name} imports {other}"
        for name, others in found.items()
        for other in sorted(others)
        if wall_of(other) > wall_of(name)
    ]
    assert up == []
    between = {(wall_of(name), wall_of(other)) for name in found for other in found[name]}
    assert len([pair for pair in between if pair[0] != pair[1]]) > 40


def test_every_spelling_of_an_import_is_seen():
    text = """
import tflm.base.layout as layout
from ..file import places
from .graph import MicroGraph
def late():
    from tflm.load.loading import load
    from .. import model
    bring("memory.lifetime")
"""
    found = imported(PACKAGE / "run" / "prepared.py", text) & names_of_modules().keys()
    assert found == {
        "base.layout",
        "file",
        "file.places",
        "load.loading",
        "memory.lifetime",
        "model",
        "run.graph",
    }


def computed_slice():
    b = ModelBuilder()
    x, y = (b.tensor([4], "INT8", Quant(0.1, 0)) for _ in range(2))
    ends = [b.tensor([1], "INT32") for _ in range(2)]
    b.op("SLICE", [x, *ends], [y])
    return b.build([x, *ends], [y])


def float_function():
    b = ModelBuilder()
    x, y = (b.tensor([4], "FLOAT32") for _ in range(2))
    b.op("EXP", [x], [y])
    return b.build([x], [y])


@pytest.mark.parametrize(
    ("name", "use", "otherwise"),
    [
        ("load.loading", lambda: tflm.Interpreter(chain()), tflm.UnsupportedOpError),
        (
            "memory.lifetime",
            lambda: tflm.Interpreter(prepare(chain(), _tflm.isa), prepared=True).arena_report(),
            ImportError,
        ),
        ("ops.update", lambda: tflm.Interpreter(computed_slice()), tflm.UnsupportedOpError),
        (
            "ops.elementwise_float",
            lambda: tflm.Interpreter(float_function()),
            tflm.UnsupportedOpError,
        ),
    ],
)
def test_full_heap_is_not_taken_for_firmware_without_the_module(monkeypatch, name, use, otherwise):
    """MicroPython takes a file that it has no memory to look for as absent."""
    use()
    monkeypatch.setitem(sys.modules, f"tflm.{name}", None)
    with pytest.raises(otherwise):
        use()

    def full(_nbytes):
        raise MemoryError

    monkeypatch.setattr(port, "bytearray", full, raising=False)
    with pytest.raises(MemoryError):
        use()
