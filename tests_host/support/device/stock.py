"""What the tests of tflm on stock firmware share: targets with a package on them, and models."""

import json
import shutil
from contextlib import contextmanager

import pytest

import tflm
from tflm_host.deploy.package import package_files
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.boards import PORTABLE, load_board
from tflm_host.targets.open_target import open_target

MODELS = ROOT / "models"
STOCK = {
    "unix-stock": "x64",
    "MPS2_AN386-stock": "armv7emsp",
    "MPS2_AN385-stock": "armv7m",
    "MICROBIT-stock": "armv6m",
    "VIRT_RV32-stock": "rv32imc",
}
OWN = ("sine", "digits_cnn")
BOOT_SECONDS = 30

ON_DEVICE = """
import binascii, gc
from micropython import heap_lock, heap_unlock
def used():
    gc.collect()
    return gc.mem_alloc()
def run_all(model, inputs, size=None):
    import tflm
    arena = tflm.Arena(size) if size else None
    interp = tflm.Interpreter(model, arena, prepared=True)
    with open(inputs, "rb") as file:
        while all([file.readinto(tensor.data) for tensor in interp.inputs]):
            if interp.backend == "c":
                heap_lock()
            try:
                interp.invoke()
            finally:
                if interp.backend == "c":
                    heap_unlock()
            print(binascii.hexlify(interp.outputs[0].data).decode(), end="")
    print("", interp.backend)
"""

# Writes to the flash of a board, a piece at a time.
WRITE = """
import os
def append(path, data):
    parts = path.split("/")
    for i in range(2, len(parts)):
        try:
            os.mkdir("/".join(parts[:i]))
        except OSError:
            pass
    with open(path, "ab") as file:
        file.write(data)
"""
CHUNK = 2048


def open_stock(name, package, models=(), icount=False):
    """Start stock firmware with *package* (None: without) in a folder for modules."""
    if name != "unix-stock":
        emulator = load_board(name).emulator
        if shutil.which(emulator) is None:
            pytest.skip(f"{emulator} is not installed")
    files = package_files(STOCK[name], package) if package else []
    files = [("lib/" + path, data) for path, data in files]
    target = open_target(name, models=[("beside", b""), *files, *models], icount=icount)
    if name == "unix-stock":  # boards find /rom/lib by themselves
        folder = target.path("beside").replace("beside", "lib")
        target.exec(f"import sys; sys.path.insert(0, {folder!r})")
    target.exec(ON_DEVICE)
    return target


@contextmanager
def open_pico(package, models):
    """Start upstream's own firmware of the Pico, and write *package* to its file system."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: nothing here runs rp2040js")
    files = [("/lib/" + path, data) for path, data in package_files("armv6m", package)]
    files += [("/" + name, data) for name, data in models]
    with open_target("RPI_PICO-stock") as target:
        target.exec(WRITE)
        for path, data in files:
            for start in range(0, len(data), CHUNK):
                target.exec(f"append({path!r}, {data[start : start + CHUNK]!r})")
            target._paths[path[1:]] = path
        target.repl.enter(BOOT_SECONDS)  # with a soft reset: writing has left holes in the heap
        target.exec(ON_DEVICE)
        yield target


def own_models():
    cases = {}
    for name in OWN:
        golden = json.loads((MODELS / f"{name}.json").read_text())["golden"]
        inputs, outputs = (bytes.fromhex(golden[key]) for key in ("inputs", "outputs"))
        cases[name] = (MODELS / f"{name}.tflite").read_bytes(), inputs, outputs
    return cases


def isa_of(name):
    """Return the name of the kernels in the native module of *name*."""
    return PORTABLE if name == "unix-stock" else load_board(name).isa


def prepared(cases, isa):
    """Return *cases* with their models prepared for the kernels of *isa*."""
    return {
        f"{name}_prepared": (prepare(model, isa), inputs, outputs)
        for name, (model, inputs, outputs) in cases.items()
    }


def files_of(cases):
    files = [(f"{name}.tflite", model) for name, (model, _, _) in cases.items()]
    return files + [(f"{name}.in", inputs) for name, (_, inputs, _) in cases.items()]


def wrong_models(target, cases, backend, arena_first=False):
    """Return the names of the models whose outputs are not the expected ones."""
    wrong = []
    for name, (model, _, expected) in cases.items():
        paths = target.path(f"{name}.tflite"), target.path(f"{name}.in")
        size = None
        if arena_first:
            size = tflm.Interpreter(model, measure=True, prepared=True).arena_used_bytes()
        printed = target.exec(f"run_all(*{paths!r}, {size})", timeout=300).split()
        if printed != [expected.hex(), backend]:
            wrong.append(name)
    return wrong
