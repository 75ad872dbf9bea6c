"""The type stubs have every public name; mypy --strict accepts them and the examples."""

import ast
import os
import shutil
import subprocess
import sys

import pytest

import tflm
from runtime.test_public_names import classes, names_of
from tflm_host.deploy.stubs import MODULES, stubs, write
from tflm_host.places import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
CONFIG = """[mypy]
strict = true
[mypy-machine.*]
ignore_missing_imports = true
"""
WRONG = """import tflm

interp = tflm.Interpreter(3.5, planer="overlap")
interp.inputs[0].argmax() + "1"
interp.invoke().data
interp.no_such_name
"""


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """Run mypy --strict with the stubs where Pylance finds them, too: typings/tflm."""
    pytest.importorskip("mypy", reason="mypy is not installed: nothing here checks types")
    folder = tmp_path_factory.mktemp("stubs")
    shutil.copytree(write(folder / "built"), folder / "typings" / "tflm")
    (folder / "mypy.ini").write_text(CONFIG)

    def run(*paths):
        command = [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", *map(str, paths)]
        environment = {**os.environ, "MYPYPATH": str(folder / "typings")}
        options = {"cwd": folder, "env": environment, "capture_output": True, "text": True}
        return subprocess.run(command, check=False, **options)

    run.folder = folder
    return run


def test_stubs_and_examples_are_clean(mypy):
    typings = sorted((mypy.folder / "typings" / "tflm").glob("*.pyi"))
    assert len(typings) == len(MODULES) + 1
    done = mypy(*EXAMPLES, *typings)
    assert done.returncode == 0, done.stdout + done.stderr


def test_wrong_uses_are_found(mypy, tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    found = mypy(path).stdout
    for word in ('"float"', '"planer"', "Unsupported operand", "does not return a value"):
        assert word in found
    assert '"no_such_name"' in found


def test_pip_installs_them_beside_the_package(tmp_path):
    write(tmp_path / "stubs")
    command = [sys.executable, "-m", "pip", "--quiet", "install", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--target", tmp_path / "site", tmp_path / "stubs"]
    subprocess.run(command, check=True)
    found = {path.name for path in (tmp_path / "site" / "tflm-stubs").iterdir()}
    assert found == set(stubs())


def test_every_public_name_is_in_the_stubs():
    found = {}
    for text in stubs().values():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef):
                targets = [n.target.id for n in node.body if isinstance(n, ast.AnnAssign)]
                methods = [n.name for n in node.body if isinstance(n, ast.FunctionDef)]
                found[node.name] = {*targets, *methods}
    wanted = [(tree.name, names_of(tree)) for module, tree in classes() if module in MODULES]
    assert len(wanted) > 15  # noqa: PLR2004
    missing = {name: names - found.get(name, set()) for name, names in wanted}
    assert not {name: names for name, names in missing.items() if names}


def test_package_has_the_names_of_the_package():
    text = stubs()["__init__.pyi"]
    names = [name for name in dir(tflm) if not name.startswith("_")]
    names = [name for name in names if not isinstance(getattr(tflm, name), type(tflm))]
    assert [name for name in names if name not in text] == []
