"""A build is reused where the checksums of its inputs are equal, and made again where one is not.

scripts/build_firmware.sh runs here as it is, in a copy of the clone. Its `make` only counts.
"""

import os
import shutil
import stat
import subprocess

import pytest

from tflm_host.generate import inputs
from tflm_host.places import ROOT

PARTS = ("scripts", "boards/common", "boards/unix", "boards/MPS2_AN386", "firmware", "mp_modules")
HOST = ("__init__.py", "places.py", "generate")
MAKE = """#!/bin/sh
echo "$@" >>"$CALLS"
for word in "$@"; do case $word in BUILD=*) folder=${word#BUILD=} ;; esac; done
touch "$folder/micropython" "$folder/firmware.elf" "$folder/mpy-cross" "$folder/made"
exit "${MAKE_STATUS:-0}"
"""
MICROPYTHON = "#define MICROPY_VERSION_MINOR 25\n"


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


class Clone:
    """A copy of what builds read, a MicroPython that is one file, and programs of its own."""

    def __init__(self, folder):
        self.root, self.outside = folder / "clone", folder
        ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
        for part in PARTS:
            shutil.copytree(ROOT / part, self.root / part, ignore=ignored)
        for part in HOST:
            source, target = (top / "host_tools" / "tflm_host" / part for top in (ROOT, self.root))
            copy = shutil.copytree if source.is_dir() else shutil.copy
            target.parent.mkdir(parents=True, exist_ok=True)
            copy(source, target)
        (self.root / "tests_device").mkdir()
        shutil.copy(ROOT / inputs.SHARED_TESTS, self.root / "tests_device")
        program(folder / "bin" / "make", MAKE)
        self.source("micropython")
        self.compiler("arm-none-eabi-gcc", 12)

    def source(self, name):
        folder = self.outside / name
        (folder / "py").mkdir(parents=True, exist_ok=True)
        (folder / "py" / "mpconfig.h").write_text(MICROPYTHON)
        self.micropython = folder

    def compiler(self, name, version):
        program(self.outside / "bin" / name, f"#!/bin/sh\necho 'gcc {version}'\n")

    def path(self, name):
        return self.root / name

    def change(self, name):
        """Append a line to a file, which looks as old as before."""
        path = self.path(name)
        before = path.stat()
        path.write_text(path.read_text() + "\n")
        os.utime(path, (before.st_atime, before.st_mtime - 9999))

    def build(self, target="MPS2_AN386", status=0, **more):
        """Return for which targets make ran."""
        calls = self.outside / "calls"
        calls.write_text("")
        environment = {
            "PATH": f"{self.outside / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.outside),
            "MICROPYTHON_DIR": str(self.micropython),
            "CALLS": str(calls),
            "PYTHONDONTWRITEBYTECODE": "1",
            **more,
        }
        script = self.path("scripts/build_firmware.sh")
        done = subprocess.run(
            [script, target], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stderr
        return [
            part.rpartition("/")[2]
            for line in calls.open()
            for part in line.split()
            if part.startswith("BUILD=")
        ]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    clone = Clone(tmp_path_factory.mktemp("inputs"))
    assert clone.build() == ["mpy-cross", "MPS2_AN386"]
    return clone


@pytest.fixture
def clone(built, tmp_path):
    """A clone with a build; each test has a folder of its own."""
    shutil.copytree(built.outside, tmp_path / "own", symlinks=True)
    copy = object.__new__(Clone)
    copy.outside = tmp_path / "own"
    copy.root, copy.micropython = copy.outside / "clone", copy.outside / "micropython"
    return copy


def test_fresh_clone_with_a_copied_build_builds_nothing(clone):
    for path in clone.root.rglob("*.[chp]*"):  # as git leaves them
        os.utime(path)
    assert clone.build() == []


def test_clone_without_builds_builds(clone):
    shutil.rmtree(clone.path("build"))
    assert clone.build() == ["mpy-cross", "MPS2_AN386"]


@pytest.mark.slow
def test_changed_file_builds_again_however_old_it_looks(clone):
    for name in ("firmware/tflm/runner.c", "boards/common/manifest.py"):
        clone.change(name)
        assert clone.build() == ["MPS2_AN386"]
        assert clone.build() == []


@pytest.mark.slow
def test_changed_file_of_own_build_is_newer_than_what_was_built_of_it(clone):
    name = "firmware/tflm/runner.c"
    clone.change("mp_modules/tflm/base/arena.py")
    assert clone.build() == ["MPS2_AN386"]  # the folder is the clone's own now
    made = clone.path("build/MPS2_AN386/firmware.elf").stat().st_mtime_ns
    kept = clone.path("build/MPS2_AN386/kept")
    kept.touch()
    clone.change(name)
    assert clone.build() == ["MPS2_AN386"]
    assert clone.path(name).stat().st_mtime_ns > made
    assert kept.exists()


@pytest.mark.slow
@pytest.mark.parametrize("what", ["copied", "file gone", "compiler", "MicroPython"])
def test_folder_that_serves_no_more_is_cleared(clone, what):
    if what != "copied":
        clone.change("mp_modules/tflm/base/arena.py")
        clone.build()
    kept = clone.path("build/MPS2_AN386/kept")
    kept.touch()
    if what == "copied":
        clone.change("firmware/tflm/runner.c")
    elif what == "file gone":
        clone.path("firmware/tflm/cores_rp2.c").unlink()
    elif what == "compiler":
        clone.compiler("arm-none-eabi-gcc", 13)
    else:
        (clone.micropython / "py" / "mpconfig.h").write_text(MICROPYTHON.replace("25", "26"))
    assert "MPS2_AN386" in clone.build()
    assert not kept.exists()
    assert clone.build() == []


@pytest.mark.slow
def test_build_that_failed_is_not_current_and_its_folder_is_kept(clone):
    name = "firmware/tflm/runner.c"
    clone.change("mp_modules/tflm/base/arena.py")
    clone.build()
    kept = clone.path("build/MPS2_AN386/kept")
    kept.touch()
    text = clone.path(name).read_text()
    clone.change(name)
    assert clone.build(status=1, MAKE_STATUS="1") == ["MPS2_AN386"]
    clone.path(name).write_text(text)
    os.utime(clone.path(name), (0, 0))
    assert clone.build() == ["MPS2_AN386"]
    assert clone.path(name).stat().st_mtime > 0  # what failed may have compiled the other text
    assert kept.exists()
    assert clone.build() == []


@pytest.mark.slow
def test_other_heap_builds_again_and_other_place_does_not(clone):
    assert clone.build(HEAP="65536") == ["MPS2_AN386"]
    assert clone.build(HEAP="65536") == []
    clone.source("another")
    assert clone.build(HEAP="65536") == []


@pytest.mark.slow
def test_stock_firmware_has_fewer_inputs(clone):
    assert clone.build("MPS2_AN386-stock") == ["MPS2_AN386-stock"]
    clone.change("mp_modules/tflm/interpreter.py")
    assert clone.build("MPS2_AN386-stock") == []
    clone.change("firmware/qemu_board/clock.c")
    assert clone.build("MPS2_AN386-stock") == ["MPS2_AN386-stock"]


@pytest.fixture
def listed(clone, monkeypatch):
    """The clone, in which this process reads what builds are made of."""
    monkeypatch.setattr(inputs, "ROOT", clone.root)
    monkeypatch.setattr(inputs, "BUILD", clone.root / "build")
    monkeypatch.setenv("MICROPYTHON_DIR", str(clone.micropython))
    monkeypatch.setenv("PATH", str(clone.outside / "bin"), prepend=":")
    for cached in (inputs.version_of, inputs.micropython):
        monkeypatch.setattr(inputs, cached.__name__, cached.__wrapped__)
    return clone


def test_every_kind_of_file_is_an_input(listed):
    for name in (
        "firmware/tflm/runner.c",
        "firmware/tflm/dispatch.h",
        "firmware/qemu_board/clock.c",
        "mp_modules/tflm/interpreter.py",
        "mp_modules/tflm/ops/conv.py",
        "boards/MPS2_AN386/mpconfigboard.mk",
        "boards/MPS2_AN386/link.ld",
        "boards/common/mpconfigboard.h",
        "host_tools/tflm_host/generate/frozen.py",
        "tests_device/tflm_tests.py",
        "scripts/build_firmware.sh",
    ):
        assert inputs.firmware_is_current("MPS2_AN386")
        text = listed.path(name).read_text()
        listed.change(name)
        assert not inputs.firmware_is_current("MPS2_AN386"), name
        listed.path(name).write_text(text)


def test_file_that_the_firmware_does_not_read_is_no_input(listed):
    for name in ("boards/MPS2_AN386/sizes.csv", "firmware/natmod/natmod.c"):
        listed.change(name)
        assert inputs.firmware_is_current("MPS2_AN386"), name
    assert "boards/unix/manifest.py" in inputs.of_firmware("unix")
    assert "boards/unix/manifest.py" not in inputs.of_firmware("MPS2_AN386")


def test_compiler_and_micropython_are_inputs(listed):
    listed.compiler("arm-none-eabi-gcc", 13)
    assert not inputs.firmware_is_current("MPS2_AN386")
    listed.compiler("arm-none-eabi-gcc", 12)
    assert inputs.firmware_is_current("MPS2_AN386")
    (listed.micropython / "py" / "mpconfig.h").write_text(MICROPYTHON.replace("25", "26"))
    assert not inputs.firmware_is_current("MPS2_AN386")


def test_firmware_that_is_missing_is_not_current(listed):
    assert not inputs.firmware_is_current("MPS2_AN386-stock")
    listed.path("build/MPS2_AN386/firmware.elf").unlink()
    listed.path("build/MPS2_AN386/micropython").unlink()
    listed.path("build/MPS2_AN386/mpy-cross").unlink()
    assert not inputs.firmware_is_current("MPS2_AN386")


@pytest.mark.parametrize(
    ("target", "compiler"),
    [
        ("unix-stock", "gcc"),
        ("mpy-cross", "gcc"),
        ("MPS2_AN386-ops", "arm-none-eabi-gcc"),
        ("RPI_PICO", "arm-none-eabi-gcc"),
        ("VIRT_RV32-stock", "riscv64-unknown-elf-gcc"),
        ("RPI_PICO2_RISCV", "riscv64-unknown-elf-gcc"),
        ("RPI_PICO2", "arm-none-eabi-gcc"),
    ],
)
def test_compiler_of_each_target(target, compiler):
    assert inputs.compiler_of(target) == compiler
