"""The walk of public names (tests_device/test_public*.py) leaves none out, and works here."""

import ast
import importlib.util
import re
import sys

import pytest

import tflm
from support.pages.doc_blocks import read_page
from tflm_host.places import ROOT, TESTS

PACKAGE = ROOT / "mp_modules" / "tflm"
# Modules of what users meet; INTERNAL are classes there that only the package makes and uses.
MODULES = [
    "base.arena",
    "aio",
    "audio",
    "load.context",
    "extra.delegated",
    "detect.boxes",
    "detect.faces",
    "detect.fomo",
    "detect.heat",
    "detect.ssd",
    "detect.yolo_grid",
    "detect.yolo_rows",
    "ear",
    "image",
    "base.errors",
    "run.graph",
    "interpreter",
    "lite",
    "mel",
    "model",
    "motion",
    "load.op_resolver",
    "file.operators",
    "peer",
    "extra.profiler",
    "run.recording",
    "load.registration",
    "extra.signatures",
    "spectral",
    "stream",
    "run.tensor",
    "file.views",
]
INTERNAL = ("DelegatedModel", "DelegatedSubGraph", "Draft", "Runner", "_Link", "_Tensors")
INTERNAL += ("_Elements", "_Graph", "_Reader", "_Slices", "Values")
INTERNAL += ("OpResolverType",)  # has numbers, read from the class: test_lite.py
SPECIAL = ("__len__", "__getitem__", "__setitem__", "__iter__", "__enter__", "__exit__")
EXAMPLE = "<string>"  # the file that eval() names
SCRIPTS = sorted(TESTS.parent.glob("test_public*.py"))


def classes():
    """Yield (module, tree of the class) of all public classes."""
    for name in MODULES:
        for node in ast.parse((PACKAGE / f"{name.replace('.', '/')}.py").read_text()).body:
            if isinstance(node, ast.ClassDef) and node.name not in INTERNAL:
                yield name, node


def names_of(tree):
    """Return the public attributes that a class defines or its methods set."""
    names = set()
    for node in ast.walk(tree):
        is_set = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if is_set and getattr(node.value, "id", "") == "self":
            names.add(node.attr)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets}
    return {name for name in names if name in SPECIAL or not name.startswith("_")}


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def examples(path):
    """Return the statements of the examples in the script at *path*, unparsed."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            lines = re.findall(r"^(?:>>>|\.\.\.) (.*)", node.value, re.MULTILINE)
            if lines:
                found |= {ast.unparse(part) for part in ast.parse("\n".join(lines)).body}
    return found


def note_uses(monkeypatch, kind, used):
    """Note in *used* which attributes of class *kind* examples take."""

    def note(name):
        if sys._getframe(2).f_code.co_filename == EXAMPLE:
            used.add((kind.__name__, name))

    read, write = kind.__getattribute__, kind.__setattr__

    def getattribute(self, name):
        note(name)
        return read(self, name)

    def setattribute(self, name, value):
        note(name)
        write(self, name, value)

    monkeypatch.setattr(kind, "__getattribute__", getattribute)
    monkeypatch.setattr(kind, "__setattr__", setattribute)
    for name in SPECIAL:
        if name in vars(kind):
            method = vars(kind)[name]

            def special(self, *args, name=name, method=method):
                note(name)
                return method(self, *args)

            monkeypatch.setattr(kind, name, special)


@pytest.mark.slow
def test_walk_runs_here_and_calls_every_public_name(monkeypatch, capsys):
    monkeypatch.syspath_prepend(TESTS.parent)
    used, wanted = set(), set()
    for module, tree in classes():
        kind = getattr(importlib.import_module("tflm." + module), tree.name)
        note_uses(monkeypatch, kind, used)
        wanted |= {(tree.name, name) for name in names_of(tree)}
    monkeypatch.chdir(ROOT)
    for path in SCRIPTS:
        importlib.import_module("tflm_tests").main(load(path))
        assert capsys.readouterr().out.endswith(" 0 skipped, 0 failed\nOK\n")
    assert len(wanted) > 150
    missing = sorted({f"{kind}.{name}" for kind, name in wanted - used})
    assert not missing, " ".join(missing)


def test_walk_calls_every_name_of_the_package():
    said = {line for path in SCRIPTS for line in examples(path)}
    names = {name for line in said for name in re.findall(r"tflm\.(\w+)", line)}
    exported = {name for name in dir(tflm) if not name.startswith("_")}
    modules = {name for name in exported if isinstance(getattr(tflm, name), type(tflm))}
    assert modules == {"audio"}
    exported -= modules
    assert exported | {"__version__"} <= names


OPERATORS_PAGE = ROOT / "docs" / "custom-operators.md"
BLOCK = re.compile(
    r"(?:^(?:    )?(?:import tflm|\w+ = tflm\.).*(?:\n|$)(?:    .*(?:\n|$))*)", re.MULTILINE
)


def blocks():
    """Return the source of every example in the README, in docstrings, and in OPERATORS_PAGE.

    Of the page those that neither test_docs_code.py nor test_own_natmod.py runs.
    """
    found = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    shown = [block for block in read_page(OPERATORS_PAGE).blocks if block.language == "python"]
    found += [one.text for one in shown if not one.is_run and "import copier" not in one.text]
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                text = ast.get_docstring(node) or ""
                found += BLOCK.findall(text)
    return found


def test_walk_has_every_example_of_readme_docstrings_and_operators_page():
    said = {line for path in SCRIPTS for line in examples(path)}
    found = blocks()
    assert len(found) >= 3
    assert any('add_custom("Double"' in block for block in found)
    for block in found:
        source = re.sub(r'"/rom/\w+\.tflite"', '"/rom/digits_cnn.tflite"', block)
        source = re.sub(r"\bsamples\b", "pixels", re.sub(r"^ {4}", "", source, flags=re.M))
        for node in ast.parse(source).body:
            line = re.sub(r"^print\((.*)\)$", r"\1", ast.unparse(node))
            assert [one for one in said if line in one], line
