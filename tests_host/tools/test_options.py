"""Objects are compiled again where their options change, and with options that a fault needs."""

import os
import shutil
import subprocess

import pytest

from tflm_host.generate import sources
from tflm_host.places import BOARDS, SOURCES

GCC = "arm-none-eabi-gcc"
# As MicroPython's py.mk and mkenv.mk have it, with objects that are empty files.
MAKEFILE = """
all:
.PHONY: all FORCE
FORCE:
USERMOD_DIR := firmware/tflm
USER_C_MODULES := firmware
BUILD := out
CFLAGS = -DNAME='"a name"' $(EXTRA)
include firmware/tflm/micropython.mk
all: $(TFLM_ALL_O) out/tflm/modtflm.o
out/%.o:
\t@mkdir -p $(@D); touch $@; echo $*.c
"""
CMAKELISTS = """
cmake_minimum_required(VERSION 3.13)
project(listed NONE)
add_library(usermod INTERFACE)
include(firmware/tflm/micropython.cmake)
get_property(READ DIRECTORY PROPERTY CMAKE_CONFIGURE_DEPENDS)
message("READ ${READ}")
"""
OPTIONS_OF_BOARD = """
all:
BOARD_DIR := {board}
include {board}/mpconfigboard.mk
all: ; @echo $(CFLAGS)
"""
UNPACK = """
#include "kernels/common/unpack_s4.h"
void unpack(const uint8_t *packed, int32_t first, int32_t count, int8_t *values) {
    tflm_unpack_s4(packed, first, count, values);
}
"""


class Project:
    """Only the makefiles, with a generator that has nothing to do."""

    def __init__(self, root):
        self.root = root
        for name in ("micropython.mk", "micropython.cmake"):
            self.write(f"firmware/tflm/{name}", (SOURCES / name).read_text())
        self.write("build/generated/sources.mk", sources.sources_mk())
        self.write("build/generated/sources.cmake", sources.sources_cmake())
        self.write("Makefile", MAKEFILE)
        self.write("CMakeLists.txt", CMAKELISTS)
        self.write("bin/python3", "#!/bin/sh\necho /frozen\n").chmod(0o755)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run(self, *command):
        path = f"{self.root / 'bin'}:{os.environ['PATH']}"
        return subprocess.run(
            command,
            cwd=self.root,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=True,
        )

    def make(self, *settings):
        """Return the files that make compiles."""
        return self.run("make", "-s", *settings).stdout.split()


def test_make_compiles_again_with_other_options(tmp_path, monkeypatch):
    project = Project(tmp_path)
    every = project.make()
    assert {"tflm/modtflm.c", "tflm/kernels/portable/conv.c", "tflm/flatbuffer.c"} <= {*every}
    assert project.make() == []
    for setting in ("TFLM_SMALL_KERNELS=conv.c", "TFLM_SPEED_MORE=-O3", "EXTRA=-DX='\"b\"'"):
        assert project.make(setting) == every
        assert project.make(setting) == []
    project.make()
    monkeypatch.setattr(sources, "SMALL_KERNELS", (*sources.SMALL_KERNELS, "conv.c"))
    project.write("build/generated/sources.mk", sources.sources_mk())
    assert project.make() == every
    assert project.make() == []


@pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is not installed")
def test_cmake_reads_the_options_again_where_they_change(tmp_path):
    project = Project(tmp_path)
    options = project.write("host_tools/tflm_host/generate/sources.py", "")
    assert str(options) in project.run("cmake", ".").stderr


@pytest.mark.firmware
@pytest.mark.skipif(shutil.which(GCC) is None, reason=f"{GCC} is not installed")
@pytest.mark.parametrize("count", range(6))
def test_loop_in_pairs_of_a_cortex_m55_ends_in_time(tmp_path, count):
    """GCC 12.2 drops the check behind the loop without an option of the board's makefile."""
    unicorn = pytest.importorskip("unicorn")
    arm = pytest.importorskip("unicorn.arm_const")
    board = BOARDS / "MPS3_AN547"
    project = Project(tmp_path)
    project.write("Makefile", OPTIONS_OF_BOARD.format(board=board))
    flags = [flag for flag in project.make() if flag.startswith(("-m", "-f"))]
    source = project.write("unpack.c", UNPACK)
    built = [tmp_path / f"unpack.{suffix}" for suffix in ("o", "bin")]
    subprocess.run([GCC, *flags, "-Os", f"-I{SOURCES}", "-c", source, "-o", built[0]], check=True)
    copy = "arm-none-eabi-objcopy", "-O", "binary", "-j", ".text"
    subprocess.run([*copy, *built], check=True)
    cpu = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
    for start in (0, 0x20000000):
        cpu.mem_map(start, 0x1000)
    code, packed, values, end = built[1].read_bytes(), 0x20000000, 0x20000100, 0x800
    cpu.mem_write(0, code)
    cpu.mem_write(packed, bytes(range(0x10, 0x80, 0x11)))
    cpu.mem_write(values, b"\x55" * 8)
    registers = zip((arm.UC_ARM_REG_R0, arm.UC_ARM_REG_R1), (packed, 0), strict=True)
    for register, value in registers:
        cpu.reg_write(register, value)
    cpu.reg_write(arm.UC_ARM_REG_R2, count)
    cpu.reg_write(arm.UC_ARM_REG_R3, values)
    cpu.reg_write(arm.UC_ARM_REG_SP, 0x20001000)
    cpu.reg_write(arm.UC_ARM_REG_LR, end | 1)
    cpu.emu_start(1, end, count=1000)
    assert cpu.mem_read(values, 8) == bytes([0, 1, 1, 2, 2, 3][:count]) + b"\x55" * (8 - count)
