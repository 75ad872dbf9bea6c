"""`make release`: the files of a release in dist/, the same bytes from the same commit.

    README.md                   from nothing to a result, on Windows, macOS and Linux
    firmware/BOARD.uf2          of the boards that people buy; .hex and .dfu of those with an STM32
    mip/                        packages for stock MicroPython, their index, the installer
    *.whl                       the tools, and the type stubs
    site/index.html             leads to the pages that measure arenas, run models and talk to
                                boards, and to the docs
    models/, examples/          to try
    CHANGELOG.md, LICENSE       what is new in this version
    sbom.json                   what went into it (CycloneDX), beside our own code
    SHA256SUMS                  of all these files

Firmware of STM32 boards and of a Pico W is built where MICROPYTHON_DIR names a checkout.
`python -m tflm_host.cli.release [PART...]` writes some parts: wheels, site, docs, mip, firmware,
models.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tflm import __version__

from ..deploy import package, stubs
from ..deploy.index import write_index
from ..model import wasm, wasm_kernels
from ..places import ROOT
from ..report.doctor import NEED_A_CHECKOUT
from ..targets.boards import SOLD, stm32_board_names
from ..targets.build import build, program_path
from . import docs, site

DIST = ROOT / "dist"
DRAGGED, WRITTEN = ("uf2",), ("hex", "dfu")  # files of firmware: for a drive, for ST's tools
INSTALL = ROOT / "install" / "README.md"
MODELS = ("*.tflite", "*.json", "README.md", "*/*.tflite")
EXAMPLES = ("*.py", "*.pgm", "*.csv", "*.rgb565")
# What the wheel is made of:
SOURCES = ("host_tools", "mp_modules", "firmware", "boards", "models", "tests_device")
FILES = ("pyproject.toml", "README.md", "LICENSE")
EARLIEST = 315532800  # 1980, where zip files begin
LOCKS = ("site", "host_tools/tflm_host/targets/rp2040js")
PICO_LIBRARIES = (
    ("PICO_SDK", "pico-sdk", "BSD-3-Clause", "raspberrypi/pico-sdk@"),
    ("TINYUSB", "TinyUSB", "MIT", "hathach/tinyusb@"),
    ("MBEDTLS", "Mbed TLS", "Apache-2.0", "Mbed-TLS/mbedtls@v"),
)
CHANGES = r"^## %s.*?(?=^## |\Z)"


def wheel_sources(copy):
    """Copy what the wheel is made of, and the kernels for machines that have no C compiler."""
    for part in SOURCES:
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / part, copy / part, ignore=ignored)
    for part in FILES:
        shutil.copy(ROOT / part, copy)
    kernels = wasm.build()
    if kernels:
        (copy / "firmware" / "tflm" / wasm_kernels.KERNELS.name).write_bytes(kernels)
    else:
        print(f"the wheel's kernels need a C compiler: here is not all of {wasm.NEEDS}")


def wheels(folder):
    """Build the wheels of the tools and of the stubs."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "clone"
        wheel_sources(copy)
        types = Path(name) / "stubs"
        stubs.write(types)
        for source in (copy, types):
            options = ["--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
            command = [sys.executable, "-m", "pip", "wheel", *options, str(source)]
            environment = {**os.environ, "SOURCE_DATE_EPOCH": str(commit_time())}
            subprocess.run(command, check=True, env=environment)


def commit_time():
    """Return when the commit was made, in seconds; files of a release are as old."""
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return max(int(done.stdout.strip() or 0), EARLIEST)


def page(folder):
    """Build the web pages."""
    site.main()
    for page in filter(Path.exists, (site.PAGE, *site.RUNNING.values())):
        shutil.copytree(page.parent, folder / "site" / page.parent.name)
    shutil.copy(site.FRONT_PAGE, folder / "site")


def manual(folder):
    """Build the documentation, which names the web page beside it."""
    docs.main()
    shutil.copytree(docs.SITE, folder / "site" / "docs")


def mip(folder):
    """Build the packages for stock MicroPython; any file server can serve them to mip."""
    write_index(folder / "mip")
    for arch in package.ARCHES:
        shutil.copytree(package.PACKAGES / arch, folder / "mip" / arch, dirs_exist_ok=True)
    shutil.copy(package.INSTALLER, folder / "mip")


def sold_boards():
    """Return the names of the boards whose firmware can be built here."""
    if os.environ.get("MICROPYTHON_DIR"):
        return list(SOLD)
    return [name for name in SOLD if name not in (*NEED_A_CHECKOUT, *stm32_board_names())]


def firmware(folder):
    """Build the firmware of each board that people buy."""
    (folder / "firmware").mkdir(parents=True, exist_ok=True)
    for board in sold_boards():
        build(board)
        path = program_path(board)
        for suffix in WRITTEN if board in stm32_board_names() else DRAGGED:
            shutil.copy(path.with_suffix(f".{suffix}"), folder / "firmware" / f"{board}.{suffix}")


def to_try(folder):
    """Copy the models and the examples."""
    for name, patterns in (("models", MODELS), ("examples", EXAMPLES)):
        for path in (path for pattern in patterns for path in (ROOT / name).glob(pattern)):
            target = folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)


PARTS = {
    "wheels": wheels,
    "site": page,
    "docs": manual,
    "mip": mip,
    "firmware": firmware,
    "models": to_try,
}


def readme(folder):
    """Return the README of the release in *folder*."""
    files = sorted(path.name for path in (folder / "firmware").glob("*"))
    rows = [f"| {SOLD[name.split('.')[0]]} | `{name}` |" for name in files]
    wheel = f"tflm_host-{__version__}-py3-none-any.whl"
    parts = {"VERSION": __version__, "WHEEL": wheel, "FIRMWARE": "\n".join(rows)}
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], INSTALL.read_text())


def changes():
    """Return the part of CHANGELOG.md on this version."""
    text = (ROOT / "CHANGELOG.md").read_text()
    return re.search(CHANGES % re.escape(__version__), text, re.MULTILINE | re.DOTALL)[0]


def components():
    """Return other people's parts of a release, and the tools' dependencies, as CycloneDX."""
    found = [
        ("MicroPython", "1.25.0", "MIT", "pkg:github/micropython/micropython@v1.25.0"),
        *_pico_libraries(),
    ]
    for folder in LOCKS:
        packages = json.loads((ROOT / folder / "package-lock.json").read_text())["packages"]
        for path, facts in sorted(packages.items()):
            name = path.removeprefix("node_modules/")
            if name:
                place = f"pkg:npm/{name.replace('@', '%40')}@{facts['version']}"
                found.append((name, facts["version"], facts["license"], place))
    wanted = re.findall(r"^    \"([\w-]+)>=", _dependencies(), re.MULTILINE)
    pinned = dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "constraints.txt").read_text(), re.M))
    found += [(name, pinned[name], None, f"pkg:pypi/{name}@{pinned[name]}") for name in wanted]
    return [
        {
            "type": "library",
            "name": name,
            "version": version,
            "purl": place,
            **({"licenses": [{"license": {"id": licence}}]} if licence else {}),
        }
        for name, version, licence, place in found
    ]


def _pico_libraries():
    """Yield what the Pico's firmware has of others, in the versions that its script fetches."""
    script = (ROOT / "scripts" / "fetch_rp2_libraries.sh").read_text()
    for variable, name, licence, place in PICO_LIBRARIES:
        version = re.search(rf"^{variable}_(?:VERSION|SERIES)=([\d.]+)", script, re.MULTILINE)[1]
        yield name, version, licence, f"pkg:github/{place}{version}"


def _dependencies():
    text = (ROOT / "pyproject.toml").read_text()
    return re.search(r"^dependencies = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)[1]


def sbom():
    """Return the bill of materials as CycloneDX has it; it has no date and no random number."""
    own = {"type": "application", "name": "tflm", "version": __version__}
    own["licenses"] = [{"license": {"id": "MIT"}}]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": own},
        "components": components(),
    }


def release(parts=tuple(PARTS), folder=DIST):
    """Empty *folder*, write the *parts* and common files to it; return its files."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for part in parts:
        begun = time.monotonic()
        PARTS[part](folder)
        print(f"dist: {part} in {time.monotonic() - begun:.0f} s", flush=True)
    (folder / "README.md").write_text(readme(folder))
    (folder / "CHANGELOG.md").write_text(changes())
    shutil.copy(ROOT / "LICENSE", folder)
    (folder / "sbom.json").write_text(json.dumps(sbom(), indent=1) + "\n")
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    names = [path.relative_to(folder).as_posix() for path in paths]
    sums = [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
    lines = [f"{total}  {name}\n" for total, name in zip(sums, names, strict=True)]
    (folder / "SHA256SUMS").write_text("".join(lines))
    return names


if __name__ == "__main__":
    written = release(sys.argv[1:] or tuple(PARTS))
    print(f"dist: {len(written)} files, listed in dist/SHA256SUMS")
