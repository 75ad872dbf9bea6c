"""The C of docs/custom-operators.md builds as a native .mpy file and runs as an operator."""

import os
import re
import shutil
import subprocess

import pytest

from tflm_host.places import ROOT
from tflm_host.targets.build import build
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import open_target

BOARD = "MPS2_AN386"
PAGE = (ROOT / "docs/custom-operators.md").read_text()


def block(title):
    """Return the text of the block of the page with *title*."""
    return re.search(rf'title="(?:Builds: )?{title}" }}\n(.*?)```', PAGE, re.DOTALL)[1]


def python_blocks():
    """Return the program that the blocks make from which the native one goes on."""
    plain = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    text = "".join(plain[:2]).replace("models/digits", "/rom/digits")
    return text + block("A sketch: on a board with copier.mpy")


def test_operator_of_a_native_file_gives_the_same_bytes(tmp_path):
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    build(BOARD)
    script = ROOT / "scripts/fetch_micropython.sh"
    sources = subprocess.run([script], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in ("copier.c", "Makefile"):
        (tmp_path / name).write_text(block(name))
    mpy_cross = ROOT / "build/mpy-cross/mpy-cross"
    tools = [f"PYTHON={ROOT}/.venv/bin/python", f"MPY_CROSS={mpy_cross}"]
    command = ["make", f"MPY_DIR={sources.stdout.split()[-1]}", *tools]
    done = subprocess.run(
        command, cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    models = [ROOT / "models/digits_cnn.tflite", tmp_path / "copier.mpy"]
    with open_target(BOARD, models=models) as target:
        printed = target.exec("import sys\nsys.path.append('/rom')\n" + python_blocks(), 60)
    assert printed.split() == ["True", "True"]
