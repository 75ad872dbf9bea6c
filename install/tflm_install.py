"""Install tflm on a board that runs stock MicroPython: copies what fits its processor to /lib.

From the folder that `make natmod` writes, over the serial line:

    mpremote mount build/package run install/tflm_install.py

From a web server with the same folders, on a board that is connected and has `mip`:

    mpremote exec "SOURCE = 'https://...'" run install/tflm_install.py

PACKAGE, set in the same way, takes another package: 'prepared.json' for prepared models only,
which needs less flash and RAM, or 'viper.json' without C kernels. TARGET is another folder than
/lib. Run as a script, it also says that what it installed can be imported.
"""

import gc
import json
import os
import sys

ABI = 6, 3  # versions of .mpy files and of native code in them
ARCHITECTURES = {
    2: "x64",
    4: "armv6m",
    5: "armv7m",
    6: "armv7m",  # armv7em: has no package of its own
    7: "armv7emsp",
    8: "armv7emsp",  # armv7emdp: the same registers, and no number crosses as a float
    10: "xtensawin",
    11: "rv32imc",
}
NO_FLOATS = "ESP32S2", "ESP32-S2"  # their cores lack what the C kernels of xtensawin use
NO_NATIVE = (
    "this firmware loads no native code; firmware of an ESP32-C3, C6 or P4 does"
    " if CONFIG_ESP_SYSTEM_PMP_IDRAM_SPLIT is off where it is built"
)
FULL = (
    "no memory is left to load tflm: PACKAGE = 'prepared.json', for prepared models only, takes"
    " less; an ESP32 holds native code twice meanwhile, in the heap and in executable memory:"
    " import tflm first after a reset, before Wi-Fi starts, or install with PACKAGE ="
    " 'viper.json', which loads the kernels of a model one by one"
)
CHUNK = 512


class InstallError(Exception):
    """This firmware cannot take the package, or there is nothing to install from."""


def architecture(mpy=None):
    """Return the name of the packages that this firmware takes; *mpy*: what it says of .mpy."""
    if mpy is None:
        mpy = getattr(sys.implementation, "_mpy", 0)
    number = mpy >> 10 & 15
    if (mpy & 0xFF, mpy >> 8 & 3) != ABI:
        raise InstallError("this firmware takes no .mpy files of version %d.%d" % ABI)
    if number == 0:
        raise InstallError(NO_NATIVE)
    if number not in ARCHITECTURES:
        raise InstallError("no package is built for its native code (number %d)" % number)
    return ARCHITECTURES[number]


def package_of(arch, machine=None):
    """Return the list of files for *arch*: with C kernels if *machine*'s core can run them."""
    if machine is None:
        machine = getattr(sys.implementation, "_machine", "")
    if arch == "xtensawin" and any([name in machine for name in NO_FLOATS]):
        return "viper.json"
    return "package.json"


def lib_folder():
    """Return the folder for packages: the one that mip would choose."""
    for path in sys.path:
        if path.endswith("/lib") and not path.startswith("/rom"):
            return path
    return "/lib"


def make_folders(path):
    """Make all folders in front of the file *path*."""
    parts = path.split("/")
    for i in range(1, len(parts)):
        try:
            os.mkdir("/".join(parts[:i]) or "/")
        except OSError:
            pass  # it is there


def copy(source, target):
    """Copy one file, a chunk at a time; no file is left half written."""
    make_folders(target)
    try:
        with open(source, "rb") as read, open(target, "wb") as write:
            chunk = read.read(CHUNK)
            while chunk:
                write.write(chunk)
                chunk = read.read(CHUNK)
    except OSError:
        os.remove(target)
        raise


def copy_package(folder, package, target):
    """Copy the files that *package* in *folder* lists to the folder *target*."""
    with open(folder + "/" + package) as file:
        files = json.load(file)["urls"]
    for name, source in files:
        print("Installing:", target + "/" + name)
        copy(folder + "/" + source, target + "/" + name)
        gc.collect()


def install(source="/remote", package=None, target=None):
    """Install *package* from *source*, a URL or a folder that the board sees; return where to."""
    arch = architecture()
    package = package or package_of(arch)
    target = target or lib_folder()
    folder = source + "/" + arch
    if "://" in source:
        import mip

        mip.install(folder + "/" + package, target=target)
        return target
    try:
        os.stat(folder + "/" + package)
    except OSError:
        raise InstallError(
            "%s has no %s/%s; on the host: mpremote mip install build/package/%s/%s"
            % (source, arch, package, arch, package)
        ) from None
    copy_package(folder, package, target)
    return target


def main(names):
    folder = install(names.get("SOURCE", "/remote"), names.get("PACKAGE"), names.get("TARGET"))
    if folder not in sys.path:
        sys.path.append(folder)
    gc.collect()
    try:
        import tflm
    except MemoryError:
        raise InstallError(FULL) from None

    print("tflm %s in %s, kernels:" % (tflm.__version__, folder), ", ".join(tflm.backends()))


if __name__ == "__main__":
    main(globals())
