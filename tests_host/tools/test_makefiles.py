"""make and CMake compile the same files of firmware/tflm with the same options and macros."""

import shutil
import subprocess

import pytest

from tflm_host.generate.sources import FAST_OPTIONS, definitions, isa_names, kernels_of
from tflm_host.places import ROOT, SOURCES

MAKEFILE = """
USERMOD_DIR := {sources}
USER_C_MODULES := {root}/firmware
BUILD := /build
TFLM_SMALL_KERNELS = {small}
include {sources}/micropython.mk
all: $(TFLM_ALL_O)
\t@echo MACROS $(filter -D%,$(CFLAGS_USERMOD))
/build/%.o:
\t@echo $*.c $(CFLAGS)
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
    assert definitions("add_s8, audio") == [
        "TFLM_HAS_DEFAULT=0",
        "TFLM_HAS_ADD_S8=1",
        "TFLM_HAS_AUDIO=1",
    ]
    none = ["TFLM_HAS_AUDIO=0", "TFLM_HAS_MEL=0"]
    assert definitions("prepared") == definitions("prepared,peer") == none
    assert definitions("prepared,listen") == none[1:]
    assert definitions("prepared,mel") == none[:1]
    assert definitions("prepared,mel,audio") == []
