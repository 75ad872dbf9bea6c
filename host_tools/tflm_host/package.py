"""Writes build/package: tflm for stock MicroPython, to be installed with mip or tflm_install.py.

    build/package/ARCH/package.json   _tflm.mpy, the C kernels, and the package tflm
    build/package/ARCH/viper.json     the package tflm with viper kernels instead

Each lists its files as mip wants it; all files lie in the same folder, compiled for ARCH.
`python -m tflm_host.package [ARCH...]` builds all or some.
"""

import json
import shutil
import subprocess
import sys

import tflm

from .boards import BUILD, ROOT
from .repl import TargetError

ARCHES = ("armv6m", "armv7m", "armv7emsp", "x64")
PACKAGES = BUILD / "package"
INSTALLER = ROOT / "install" / "tflm_install.py"
MODULES = ROOT / "mp_modules"
SOURCES = ("firmware/tflm", "firmware/natmod", "mp_modules", "scripts", "install")
VIPER = "tflm/kernels/"  # in front of the names of modules that C kernels make superfluous
NATIVE = "_tflm.mpy"


def build_package(arch):
    """Write the packages of *arch* and return their folder; does nothing where it is current."""
    folder = PACKAGES / arch
    if is_current(folder):
        return folder
    run(ROOT / "scripts" / "build_natmod.sh", arch)
    shutil.rmtree(folder, ignore_errors=True)
    names = [compile_module(path, folder, arch) for path in sorted(MODULES.rglob("*.py"))]
    shutil.copy(BUILD / "natmod" / arch / NATIVE, folder)
    shutil.copy(INSTALLER, PACKAGES)
    needed = [name for name in names if not name.startswith(VIPER) or "__init__" in name]
    write_list(folder / "viper.json", names)
    write_list(folder / "package.json", [NATIVE, *needed])
    return folder


def is_current(folder):
    """Return whether *folder* was written after all that it is made from."""
    try:
        written = (folder / "package.json").stat().st_mtime
    except FileNotFoundError:
        return False
    paths = [path for name in SOURCES for path in (ROOT / name).rglob("*") if path.is_file()]
    return all(path.suffix == ".pyc" or path.stat().st_mtime < written for path in paths)


def compile_module(path, folder, arch):
    """Compile the module *path* to an .mpy file below *folder*; return its name in there."""
    source = path.relative_to(MODULES).as_posix()
    target = (folder / source).with_suffix(".mpy")
    target.parent.mkdir(parents=True, exist_ok=True)
    compiler = BUILD / "mpy-cross" / "mpy-cross"
    run(compiler, f"-march={arch}", "-s", source, "-o", target, path)
    return target.relative_to(folder).as_posix()


def write_list(path, names):
    urls = [[name, name] for name in names]
    path.write_text(json.dumps({"version": tflm.__version__, "urls": urls}, indent=1) + "\n")


def package_files(arch, package="package.json"):
    """Return (name, bytes) of all files that *package* of *arch* installs, built if need be."""
    folder = build_package(arch)
    urls = json.loads((folder / package).read_text())["urls"]
    return [(name, (folder / source).read_bytes()) for name, source in urls]


def run(*command):
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, cwd=ROOT
    )
    if done.returncode != 0:
        raise TargetError(f"{command[0]} failed:\n{(done.stdout + done.stderr)[-3000:]}")


def main():
    for arch in sys.argv[1:] or ARCHES:
        for package in ("package.json", "viper.json"):
            files = package_files(arch, package)
            size = sum(len(data) for _, data in files)
            print(f"build/package/{arch}/{package}: {len(files)} files, {size:,} bytes")


if __name__ == "__main__":
    main()
