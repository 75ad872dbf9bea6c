"""The inputs of a build: a list of files with their checksums, and of facts beside them.

A build with an equal list is reused, whatever the times of files are. So a fresh clone with a
copied folder build/ builds nothing. The list lies beside the result, in the file `inputs`.

    python3 -m tflm_host.generate.inputs TARGET SOURCE SETTINGS

is for scripts/build_firmware.sh, with the folder of MicroPython and the checksum of its settings.
It ends with status 0 if the firmware of TARGET is current. Else it prepares the folder and ends
with TO_BUILD. make goes by times, so each changed file becomes newer than its object file. Object
files of a copied folder, of another compiler or of other settings are removed.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from functools import cache

from ..places import BUILD, ROOT, TESTS

TO_BUILD = 3
INPUTS = "inputs"  # of the last build
TRIED = NEXT, BEFORE = "inputs.next", "inputs.before"  # while one runs, and where it failed
NOT_READ = {".pyc", ".csv", ".md"}  # by any build, unless named
GENERATE = "host_tools/tflm_host/generate"
SHARED_TESTS = TESTS.relative_to(ROOT).as_posix()
SCRIPTS = ("scripts/build_firmware.sh", "scripts/fetch_micropython.sh", "scripts/ports")
RP2_SCRIPTS = ("scripts/fetch_rp2_libraries.sh",)
TFLM = ("firmware/memfail", "firmware/qemu_board", "firmware/tflm", "mp_modules", GENERATE)
STOCK, SOME_OPS, MPY_CROSS = "-stock", "-ops", "mpy-cross"
HOST_COMPILER, ARM, RISCV = "gcc", "arm-none-eabi-gcc", "riscv64-unknown-elf-gcc"
PROGRAMS = ("firmware.elf", "micropython", "mpy-cross")
# Facts that firmware's folder has behind the others.
SETTINGS, PLACE = "settings", "place"


def listed(parts, facts):
    """Return the list of the files in *parts*, names below the clone, and of {name: fact}."""
    lines = [f"{_checksum(path)} {path.relative_to(ROOT).as_posix()}" for path in files(parts)]
    return "".join(f"{line}\n" for line in [*lines, *(f"{k}: {v}" for k, v in facts.items())])


def files(parts):
    """Return the files that *parts* name, and all files of its folders that builds read."""
    paths = [ROOT / part for part in parts]
    found = {path for path in paths if path.is_file()}
    for path in paths:
        found |= {one for one in path.rglob("*") if one.suffix not in NOT_READ and one.is_file()}
    return sorted(found)


def _checksum(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:32]


def is_same(folder, text):
    """Return whether the result in *folder* has the inputs of the list *text*."""
    return _read(folder / INPUTS) == text


def compiler_of(target):
    """Return the C compiler of firmware *target*."""
    board = ROOT / "boards" / folder_of(target)
    if target == MPY_CROSS or (board / "mpconfigvariant.mk").exists():
        return HOST_COMPILER
    makefiles = [*board.glob("mpconfigboard.*k*")]
    text = "".join(path.read_text() for path in makefiles).lower()
    return RISCV if "riscv" in text or "rv32" in text else ARM


@cache
def version_of(compiler):
    """Return the version text of *compiler*, nothing if it is absent."""
    if shutil.which(compiler) is None:
        return ""
    done = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.partition("\n")[0]


@cache
def micropython():
    """Return which MicroPython is built. The default one is pinned by its script, a file."""
    folder = os.environ.get("MICROPYTHON_DIR")
    if not folder:
        return "pinned"
    if os.path.exists(f"{folder}/.git"):
        return f"{_git(folder, 'rev-parse', 'HEAD')} {_git(folder, 'diff', 'HEAD')}"
    with open(f"{folder}/py/mpconfig.h", "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _git(folder, *command):
    done = subprocess.run(["git", "-C", folder, *command], capture_output=True, check=False)
    return hashlib.sha256(done.stdout).hexdigest()


def folder_of(target):
    """Return the folder of boards/ that *target* is built from."""
    return target.removesuffix(STOCK).removesuffix(SOME_OPS)


def of_firmware(target):
    """Return the list of firmware *target*, without the facts of its folder."""
    parts = list(SCRIPTS)
    if target != MPY_CROSS:
        parts += ["boards/common", f"boards/{folder_of(target)}", *RP2_SCRIPTS]
        parts += ["boards/unix"] if compiler_of(target) == HOST_COMPILER else []
        parts += ("firmware/qemu_board",) if target.endswith(STOCK) else (*TFLM, SHARED_TESTS)
    return listed(parts, facts_of(compiler_of(target)))


def facts_of(compiler):
    """Return the facts that every build by *compiler* rests on."""
    return {"compiler": version_of(compiler), "MicroPython": micropython()}


def firmware_is_current(target):
    """Return whether firmware *target* was built from these sources, with any settings."""
    lines = _read(BUILD / target / INPUTS).splitlines(True)
    text = "".join(line for line in lines if not line.startswith((SETTINGS, PLACE)))
    return text == of_firmware(target) and _has_program(target)


def _read(path):
    return path.read_text() if path.exists() else ""


def _has_program(target):
    return any((BUILD / target / name).exists() for name in PROGRAMS)


def main(target, source, settings):
    folder = BUILD / target
    folder.mkdir(parents=True, exist_ok=True)
    wanted = f"{of_firmware(target)}{SETTINGS}: {settings}\n"
    if _read(folder / INPUTS).startswith(wanted) and _has_program(target):
        return 0
    tried = [path for name in (INPUTS, *TRIED) if (path := folder / name).exists()]
    lists = [path.read_text() for path in tried]
    if all(_serves(text, wanted + _place(folder, source)) for text in lists):
        for text in lists:
            _touch(text, wanted, max(path.stat().st_mtime for path in tried))
        if (folder / INPUTS).exists():
            (folder / INPUTS).replace(folder / BEFORE)
    else:
        shutil.rmtree(folder)
        folder.mkdir()
    (folder / NEXT).write_text(wanted + _place(folder, source))
    return TO_BUILD


def _place(folder, source):
    return f"{PLACE}: {ROOT} {folder.stat().st_ino} {source}\n"


def _split(text):
    """Return {file: checksum} and the facts of a list."""
    lines = [line.partition(" ") for line in text.splitlines()]
    sums = {name: checksum for checksum, _, name in lines if not checksum.endswith(":")}
    return sums, [line for line in lines if line[0].endswith(":")]


def _serves(before, after):
    """Return whether make may go on in a folder: no fact has changed, no file is gone.

    It does not notice other flags, so files that have some count as facts.
    """
    (old, old_facts), (new, new_facts) = _split(before), _split(after)
    same = all(old[name] == new.get(name) for name in old if _has_flags(name))
    return old_facts == new_facts and old.keys() <= new.keys() and same


def _has_flags(name):
    return name.startswith("boards/") or name.endswith((".mk", ".cmake"))


def _touch(before, after, newest):
    """Make each changed file newer than its object files, which were built before *newest*."""
    old, new = _split(before)[0], _split(after)[0]
    for name in new:
        path = ROOT / name
        if old.get(name) != new[name] and path.stat().st_mtime <= newest:
            os.utime(path)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
