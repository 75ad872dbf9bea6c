"""The type stubs have every public name; mypy --strict accepts them and the examples."""

import ast
import os
import shutil
import subprocess
import sys

import pytest

import tflm
from runtime.test_public_names import classes, names_of
from support.pages.doc_blocks import ON_BOARD, PAGES, read_page
from tflm_host.deploy.stubs import BY_NAME, MODULES, stubs, write
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
BY_NAME_USES = """from pathlib import Path

import tflm
import tflm.audio
import tflm.lite as tflite
import tflm.mel
import tflm.npu
from tflm.detect import Fomo, read_labels
from tflm.peer import PeerDelegate, serve
from tflm.stream import Gravity, Window

other = tflite.Interpreter("model.tflite")
other.resize_tensor_input(0, (1, 8))
names: list[str] = other.get_signature_list()["serving_default"]["inputs"]
other.get_signature_runner()(image=other.get_tensor(0))
with tflm.Interpreter("model.tflite", delegates=[PeerDelegate(None, range(2))]) as interp:
    interp.resize_input(0, (1, 8))
    left: int = interp.feed(b"row") + interp.signature()(image=[1])["classes"].argmax()
    profiler = tflm.Profiler()
    with profiler("all"):
        microseconds: int = interp.profile(2, profiler)[0][2] + profiler.totals()[0][1]
    serve(None, interp, runs=1)
features = tflm.audio.Features("micro", output="raw")
end: int = features.feed(b"samples!", 0) + features.step
mel = tflm.mel.Features("model.features")
last: float = mel.feed(b"samples!") * mel.scale + mel.values
for thing in Fomo(tflm.Interpreter("model.tflite"), read_labels("model.tflite"), fit=None):
    print(thing.x + thing.width, thing.score, thing.label)
window = Window(tflm.Interpreter("model.tflite").inputs[0], hop=12, unit=0.01)
is_due: bool = window.add(Gravity(shift=5).remove((1, 2, 3))) or window.size > window.hop
resolver = tflm.OpResolver()
tflm.Interpreter(Path("model.tflite"))
tflm.Model(Path("model.tflite"))
resolver.add_custom("ethos-u", tflm.npu.ethos_u(lambda commands, regions, external: len(commands)))
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


@pytest.mark.slow
def test_stubs_and_examples_are_clean(mypy):
    typings = sorted((mypy.folder / "typings" / "tflm").rglob("*.pyi"))
    packages = {name.partition(".")[0] for name in MODULES if "." in name}
    assert len(typings) == len(MODULES + BY_NAME) + len(packages) + 1
    uses = mypy.folder / "uses.py"
    uses.write_text(BY_NAME_USES)
    done = mypy(*EXAMPLES, uses, *typings)
    assert done.returncode == 0, done.stdout + done.stderr


def test_programs_of_the_pages_are_clean(mypy):
    """They have no annotations, so mypy looks into them, but not for these."""
    paths = []
    for page in map(read_page, PAGES):
        blocks = [b for b in page.of("python") if not b.title.startswith(ON_BOARD)]  # viper
        if blocks:
            paths.append(mypy.folder / f"page_{page.name.replace('-', '_')[:-3]}.py")
            paths[-1].write_text("\n".join(block.text for block in blocks))
    assert len(paths) > 6
    done = mypy("--allow-untyped-defs", "--allow-untyped-calls", *paths)
    assert done.returncode == 0, done.stdout + done.stderr


def test_wrong_uses_are_found(mypy, tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    found = mypy(path).stdout
    for word in ('"float"', '"planer"', "Unsupported operand", "does not return a value"):
        assert word in found
    assert '"no_such_name"' in found


@pytest.mark.slow
def test_pip_installs_them_beside_the_package(tmp_path):
    write(tmp_path / "stubs")
    command = [sys.executable, "-m", "pip", "--quiet", "install", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--target", tmp_path / "site", tmp_path / "stubs"]
    subprocess.run(command, check=True)
    folder = tmp_path / "site" / "tflm-stubs"
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")}
    assert found == set(stubs())


def test_every_public_name_is_in_the_stubs():
    found = {}
    for file, text in stubs().items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef):
                targets = [n.target.id for n in node.body if isinstance(n, ast.AnnAssign)]
                methods = [n.name for n in node.body if isinstance(n, ast.FunctionDef)]
                found[file, node.name] = {*targets, *methods}
    shown = [(name, tree) for name, tree in classes() if name in MODULES + BY_NAME]
    assert len(shown) > 20
    missing = {}
    for module, tree in shown:
        names = names_of(tree) - found.get((f"{module.replace('.', '/')}.pyi", tree.name), set())
        missing.update({f"{module}.{tree.name}": names} if names else {})
    assert not missing


def test_package_has_the_names_of_the_package():
    text = stubs()["__init__.pyi"]
    names = [name for name in dir(tflm) if not name.startswith("_")]
    names = [name for name in names if not isinstance(getattr(tflm, name), type(tflm))]
    assert [name for name in names if name not in text] == []
