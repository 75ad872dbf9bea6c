"""List installed programs, builds and boards, each missing one with the command that adds it."""

import os
import platform
import shutil
from importlib import metadata, util
from pathlib import Path

from serial.tools import list_ports

from tflm import __version__

from ..deploy.verdicts import trouble
from ..model import native
from ..model.wasm_kernels import CURE, KERNELS
from ..places import BUILD, IN_CLONE, ROOT
from ..targets.answers import answers, is_count, is_text, one_of, refuse
from ..targets.boards import UNIX_TARGETS, all_board_names, load_board, stm32_board_names
from ..targets.build import is_current, program_path
from ..targets.device import script
from ..targets.open_target import open_target
from ..targets.repl import TargetError

# (module, distribution, what it is for)
EXTRAS = (
    ("wasmtime", "wasmtime", "kernels of a release's wheel without a C compiler"),
    ("ortools", "ortools", "the lowest memory plan: tflm plan, tflm arena's advice"),
    ("PIL", "pillow", "pictures as input: tflm run --input cat.png"),
    ("tflite_micro", "tflite-micro", "the comparison with TFLM: tflm verify"),
)
# (program, Debian package, what it is for); only a clone uses them
PROGRAMS = (
    ("make", "make", "all builds"),
    ("git", "git", "sources"),
    ("arm-none-eabi-gcc", "gcc-arm-none-eabi", "firmware"),
    ("cmake", "cmake", "firmware of a Pico"),
    ("qemu-system-arm", "qemu-system-arm", "emulated boards"),
    ("riscv64-unknown-elf-gcc", "gcc-riscv64-unknown-elf", "firmware for RISC-V"),
    ("qemu-system-riscv32", "qemu-system-misc", "the emulated RISC-V board"),
    ("node", "nodejs", "the emulated Pico"),
    ("npm", "npm", "the emulated Pico"),
)
FACTS = {  # of a board
    "board": is_text,
    "micropython": is_text,
    "heap_free": is_count,
    "tflm": (None, is_text),
    "backends": [one_of("c", "viper"), ...],
    "rom": (None, [is_text, ...]),
}
COMPILER = "gcc or clang"
NEED_A_CHECKOUT = ("RPI_PICO_W",)  # besides the boards with an STM32
DRIVES = ("/media/*/*", "/run/media/*/*", "/Volumes/*")  # where a Pico in BOOTSEL may be mounted
BOOTSEL = "INFO_UF2.TXT"
BUILT, OLD, MISSING = "built", "out of date", "not built"


def _part(name, purpose, found, cure):
    return {"name": name, "for": purpose, "found": found, "cure": None if found else cure}


def parts():
    """Return installed and missing parts: [{"name", "for", "found", "cure"}]."""
    try:
        compiler = shutil.which(native.compiler())
    except native.BuildError:
        compiler = None
    setup = "make setup" if IN_CLONE else None
    wasm = CURE if KERNELS.exists() else None
    if compiler is None and wasm and util.find_spec("wasmtime"):
        compiler = "none needed: wasmtime runs the kernels"
    install = setup or wasm or f"install {COMPILER}"
    found = [_part("C compiler", "kernels on this machine: run, bench", compiler, install)]
    for module, name, purpose in EXTRAS:
        version = metadata.version(name) if util.find_spec(module) else None
        cure = setup or f"pip install {name}"
        found.append(_part(name, purpose, version, cure))
    if IN_CLONE:
        for program, package, purpose in PROGRAMS:
            cure = setup if shutil.which("apt-get") else f"install {package}"
            found.append(_part(program, purpose, shutil.which(program), cure))
    return found


def firmware():
    """Return the state of the builds of a clone: [{"target", "state", "path", "cure"}]."""
    if not IN_CLONE:
        return []
    return [_build(name) for name in (UNIX_TARGETS[0], *all_board_names())]


def _build(name):
    folder = BUILD / name
    paths = [folder / f"firmware.{suffix}" for suffix in ("uf2", "hex", "elf")]
    path = next((path for path in [*paths, program_path(name)] if path.exists()), None)
    state = MISSING if path is None else BUILT if is_current(name) else OLD
    command = f"make {name}" if name in UNIX_TARGETS else f"make firmware BOARD={name}"
    if name in (*stm32_board_names(), *NEED_A_CHECKOUT):
        command = f"MICROPYTHON_DIR=~/micropython {command}"
    return {
        "target": name,
        "state": state,
        "path": path and str(path.relative_to(ROOT)),
        "emulated": name in UNIX_TARGETS or load_board(name).machine is not None,
        "cure": None if state == BUILT else command,
    }


def ports():
    """Return the serial ports that are USB devices: [{"port", "usb"}]; asks no board."""
    return [
        {"port": port.device, "usb": f"{port.vid:04x}:{port.pid:04x} {port.description}"}
        for port in sorted(list_ports.comports(), key=lambda port: port.device)
        if port.vid is not None
    ]


def drives():
    """Return the drives that boards in their boot loader show, as a Pico in BOOTSEL does."""
    folders = [folder for place in DRIVES for folder in Path("/").glob(place.lstrip("/"))]
    if os.name == "nt":
        folders = [Path(f"{letter}:/") for letter in "DEFGHIJKLMNOPQRSTUVWXYZ"]
    return [str(folder) for folder in folders if (folder / BOOTSEL).exists()]


def ask(name):
    """Query the board at port *name*, or the emulated one; its program is interrupted.

    Returns {"port", "error"} if it does not reply.
    """
    try:
        with open_target(name) as target:
            target.exec(script("doctor_device"))
            found = answers(name, target.exec("say_facts()"), FACTS)
            facts = found[0] if len(found) == 1 else refuse(name, found)
    except TargetError as error:
        return {"port": name, "error": str(error)}
    return {"port": name, **facts, "error": trouble(facts)}


def doctor(asked):
    """Return all facts; the boards at ports *asked* say theirs."""
    return {
        "tflm": __version__,
        "python": platform.python_version(),
        "clone": str(ROOT) if IN_CLONE else None,
        "parts": parts(),
        "firmware": firmware(),
        "ports": ports(),
        "drives": drives(),
        "boards": [ask(name) for name in asked],
    }
