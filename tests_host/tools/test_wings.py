"""The packages of tflm_host: a file imports from its own package and lower ones."""

import ast

from tflm_host.places import PACKAGE

# Each may import from those before it. Anything may import `_tflm`, for CPython the firmware's
# C module in Python, as on a board.
ORDER = (
    "places",
    "generate",
    "model",
    "plan",
    "prepare",
    "targets",
    "deploy",
    "report",
    "measure",
    "certify",
    "cli",
    "__main__",
)


def imported(path, tree, root=PACKAGE):
    """Yield (line, parts of the module below *root*) of every import of tflm_host in *tree*."""
    package = path.relative_to(root).parent.parts
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
            yield from ((node.lineno, name[1:]) for name in names if name[0] == PACKAGE.name)
        elif isinstance(node, ast.ImportFrom):
            module = node.module.split(".") if node.module else []
            if node.level:
                module = [*package[: len(package) - node.level + 1], *module]
            elif module[0] == PACKAGE.name:
                module = module[1:]
            else:
                continue
            yield from ((node.lineno, [*module, alias.name]) for alias in node.names)


def against_the_order(path, text):
    """Return a line for each import in *text*, of the file *path*, from a higher package."""
    wing = ORDER.index(path.relative_to(PACKAGE).with_suffix("").parts[0])
    return [
        f"{path.relative_to(PACKAGE)}:{line}: {'.'.join(module)}"
        for line, module in imported(path, ast.parse(text))
        if ORDER.index(module[0]) > wing
    ]


def files():
    return [path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py"]


def test_no_import_from_a_lower_wing_to_a_higher_one():
    assert len(files()) > len(ORDER)
    assert sum((against_the_order(path, path.read_text()) for path in files()), []) == []


def test_every_file_is_in_a_wing():
    assert {path.relative_to(PACKAGE).with_suffix("").parts[0] for path in files()} == set(ORDER)


def test_every_spelling_of_an_import_is_seen():
    text = """
from .. import cli
from ..cli import common
from ..cli.common import print_json
from . import flatfile
from ..places import ROOT
import numpy
import tflm_host.report.errors
def late():
    from tflm_host.measure import bench
    from ..targets import repl
"""
    found = against_the_order(PACKAGE / "model" / "files.py", text)
    assert sorted(line.split(": ")[1] for line in found) == [
        "cli",
        "cli.common",
        "cli.common.print_json",
        "measure.bench",
        "report.errors",
        "targets.repl",
    ]


def test_what_runs_on_a_board_imports_no_tool():
    scripts = sorted((PACKAGE / "targets" / "device").glob("*_device.py"))
    assert scripts
    for path in scripts:
        assert list(imported(path, ast.parse(path.read_text()))) == [], path
