"""Writes build/package: tflm for stock MicroPython, to be installed with mip or tflm_install.py.

    build/package/ARCH/package.json   _tflm.mpy, the C kernels, and the package tflm, minified as
                                      firmware freezes it (tflm_host/generate/squeeze)
    build/package/ARCH/prepared.json  the same for prepared models alone: less flash and RAM
    build/package/ARCH/viper.json     the package tflm with viper kernels instead
    build/package/ARCH/detect.json    modules of tflm.detect, which firmware has not
    build/package/ARCH/aio.json       tflm.aio, likewise
    build/package/ARCH/spectral.json  tflm.spectral, likewise

xtensawin, which an ESP32, S2 and S3 take, has C kernels where scripts/fetch_xtensa.sh finds a
compiler. Elsewhere its other lists equal viper.json, so that each name always works.

Each lists its files as mip wants it; all files lie below the same folder, compiled for ARCH. The
first and the last list tflm_tests.mpy, so that the scripts of tests_device run on the board; tflm
does without it.
`python -m tflm_host.deploy.package [ARCH...]` builds all or some.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import tflm

from ..generate import inputs
from ..generate.files import locked
from ..generate.frozen import once, whole
from ..generate.squeeze import FILE_SERVICES, SERVICES, needed_paths, squeeze
from ..places import BUILD, MODULES, ROOT, TESTS
from ..targets.build import compile_module, run

ARCHES = ("armv6m", "armv7m", "armv7emsp", "rv32imc", "xtensawin", "x64")
XTENSA = "xtensawin"  # Debian 12 has no C compiler for it
PACKAGES = BUILD / "package"
SQUEEZED = BUILD / "squeezed-package"
INSTALLER = ROOT / "install" / "tflm_install.py"
SOURCES = (
    "firmware/tflm",
    "firmware/natmod",
    "mp_modules",
    "scripts/build_natmod.sh",
    "scripts/fetch_xtensa.sh",
    *inputs.SCRIPTS,
    "install",
    "host_tools/tflm_host/deploy/package.py",
    inputs.GENERATE,
    inputs.SHARED_TESTS,
)
FETCH_XTENSA = ROOT / "scripts" / "fetch_xtensa.sh"
COMPILERS = {"rv32imc": inputs.RISCV, **dict.fromkeys(("x64", XTENSA), inputs.HOST_COMPILER)}
NATIVE = "_tflm.mpy"
NATMOD = ROOT / "firmware" / "natmod"
# The folders of the modules that go with it, and what needed_paths() takes for them.
WITH_NATIVE = {
    "package.json": ("native", {}),
    "prepared.json": ("prepared", {"families": (), "services": ()}),
}
LISTS = (*WITH_NATIVE, "viper.json")


def build_package(arch):
    """Write the packages of *arch* and return their folder; does nothing where it is current."""
    folder = PACKAGES / arch
    with locked(PACKAGES.with_suffix(".lock")):
        text = made_of(arch)
        if not inputs.is_same(folder, text):
            _build(arch, folder)
            (folder / inputs.INPUTS).write_text(text)
    return folder


def made_of(arch):
    """Return the list of the inputs of *arch*'s packages: see generate/inputs.py."""
    facts = {**inputs.facts_of(COMPILERS.get(arch, inputs.ARM)), "TFLM_OPS": _kernels()}
    if arch == XTENSA:
        folder = xtensa_compiler()
        facts["Xtensa"] = folder and " ".join((folder / "packages").read_text().split())
    return inputs.listed(SOURCES, facts)


def xtensa_compiler():
    """Return the folder of the compiler for Xtensa, None if it was not fetched."""
    done = subprocess.run([FETCH_XTENSA, "--cached"], capture_output=True, text=True, check=False)
    return None if done.returncode else Path(done.stdout.strip())


def fetch_compiler(arch):
    """Fetch the compiler of *arch* where this machine can; say what is left out where not."""
    if arch == XTENSA and subprocess.run([FETCH_XTENSA], stdout=PIPE, check=False).returncode:
        print(f"note: {arch} gets viper kernels alone", file=sys.stderr)


def has_native(arch):
    """Return whether the packages of *arch* have C kernels."""
    return arch != XTENSA or xtensa_compiler() is not None


def _build(arch, folder):
    if has_native(arch):
        run(ROOT / "scripts" / "build_natmod.sh", arch)
    else:
        run(ROOT / "scripts" / "build_firmware.sh", inputs.MPY_CROSS)
    shutil.rmtree(folder, ignore_errors=True)
    viper = whole()
    modules = sorted(viper.rglob("*.py"))
    names = [compile_module(path, viper, folder, arch) for path in modules]
    shutil.copy(INSTALLER, PACKAGES)
    tests = compile_module(TESTS, TESTS.parent, folder, arch, "-O3")
    write_list(folder / "viper.json", [[name, name] for name in [*names, tests]])
    if has_native(arch):
        _add_native(arch, folder, tests)
    else:
        for listed in WITH_NATIVE:
            shutil.copy(folder / "viper.json", folder / listed)


def _add_native(arch, folder, tests):
    """Write the packages with C kernels to *folder*; *tests*: the name of tflm_tests there."""
    shutil.copy(BUILD / "natmod" / arch / NATIVE, folder)
    for listed, (inside, needed) in WITH_NATIVE.items():
        source, paths = squeezed_modules(inside, **needed)
        paths = [source / "tflm" / path for path in paths]
        names = [compile_module(path, source, folder / inside, arch, "-O3") for path in paths]
        urls = [[name, f"{inside}/{name}"] for name in names]
        if not (needed or _kernels()):
            urls.append([tests, tests])
        write_list(folder / listed, [[NATIVE, NATIVE], *urls])
        if not needed:
            for service in FILE_SERVICES:
                files = {f"tflm/{name.replace('.', '/')}.mpy" for name in SERVICES[service]}
                write_list(folder / f"{service}.json", [url for url in urls if url[0] in files])


def _kernels():
    """Return the builder's TFLM_OPS, "" for kernels.txt of the native module."""
    return os.environ.get("TFLM_OPS", "")


def squeezed_modules(inside, **needed):
    """Write the package as firmware freezes it, but its texts; return its folder and paths.

    inside  its folder's name
    needed  the options of needed_paths()
    """
    folder, native = SQUEEZED / inside, native_names()
    options = {**needed, "native": sorted(native)}

    def write_modules():
        return squeeze(MODULES / "tflm", folder / "tflm", needed_paths(**needed), native=native)

    return folder, once(folder, options, write_modules)


def native_names():
    """Return the names of `_tflm` in every package: natmod.c and poll.py define them."""
    text = re.sub(r"#if.*?#endif", "", (NATMOD / "natmod.c").read_text(), flags=re.DOTALL)
    names = set(re.findall(r"mp_store_global\(MP_QSTR_(\w+)", text))
    body = ast.parse((NATMOD / "poll.py").read_text()).body
    names |= {node.name for node in body if isinstance(node, ast.FunctionDef)}
    deleted = [node for node in body if isinstance(node, ast.Delete)]
    return names - {target.id for node in deleted for target in node.targets}


def write_list(path, urls):
    """Write the list at *path*, the largest files first: a full heap has no long piece left."""
    urls = sorted(urls, key=lambda url: -(path.parent / url[1]).stat().st_size)
    path.write_text(json.dumps({"version": tflm.__version__, "urls": urls}, indent=1) + "\n")


def package_files(arch, package="package.json"):
    """Return (name, bytes) of all files that *package* of *arch* installs, built if need be."""
    folder = build_package(arch)
    urls = json.loads((folder / package).read_text())["urls"]
    return [(name, (folder / source).read_bytes()) for name, source in urls]


def main():
    for arch in sys.argv[1:] or ARCHES:
        fetch_compiler(arch)
        for package in LISTS:
            files = package_files(arch, package)
            size = sum(len(data) for _, data in files)
            print(f"build/package/{arch}/{package}: {len(files)} files, {size:,} bytes")


if __name__ == "__main__":
    main()
