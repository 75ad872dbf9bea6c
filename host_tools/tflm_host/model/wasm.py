"""Build the C runner and kernels as WebAssembly: build/wasm/kernels.wasm, for a web page."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from ..generate import inputs
from ..places import BUILD
from . import native

TARGET = BUILD / "wasm" / "kernels.wasm"
LINKERS = re.compile(r"wasm-ld(-\d+)?$")
NEEDS = "clang, lld, wasi-libc and libclang-rt-dev-wasm32"  # packages of Debian
# What clang says without the third of them, and without the last.
LACKS = re.compile(r"'string\.h' file not found|cannot open \S*libclang_rt\.builtins")
FLAGS = (
    "--target=wasm32-wasi",
    "-std=c99",
    "-O2",
    "-ffp-contract=off",
    "-mbulk-memory",
    "-nostartfiles",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wdouble-promotion",
)
# A stack that overflows meets the end of the memory, not the tables of constants.
LINK = "--no-entry --stack-first --gc-sections --strip-all"
EXPORTS = (
    *("tflm_run", "tflm_form", "tflm_fence", "tflm_plan_rows", "tflm_audio_feed"),
    *("tflm_mel_state_size", "tflm_mel_feed", "tflm_mel_normalize"),
    *("tflm_fit_size", "tflm_fit_make", "tflm_fit_begin", "tflm_fit_feed"),
    "__heap_base",
)


def compiler():
    """Return the newest clang beside whose release there is a wasm-ld, or None."""
    found = []
    for folder in os.get_exec_path():
        for path in Path(folder).glob("wasm-ld*"):
            linker = LINKERS.match(path.name)
            clang = linker and shutil.which("clang" + (linker[1] or ""))
            if clang:
                found.append((int((linker[1] or "-0")[1:]), clang))
    return max(found)[1] if found else None


def build():
    """Return the bytes of the kernels; None where no compiler makes WebAssembly here."""
    clang = compiler()
    if clang is None:
        return None
    units, watched = native.sources("portable")
    link = [f"-Wl,{option}" for option in LINK.split()]
    link += [f"-Wl,--export={name}" for name in EXPORTS]
    output = TARGET.with_suffix(f".{os.getpid()}")
    command = [clang, *FLAGS, *native.include_flags(), *map(str, units), *link, "-o"]
    facts = {"compiler": inputs.version_of(clang), "command": " ".join(command)}
    text = inputs.listed(watched, facts)
    if TARGET.exists() and inputs.is_same(TARGET.parent, text):
        return TARGET.read_bytes()
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    command.append(str(output))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        if LACKS.search(done.stderr):
            return None
        raise native.BuildError(f"{TARGET.name} does not build:\n{done.stderr}")
    kernels = output.read_bytes()
    output.replace(TARGET)
    (TARGET.parent / inputs.INPUTS).write_text(text)
    return kernels
