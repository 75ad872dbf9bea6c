"""The kernels of the native module for an Xtensa, run by qemu-xtensa in place of the host's.

A MicroPython for it, in xtensa_port, loads the module, too. Kernels are compiled as `make natmod`
compiles them; the program has all that a native module can link. QEMU has no core of an ESP32:
`de233_fpu` has register windows and floats, but multiplies to 64 bits in software.
"""

import ctypes
import os
import shutil
import struct
import subprocess
import sys
from zlib import crc32

import pytest

from tflm.ops.collect import rows
from tflm_host.generate import inputs
from tflm_host.generate.files import locked
from tflm_host.generate.picked import picked
from tflm_host.places import BUILD, ROOT
from tflm_host.targets.build import run as run_build

QEMU, CORE = "qemu-xtensa", "de233_fpu"
# Those whose doubles need functions of libgcc, which there is not, are left out.
KERNELS = "*,!detection,!log_*,!sin_f32,!cos_f32,!transform_*,!pairs_f32"
FOLDER = BUILD / "natmod" / "xtensa-calls"
MODULE = BUILD / "natmod" / "xtensa-module"
PORT = BUILD / "natmod" / "xtensa-micropython"
PORT_SOURCES = ROOT / "tests_host" / "support" / "native" / "xtensa_port"
SOURCES = ("firmware/tflm", "firmware/natmod", "mp_modules", inputs.GENERATE)
SOURCES += ("tests_host/support/native/xtensa_calls.c",)
REQUEST, ANSWER = struct.Struct("<2I6i"), struct.Struct("<3i")


def kernels():
    """Return the rows of the kernels that the program has."""
    found = rows().kernels
    names = picked(KERNELS, [kernel.name for kernel in found])
    return [kernel for kernel in found if kernel.name in names]


def compiler():
    """Return the folder of the compiler; skips where it was not fetched or QEMU is absent."""
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed: Debian's package qemu-user has it")
    found = _run(ROOT / "scripts" / "fetch_xtensa.sh", "--cached")
    if found.returncode:
        pytest.skip("no compiler for Xtensa: scripts/fetch_xtensa.sh fetches one")
    return found.stdout.strip()


def _run(*command, **settings):
    environment = {**os.environ, **settings}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def program():
    """Return the path of the program that runs nodes, built where sources have changed."""
    return _built(FOLDER, "calls", "firmware/natmod", f"TFLM_OPS={KERNELS}", "ARCH=xtensawin")


def module(kernels=""):
    """Return the path of `_tflm.mpy` for QEMU's core, built where sources have changed.

    kernels  as TFLM_OPS; "" for those of kernels.txt
    """
    folder, settings = MODULE, ["ARCH=xtensawin"]
    if kernels:
        folder = MODULE.with_name(f"{MODULE.name}-{crc32(kernels.encode()):08x}")
        settings.append(f"TFLM_OPS={kernels}")
    return _built(folder, "_tflm.mpy", "firmware/natmod", *settings)


def micropython():
    """Return the path of a MicroPython for qemu-xtensa, built where sources have changed."""
    return _built(PORT, "micropython", PORT_SOURCES.relative_to(ROOT))


def run_script(script):
    """Return what MicroPython on an emulated Xtensa prints that executes *script*."""
    command = [QEMU, "-cpu", CORE, micropython()]
    done = subprocess.run(command, input=script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


def _built(folder, name, sources, *settings):
    tools = compiler()
    with locked(folder.with_suffix(".lock")):
        text = inputs.listed((*SOURCES, sources), {"compiler": tools, "settings": settings})
        if not inputs.is_same(folder, text):
            shutil.rmtree(folder, ignore_errors=True)
            _build(tools, folder / name, ROOT / sources, settings)
            (folder / inputs.INPUTS).write_text(text)
    return folder / name


def _build(tools, target, sources, settings):
    source = _run(ROOT / "scripts" / "fetch_micropython.sh").stdout.strip()
    run_build(ROOT / "scripts" / "build_firmware.sh", inputs.MPY_CROSS)
    cross = BUILD / "mpy-cross" / "mpy-cross"
    path = f"{ROOT / 'firmware' / 'natmod' / 'xtensa'}{os.pathsep}{os.environ['PATH']}"
    done = _run(
        *("make", "-C", sources, "-j2", target, f"BUILD={target.parent}", *settings),
        *(f"MPY_DIR={source}", f"TOP={source}", f"PYTHON={sys.executable}"),
        *(f"MPY_CROSS={cross}", f"MICROPY_MPYCROSS={cross}"),
        XTENSA=tools,
        XTENSA_WITHOUT="mul32high",
        PATH=path,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]


class XtensaKernels:
    """What `_tflm` calls of its library: nodes run on an Xtensa, the rest in *host*'s library."""

    def __init__(self, path, host):
        self._host = host
        self._process = subprocess.Popen(
            [QEMU, "-cpu", CORE, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._numbers = {kernel.number for kernel in kernels()}
        self.calls = 0

    def __getattr__(self, name):
        return getattr(self._host, name)

    def tflm_form(self, kernel):
        return self._host.tflm_form(kernel) if kernel in self._numbers else 0

    def close(self):
        """End the program; returns its exit status, 0 if it ended with its input."""
        self._process.stdin.close()
        self._process.stdout.close()
        return self._process.wait(timeout=10)

    def tflm_run_checked(self, spaces, sizes, table, place, last, slices, budget):
        """Run nodes as tflm_run() does, in copies of the spaces; the model must stay as it is."""
        arena, model = (ctypes.string_at(spaces.of[i], sizes.of[i]) for i in range(2))
        facts = len(arena), len(model), table, last, slices, budget, place.node, place.done
        stdin, stdout = self._process.stdin, self._process.stdout
        stdin.write(REQUEST.pack(*facts) + arena + model)
        stdin.flush()
        answer = stdout.read(ANSWER.size)
        assert len(answer) == ANSWER.size, f"{QEMU} ended: {self._process.wait()}"
        place.node, place.done, goes_on = ANSWER.unpack(answer)
        ctypes.memmove(spaces.of[0], stdout.read(len(arena)), len(arena))
        assert stdout.read(len(model)) == model, "a kernel wrote into the model"
        self.calls += 1
        return bool(goes_on)
