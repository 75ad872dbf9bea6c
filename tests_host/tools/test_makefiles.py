"""make and CMake compile the same files of firmware/tflm with the same options and macros."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tflm_host.generate.sources import (
    BEHIND,
    FAST_OPTIONS,
    SMALL_KERNELS,
    definitions,
    isa_names,
    kernels_of,
)
from tflm_host.measure import ledger
from tflm_host.places import BOARDS, ROOT, SOURCES

MAKEFILE = """
all: objects
USERMOD_DIR := {sources}
USER_C_MODULES := {root}/firmware
BUILD := /build
TFLM_SMALL_KERNELS = {small}
include {sources}/micropython.mk
objects: $(TFLM_ALL_O)
\t@echo MACROS $(filter -D%,$(CFLAGS_USERMOD))
/build/%.o:
\t@echo $*.c $(CFLAGS)
$(TFLM_OPTIONS) FORCE: ;
"""
CMAKELISTS = """
cmake_minimum_required(VERSION 3.13)
project(listed NONE)
add_library(usermod INTERFACE)
set(TFLM_SMALL_KERNELS "{small}")
include({sources}/micropython.cmake)
get_target_property(FILES usermod_tflm INTERFACE_SOURCES)
foreach(FILE ${{FILES}})
    get_source_file_property(OPTIONS ${{FILE}} COMPILE_OPTIONS)
    string(REPLACE ";" " " OPTIONS "${{OPTIONS}}")
    string(REPLACE NOTFOUND "" OPTIONS "${{OPTIONS}}")
    message("${{FILE}} ${{OPTIONS}}")
endforeach()
get_target_property(MACROS usermod_tflm INTERFACE_COMPILE_DEFINITIONS)
string(REPLACE ";" " " MACROS "${{MACROS}}")
message("MACROS ${{MACROS}}")
"""
BINDING = "modtflm.c"  # which make compiles as MicroPython's own files


def _listed(command, folder):
    """Return ({file: its options}, macros) that *command* in *folder* prints."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    files, macros = {}, set()
    for line in (done.stdout + done.stderr).splitlines():
        first, *rest = line.split()
        if first == "MACROS":
            macros = {word.removeprefix("-D") for word in rest}
        elif first.endswith(".c"):
            files[first.partition("tflm/")[2]] = rest
    return files, macros


@pytest.mark.slow  # each writes a package twice
@pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is not installed")
@pytest.mark.parametrize(
    ("isa", "ops", "small"),
    [
        *((isa, "", "") for isa in isa_names()),
        ("dsp", "", "convert.c pad.c"),
        ("armv6m", "conv_2d_s8,listen", ""),
        ("armv6m", "prepared", ""),
        ("armv6m", "prepared,audio,mel", ""),
    ],
)
def test_make_and_cmake_compile_the_same(tmp_path, isa, ops, small):
    facts = {"sources": SOURCES, "root": ROOT, "small": small}
    (tmp_path / "Makefile").write_text(MAKEFILE.format(**facts))
    (tmp_path / "CMakeLists.txt").write_text(CMAKELISTS.format(**facts))
    settings = [f"TFLM_ISA={isa}", f"TFLM_OPS={ops}"]
    made = _listed(["make", "-s", *settings], tmp_path)
    cmaked = _listed(["cmake", *[f"-D{text}" for text in settings], "."], tmp_path)
    assert cmaked[0].pop(BINDING) == []
    assert made == cmaked
    assert made[1] == {f"TFLM_ISA={isa}", *definitions(ops)}
    kernels = kernels_of(isa)
    assert set(kernels) <= set(made[0])
    assert all(made[0][name][:2] == list(FAST_OPTIONS) for name in kernels)
    fast = [name for name in kernels if "-O2" in made[0][name]]
    assert {"kernels/portable/conv.c", f"kernels/{isa}/conv.c"} & set(fast)
    assert not {f"kernels/portable/{name}" for name in small.split()} & set(fast)


def test_macros_of_a_build_for_some_kernels():
    assert definitions("") == []
    loading, kernels, services = (
        f"TFLM_HAS_{name}=0" for name in ("LOADING", "DEFAULT", "SERVICES")
    )
    audio, image = "TFLM_HAS_AUDIO=1", "TFLM_HAS_IMAGE=1"
    assert definitions("add_s8, audio") == [kernels, services, "TFLM_HAS_ADD_S8=1", audio]
    assert definitions("prepared") == [loading, services]
    assert definitions("prepared,audio,image") == [loading, services, audio, image]
    assert definitions("prepared,copy") == [loading, kernels, services, "TFLM_HAS_COPY=1"]


# What the esp32 port does with user modules, in a project of C alone: see its esp32_common.cmake.
# What needs MicroPython's headers is left out.
PORT = """
cmake_minimum_required(VERSION 3.16)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
project(micropython C)
include({source}/py/usermod.cmake)
list(FILTER MICROPY_SOURCE_USERMOD EXCLUDE REGEX modtflm)
add_library(main OBJECT ${{MICROPY_SOURCE_USERMOD}})
target_include_directories(main PRIVATE ${{MICROPY_INC_USERMOD}})
get_target_property(MACROS usermod_tflm INTERFACE_COMPILE_DEFINITIONS)
target_compile_definitions(main PRIVATE ${{MACROS}})
"""
RISCV = "riscv64-unknown-elf-gcc"
ESP32_C3 = "-march=rv32imc -mabi=ilp32 --specs=picolibc.specs"
STRICT = "-std=gnu99 -Os -Wall -Wextra -Werror -Wdouble-promotion"
SOME = "conv_2d_s8,depthwise_conv_2d_s8,fully_connected_s8,max_pool_2d_s8,softmax_s8"
FREEZE = """
import sys
sys.path.insert(0, sys.argv[1] + "/tools")
import manifestfile
paths = {"MPY_DIR": sys.argv[1], "PORT_DIR": sys.argv[3], "MPY_LIB_DIR": ""}
manifest = manifestfile.ManifestFile(manifestfile.MODE_FREEZE, paths)
manifest.execute(sys.argv[2])
print(*sorted(file.target_path for file in manifest.files()))
"""


@pytest.fixture
def micropython():
    """Return the folder of MicroPython's source; skips where it was not fetched."""
    folder = Path(os.environ.get("TFLM_CACHE", Path.home() / ".cache" / "tflm"))
    found = sorted(folder.glob("micropython-*/py/usermod.cmake"))
    if not found:
        pytest.skip("no source of MicroPython: scripts/fetch_micropython.sh fetches it")
    return found[0].parent.parent


@pytest.mark.slow  # compiles the runner and some kernels
@pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is not installed")
@pytest.mark.skipif(shutil.which(RISCV) is None, reason="no compiler for RISC-V")
def test_esp32_port_gathers_and_compiles_the_module(tmp_path, micropython):
    """ESP-IDF gives the port's CMakeLists its compiler; docs/ways.md says what was not tried."""
    (tmp_path / "CMakeLists.txt").write_text(PORT.format(source=micropython))
    module = f"-DUSER_C_MODULES={SOURCES / 'micropython.cmake'}"
    compiler = [f"-DCMAKE_C_COMPILER={RISCV}", f"-DCMAKE_C_FLAGS={ESP32_C3} {STRICT}"]
    system = ["-DCMAKE_SYSTEM_NAME=Generic", "-DCMAKE_SYSTEM_PROCESSOR=riscv"]
    environment = {**os.environ, "TFLM_OPS": SOME}
    for command in (["cmake", module, *compiler, *system, "."], ["cmake", "--build", ".", "-j2"]):
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    made = {path.name.removesuffix(".obj") for path in tmp_path.rglob("*.obj")}
    made |= {path.name.removesuffix(".o") for path in tmp_path.rglob("*.c.o")}
    assert {"conv.c", "runner.c", "flatbuffer.c"} <= made
    assert len(made) > 100


def test_manifest_for_the_esp32_port_freezes_the_package(tmp_path, micropython):
    upstream = tmp_path / "boards" / "manifest.py"
    upstream.parent.mkdir()
    (tmp_path / "theirs.py").write_text("")
    upstream.write_text('module("theirs.py", base_path="$(PORT_DIR)")\n')
    manifest = ROOT / "boards" / "common" / "esp32_manifest.py"
    command = [sys.executable, "-c", FREEZE, micropython, manifest, tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    frozen = done.stdout.split()
    assert {"theirs.py", "tflm/__init__.py", "tflm/interpreter.py", "tflm_tests.py"} <= {*frozen}
    assert "tflm/kernels/conv.py" not in frozen


@pytest.mark.slow
def test_make_builds_again_where_kernels_are_linked_in_another_order(tmp_path):
    text = MAKEFILE.format(sources=SOURCES, root=ROOT, small="")
    (tmp_path / "Makefile").write_text(text + "text: ; @echo '$(TFLM_OPTIONS_TEXT)'\n")
    done = subprocess.run(
        ["make", "-s", "TFLM_ISA=dsp", "text"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    order = [word.partition("tflm/kernels/")[2] for word in done.stdout.split()]
    assert [f"kernels/{name}" for name in order if name] == kernels_of("dsp")


@pytest.mark.parametrize("isa", BEHIND)
def test_a_loop_is_linked_beside_what_calls_it(isa):
    names = [path.rpartition("/")[2] for path in kernels_of(isa)]
    for first in {*BEHIND[isa].values()}:
        behind = sorted(name for name, other in BEHIND[isa].items() if other == first)
        place = names.index(first) + 1
        assert names[place : place + len(behind)] == behind
    assert sorted(names) == sorted({*names})


def test_kernels_built_for_size_have_files_and_save_flash_on_a_pico():
    names = {path.rpartition("/")[2] for isa in isa_names() for path in kernels_of(isa)}
    text = (BOARDS / "RPI_PICO" / "mpconfigboard.cmake").read_text()
    own = re.search(r'set\(TFLM_SMALL_KERNELS "(.*)"\)', text)[1].split()
    assert set(SMALL_KERNELS) | set(own) <= names
    assert not set(SMALL_KERNELS) & set(own)
    saved = ledger.parse((BOARDS / "RPI_PICO" / "sizes.csv").read_text(), ("part",))
    assert saved[("kernels",)]["flash"] < 110_000  # 125,830 where all are built for speed
