"""MicroPython's own asyncio, on the unix port and an emulated board, and the PC's.

tests_device/test_aio.py has what needs no asyncio.
"""

import asyncio
import importlib
import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest

from support.models.small_models import chain
from tflm_host.places import ROOT
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import open_target

SCRIPT = ROOT / "tests_device" / "test_aio.py"
BOARD = "MPS2_AN386"
NODES = 6
PROGRAM = """
import asyncio, sys
import tflm
from tflm.stream import Each, Window, drop, invoke

turns = []

async def other():
    while True:
        turns.append(1)
        await asyncio.sleep(0)

async def cancelled(interp):
    task = asyncio.create_task(invoke(interp))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    try:
        interp.invoke()
    except tflm.StateError:
        print("taken")
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        print("cancelled")
    return interp

async def main(path):
    interp, plain = tflm.Interpreter(path), tflm.Interpreter(path)
    await cancelled(interp)
    task = asyncio.create_task(other())
    window = Window(interp.inputs[0], hop=2, channels=1, raw=True)
    samples = iter([3, -5, 7, -9, 11, -13, 15, -17])
    count = 0
    async for sample in Each(lambda: next(samples), every=1):
        count += 1
        if window.add((sample,)):
            plain.inputs[0].data[:] = interp.inputs[0].data
            del turns[:]
            await invoke(interp)
            print(count, len(turns), bytes(interp.outputs[0].data).hex())
            plain.invoke()
            assert bytes(plain.outputs[0].data) == bytes(interp.outputs[0].data)
    task.cancel()
"""
PRINTED = """taken
cancelled
4 5 03000700
6 5 07000b00
8 5 0b000f00
"""


def test_script_for_boards_runs_here(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("aio_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    importlib.import_module("tflm_tests").main(module)


def test_other_tasks_run_between_nodes_and_samples_on_the_pc(tmp_path, capsys):
    (tmp_path / "chain.tflite").write_bytes(chain(NODES))
    names = {}
    exec(PROGRAM, names)
    asyncio.run(names["main"](str(tmp_path / "chain.tflite")))
    assert capsys.readouterr().out == PRINTED


def files_of_asyncio():
    command = [ROOT / "scripts" / "fetch_micropython.sh"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    folder = Path(done.stdout.split()[-1]) / "extmod" / "asyncio"
    return [(f"lib/asyncio/{path.name}", path.read_bytes()) for path in folder.glob("*.py")]


@pytest.fixture(scope="module", params=["unix", BOARD])
def target(request):
    if request.param == BOARD and shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    files = [("chain.tflite", chain(NODES)), *files_of_asyncio()]
    if request.param == BOARD:  # which has the module as a file
        aio = ROOT / "mp_modules" / "tflm" / "aio.py"
        files.append(("lib/tflm/aio.py", aio.read_bytes()))
    with open_target(request.param, models=files) as opened:
        if request.param == "unix":
            folder = opened.path("chain.tflite").rpartition("/")[0]
            opened.exec(f"import sys; sys.path.append({folder + '/lib'!r})")
        yield opened


def test_other_tasks_run_between_nodes_and_samples_on_boards(target):
    path = target.path("chain.tflite")
    assert target.exec(f"{PROGRAM}\nasyncio.run(main({path!r}))").replace("\r", "") == PRINTED


def test_device_script_passes_where_the_module_is_a_file(target):
    printed = target.run_file(SCRIPT)
    assert "0 skipped, 0 failed" in printed, printed
