"""The arrows between files of firmware/tflm: what each includes, and whose functions it calls.

A unit is NAME.c with NAME.h. Folders include lower ones only, and units make no circle.
"""

import re
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter

import pytest

from tflm_host.generate.sources import COMMON, PORTABLE, isa_names, kernels_of
from tflm_host.places import SOURCES

KERNELS = "kernels"
SHARED = {"audio", "image", f"{KERNELS}/{COMMON}"}
# Which folders the files of a folder include, beside their own.
MAY_INCLUDE = {".": SHARED, **{folder: set() for folder in SHARED}}
MAY_INCLUDE.update({f"{KERNELS}/{isa}": SHARED for isa in isa_names()})
# dispatch.c has a table of all kernels. The module of firmware reads it, and nothing reads that.
OUTSIDE = ("dispatch.c", "modtflm.c")

INCLUDE = re.compile(r'^\s*#\s*include "(.+?)"', re.MULTILINE)
DEFINED = re.compile(
    r"^(?!static\b|typedef\b|#)[A-Za-z][\w *]*?\b(tflm_\w+)\([^;{}]*\)\s*\{", re.MULTILINE
)
NAMED = re.compile(r"\btflm_\w+")


def read(paths):
    """Return {path below SOURCES: its text without comments}."""
    texts = {path.relative_to(SOURCES).as_posix(): path.read_text() for path in paths}
    return {name: re.sub(r"//.*", "", text) for name, text in texts.items()}


def everything():
    return read(path for end in ("c", "h") for path in SOURCES.rglob(f"*.{end}"))


def folder_of(name):
    return name.rpartition("/")[0] or "."


def included(texts):
    """Yield (file, file that it includes), for files below SOURCES."""
    known = {(SOURCES / name).resolve(): name for name in texts}
    for name, text in texts.items():
        for path in INCLUDE.findall(text):
            places = ((SOURCES / name).parent / path, SOURCES / path)
            found = [known[place.resolve()] for place in places if place.resolve() in known]
            if found:
                yield name, found[0]


def against_the_order(texts):
    """Return the includes from a folder into one that it may not include, and those of C files."""
    return sorted(
        (name, other)
        for name, other in included(texts)
        if other.endswith(".c")
        or folder_of(other) not in {folder_of(name)} | MAY_INCLUDE[folder_of(name)]
    )


def unit(name):
    return name.rpartition(".")[0]


def circle(texts):
    """Return the units of one circle of includes and calls, [] where there is none."""
    arrows = defaultdict(set)
    for name, other in included(texts):
        arrows[unit(name)].add(unit(other))
    functions = {
        function: unit(name)
        for name, text in texts.items()
        if name.endswith(".c")
        for function in DEFINED.findall(text)
    }
    for name, text in texts.items():
        if name.endswith(".c") and name not in OUTSIDE:
            called = {*NAMED.findall(text)} - {*DEFINED.findall(text)}
            arrows[unit(name)] |= {functions[word] for word in called if word in functions}
    graph = {name: others - {name} for name, others in arrows.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def of_isa(isa):
    """Return the texts of what firmware with the kernels of *isa* is built of."""
    built = {*kernels_of(isa)}
    others = {f"{KERNELS}/{name}" for name in isa_names()} - {f"{KERNELS}/{isa}"}
    return {
        name: text
        for name, text in everything().items()
        if name in built or folder_of(name) not in others
    }


def test_folders_include_lower_ones_and_no_c_file():
    assert {folder_of(name) for name in everything()} == {*MAY_INCLUDE}
    assert against_the_order(everything()) == []


@pytest.mark.parametrize("isa", isa_names())
def test_units_make_no_circle(isa):
    assert circle(of_isa(isa)) == []


@pytest.mark.parametrize(
    ("name", "path"),
    [
        (f"{KERNELS}/dsp/conv.c", f"../{PORTABLE}/dense.c"),
        (f"{KERNELS}/{COMMON}/dot.h", "../mve/vectors.h"),
        (f"{KERNELS}/dsp/conv.c", "../mve/vectors.h"),
        (f"{KERNELS}/{PORTABLE}/pad.c", "dispatch.h"),
    ],
)
def test_arrow_up_is_seen(name, path):
    texts = everything()
    texts[name] += f'#include "{path}"\n'
    ((found, other),) = against_the_order(texts)
    assert found == name and other.endswith(path.removeprefix("../"))


@pytest.mark.parametrize(
    ("name", "text", "units"),
    [
        ("slices.h", '#include "runner.h"\n', {"slices", "runner"}),
        (
            f"{KERNELS}/{COMMON}/requantize.c",
            "void f(void) { tflm_add_products(0, 0); tflm_move(0, 0, 0); }\n",
            set(),
        ),
        ("quantization.c", "void f(void) { tflm_run(0); }\n", set()),
        ("slices.c", "void f(void) { tflm_run(0); }\n", {"slices", "runner"}),
    ],
)
def test_circle_is_seen(name, text, units):
    texts = of_isa("dsp")
    texts[name] += text
    assert {*circle(texts)} == units
