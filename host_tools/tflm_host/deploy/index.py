"""The index of a release's packages: one address for mip, whatever the board's processor.

    package/6/tflm-ARCH/VERSION.json    lists files for mip; 6 is the version of .mpy files
    package/6/tflm-ARCH/latest.json     is the same
    file/HH/HHHHHHHH                    one file, named by the start of its SHA-256

`mpremote mip install --index URL tflm-armv6m` installs on a Pico. Source of the layout:
MicroPython, tools/mpremote/mpremote/mip.py.
"""

import hashlib
import json

import tflm

from .package import ARCHES, LISTS, package_files

MPY = 6  # of .mpy files that MicroPython 1.25 and later load
DIGITS = 8  # of a file's hash
# Of the package's name:
ENDS = {"package.json": "", "prepared.json": "-prepared", "viper.json": "-viper"}


def write_index(folder, arches=ARCHES):
    """Write the index of the packages of *arches* to *folder*; return their names."""
    names = []
    for arch in arches:
        for listed in LISTS:
            names.append(f"tflm-{arch}{ENDS[listed]}")
            hashes = [[path, _store(folder, data)] for path, data in package_files(arch, listed)]
            text = json.dumps({"v": 1, "version": tflm.__version__, "hashes": hashes}) + "\n"
            package = folder / "package" / str(MPY) / names[-1]
            package.mkdir(parents=True)
            for version in ("latest", tflm.__version__):
                (package / f"{version}.json").write_text(text)
    return names


def _store(folder, data):
    """Write *data* under its hash; return the hash."""
    name = hashlib.sha256(data).hexdigest()[:DIGITS]
    path = folder / "file" / name[:2] / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.read_bytes() != data:
        raise ValueError(f"two files have the hash {name}")
    path.write_bytes(data)
    return name
