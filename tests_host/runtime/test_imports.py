"""The modules of the runtime import each other one way, late imports included."""

import ast
from graphlib import CycleError, TopologicalSorter

from tflm_host.places import MODULES

PACKAGE = MODULES / "tflm"


def imported(path):
    """Return the names of the modules of tflm that the one at *path* imports, anywhere in it."""
    package = path.relative_to(PACKAGE).parent.parts
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name.split(".")[1:] for alias in node.names]
            found |= {".".join(name) for name in names if name}
        elif isinstance(node, ast.ImportFrom) and node.level:
            above = package[: len(package) - node.level + 1]
            module = ".".join([*above, *(node.module or "").split(".")]).strip(".")
            found |= {module} | {f"{module}.{alias.name}".strip(".") for alias in node.names}
    return found


def test_no_module_imports_one_that_imports_it():
    modules = {}
    for path in PACKAGE.rglob("*.py"):
        if path.stem != "__init__":  # what users import from
            name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
            modules[name] = imported(path)
    assert len(modules) > 60
    graph = {name: found & modules.keys() for name, found in modules.items()}
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None
    assert order.index("model") < order.index("interpreter")
