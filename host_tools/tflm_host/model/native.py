"""Build the C runner and kernels as a shared library for CPython, from firmware/tflm.

The library has a checksum of its sources in its name. It is built if no file has that name, in
build/host/ of a clone or in the user's cache. The checked library contains the address and
undefined behaviour sanitizers. It runs every node on exact-size copies of arena and model: see
firmware/tflm/checked.c. A process must preload `sanitizer_runtime()` to load it.
"""

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..generate import sources_of_headers, write_headers
from ..generate.files import locked
from ..generate.sources import FAST, IMAGE, MEL, kernels_of
from ..places import BUILD, CACHE, IN_CLONE, SOURCES

LIBRARIES = (BUILD if IN_CLONE else CACHE) / "host"

FLAGS = [
    "-std=c99",
    "-O2",
    "-g",
    "-fPIC",
    "-ffp-contract=off",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wdouble-promotion",
]
# What a PC runs. The unix port and boards without kernels of their own run the same files without:
# so both loops of each kernel are tested.
VECTOR_FLAGS = ["-O3", "-DTFLM_VECTORS=1"]
CHECKED_FLAGS = ["-DTFLM_CHECKED", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
SPACES = 3  # arena, model, and the memory of the arena's tail
TAIL_OFFSET = 1 << 28  # by which the base of that space is less than its address


class BuildError(OSError):
    """The compiler is absent, or it refused a source."""


class Spaces(ctypes.Structure):
    """tflm_spaces_t, or tflm_sizes_t: a word for the arena, the model and the tail's memory."""

    _fields_ = [("of", ctypes.c_size_t * SPACES)]


class Place(ctypes.Structure):
    """tflm_place_t: where a run is."""

    _fields_ = [("node", ctypes.c_int32), ("done", ctypes.c_int32)]


def compiler():
    """Return the C compiler: $CC, or the first of cc, gcc and clang that exists."""
    for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
        if name and shutil.which(name):
            return name
    raise BuildError("no C compiler found: install gcc or clang, or set CC")


def sources(isa="portable"):
    """Return the C files of the host library, and every file that they depend on."""
    small = ("slices.c", "elements.c", "groups_plan.c", "fence.c", *MEL, *IMAGE)
    names = (*FAST, *small, *kernels_of(isa))
    watched = [*sorted(SOURCES.rglob("*.[ch]")), *sources_of_headers()]
    return [SOURCES / name for name in names], watched


def host_isa():
    """Return the folder of the kernels that this process runs: $TFLM_ISA, to test others here."""
    return os.environ.get("TFLM_ISA", "portable")


def library(checked=False, isa="portable"):
    """Return the path of the shared library, built when there is none of these sources."""
    units, watched = sources(isa)
    flags = list(FLAGS)
    if isa == "portable":
        flags += VECTOR_FLAGS
    if checked:
        flags += CHECKED_FLAGS
        units.append(SOURCES / "checked.c")
    if isa == "armv6m":  # as its cores have none
        flags.append("-DTFLM_SOFT_FLOAT=1")
    facts = platform.machine(), sys.platform, flags
    name = f"libtflm-{isa}{'-checked' if checked else ''}-{_sum_of(watched, facts)}.so"
    path = LIBRARIES / name
    if not path.exists():
        compiler()  # raises before anything is said or written
        with locked(LIBRARIES / "locks" / path.stem):
            if not path.exists():
                if sys.stderr.isatty():  # it takes seconds, at whatever command comes first
                    print("compiling the C kernels for this machine, once", file=sys.stderr)
                link(path, [*flags, *include_flags()], units)
    return path


def include_flags():
    """Write the generated headers; return the flags with which C files find all headers."""
    folder = LIBRARIES / _sum_of(sources_of_headers(), ())
    write_headers(folder)
    return [f"-I{SOURCES}", f"-I{folder}"]


def _sum_of(files, facts):
    """Return a checksum of *files* and *facts*, 16 hexadecimal digits."""
    found = hashlib.sha256(repr(facts).encode())
    for file in files:
        found.update(file.read_bytes())
    return found.hexdigest()[:16]


def link(path, flags, units):
    """Compile *units* into the shared library *path*, put in place in one step."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        output = Path(folder) / path.name
        objects = [f"{folder}/{number}.o" for number in range(len(units))]
        commands = [
            [compiler(), *flags, "-c", str(unit), "-o", name]
            for unit, name in zip(units, objects, strict=True)
        ]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            said = "".join(pool.map(_failure_of, commands))
        said = said or _failure_of([compiler(), *flags, "-shared", *objects, "-o", str(output)])
        if said:
            raise BuildError(f"{path.name} does not build:\n{said}")
        output.replace(path)


def _failure_of(command):
    """Run *command*; return its output if it failed, else nothing."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stderr or f"{command[0]} failed") if done.returncode else ""


def sanitizer_runtime():
    """Return the file for LD_PRELOAD that the checked library needs."""
    command = [compiler(), "-print-file-name=libasan.so"]
    path = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    if not Path(path).is_absolute():
        raise BuildError("the compiler has no address sanitizer")
    return path


def load(checked=False, isa="portable"):
    """Return the library, loaded, with the types of _tflm's functions declared."""
    lib = ctypes.CDLL(str(library(checked, isa)))
    spaces = ctypes.POINTER(Spaces)
    run = [ctypes.c_int32, ctypes.POINTER(Place), *[ctypes.c_int32] * 3]
    lib.tflm_run.argtypes = [spaces, *run]
    lib.tflm_run.restype = ctypes.c_bool
    lib.tflm_form.argtypes = [ctypes.c_int32]
    lib.tflm_form.restype = ctypes.c_int32
    lib.tflm_plan_rows.argtypes = [ctypes.c_void_p]
    lib.tflm_plan_rows.restype = ctypes.c_bool
    lib.tflm_audio_feed.argtypes = [*[ctypes.c_void_p] * 2, ctypes.c_int32, ctypes.c_void_p]
    lib.tflm_audio_feed.restype = ctypes.c_int32
    lib.tflm_mel_state_size.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    lib.tflm_mel_state_size.restype = ctypes.c_size_t
    lib.tflm_mel_feed.argtypes = [*[ctypes.c_void_p] * 3, ctypes.c_int32, ctypes.c_void_p]
    lib.tflm_mel_feed.restype = ctypes.c_int32
    lib.tflm_mel_normalize.argtypes = [*[ctypes.c_void_p] * 2, ctypes.c_int32]
    lib.tflm_mel_normalize.argtypes += [ctypes.c_void_p] * 2
    lib.tflm_mel_normalize.restype = None
    lib.tflm_fit_size.argtypes = [ctypes.c_void_p]
    lib.tflm_fit_size.restype = ctypes.c_size_t
    lib.tflm_fit_make.argtypes = [*[ctypes.c_void_p] * 3]
    lib.tflm_fit_make.restype = None
    lib.tflm_fit_begin.argtypes = [ctypes.c_void_p]
    lib.tflm_fit_begin.restype = None
    lib.tflm_fit_feed.argtypes = [*[ctypes.c_void_p] * 2, *[ctypes.c_int32] * 2]
    lib.tflm_fit_feed.argtypes += [ctypes.c_bool, ctypes.c_void_p]
    lib.tflm_fit_feed.restype = ctypes.c_int32
    lib.tflm_fence.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32]
    lib.tflm_fence.restype = ctypes.c_int32
    if checked:
        lib.tflm_run_checked.argtypes = [spaces, spaces, *run]
        lib.tflm_run_checked.restype = ctypes.c_bool
    return lib
