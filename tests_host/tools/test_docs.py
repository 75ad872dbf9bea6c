"""What the documents name exists: files, folders and targets of make; DESIGN.md stays short."""

import os
import re
from fnmatch import fnmatch

import pytest

from support.pages.doc_blocks import local_name, read_page
from tflm_host.generate import operators
from tflm_host.generate.rows import rows
from tflm_host.measure import figures_page
from tflm_host.places import ROOT
from tflm_host.targets.boards import SOLD

NOT_OURS = {".git", ".venv", "build", "__pycache__"}  # folders of ROOT, or in any
THEIRS = {"main.py", "typings/tflm"}  # what users call files and folders of theirs
GENERATED = {"layout.h", "adapters.h", "texts.h"}
RELEASED = {f"firmware/{board}.{suffix}" for board in SOLD for suffix in ("uf2", "hex", "dfu")}
RELEASED |= {"site/index.html"}
SUFFIXES = (".py", ".c", ".h", ".md", ".csv", ".mk", ".cmake", ".toml", ".txt", ".sh")
PLACEHOLDER = re.compile(r"[<>$~=]|\b[A-Z_]{4,}\b(?!\.)")
DESIGN_LINES, README_LINES = 250, 150
FIRST_SCREEN = 45  # lines of README


def documents():
    """Yield the path of every document."""
    for name in ("README.md", "CONTRIBUTING.md", "DESIGN.md", "SPEC.md", "CHANGELOG.md"):
        yield ROOT / name
    for pattern in ("docs/*.md", "tests_host/**/*.md", "firmware/**/*.md", "mp_modules/**/*.md"):
        yield from sorted(ROOT.glob(pattern))


def paths():
    """Return the paths of all files and folders of the project, relative to ROOT."""
    found = set()
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in NOT_OURS]
        where = os.path.relpath(folder, ROOT)
        found |= {os.path.normpath(os.path.join(where, name)) for name in folders + files}
    return found


def text_of(path):
    """Return the text of a document, of CHANGELOG.md the part on what is unreleased."""
    text = path.read_text()
    if path.name == "CHANGELOG.md":
        text = re.search(r"^## .*unreleased\n(.*?)(?=^## |\Z)", text, re.I | re.M | re.S)[1]
    return text


def code_of(text):
    """Return the parts of *text* that are code: in backticks, fenced or indented."""
    found = re.findall(r"^```(.*)\n((?:.*\n)*?)```$", text, re.M)
    fenced = [block for language, block in found if language != "text"]  # what is printed
    rest = re.sub(r"^```.*\n(?:.*\n)*?```$", "", text, flags=re.M)
    indented = [line.split("#")[0] for line in re.findall(r"^    .*", rest, re.M)]
    return re.findall(r"`([^`\n]+)`", rest), fenced + indented


def missing_paths(text, known):
    """Return the paths that *text* names and *known* lacks, whole or at their end."""
    quoted, blocks = code_of(text)
    tops = {path.split("/")[0] for path in known}
    parts = [word.partition("::")[0] for part in quoted for word in part.split()]  # of a test
    words = {word for word in parts if not PLACEHOLDER.search(word)}
    words = {word for word in words if word.endswith(SUFFIXES) or re.match(r"\w[^(]*/", word)}
    for block in blocks:
        in_folders = [w for w in re.findall(r"[\w./-]+", block) if w.split("/")[0] in tops]
        words |= {word for word in in_folders if "/" in word}
    words = {word.rstrip("/") for word in words}
    words = {word for word in words if word.split("/")[0] not in {*NOT_OURS, "..", ""}}
    return sorted(
        word
        for word in words - THEIRS - GENERATED - RELEASED
        if not any(fnmatch(path, word) or fnmatch(path, "*/" + word) for path in known)
    )


def missing_targets(text):
    """Return the targets of make that *text* names and the Makefile lacks."""
    quoted, blocks = code_of(text)
    targets = set(re.findall(r"^([a-z][a-z0-9-]*):", (ROOT / "Makefile").read_text(), re.M))
    named = {name for part in quoted + blocks for name in re.findall(r"\bmake ([a-z-]+)", part)}
    return sorted(named - targets)


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_document_names_what_exists(path):
    text = text_of(path)
    known = paths()
    if path.parent == ROOT / "docs":
        known |= {f"models/{local_name(name)}" for name in read_page(path).models}
    assert missing_paths(text, known) == []
    assert missing_targets(text) == []


def test_name_of_nothing_is_found():
    text = "See `graph.py`, `tflm/no.py`, `no.c`.\n\n    make nothing && mpremote run boards/no.py"
    assert missing_paths(text, paths()) == ["boards/no.py", "no.c", "tflm/no.py"]
    assert missing_targets(text) == ["nothing"]


def test_design_is_short():
    assert len((ROOT / "DESIGN.md").read_text().splitlines()) <= DESIGN_LINES


def test_readme_is_short_and_says_first_what_holds():
    lines = (ROOT / "README.md").read_text().splitlines()
    assert len(lines) <= README_LINES
    first = " ".join(" ".join(lines[:FIRST_SCREEN]).split())
    for said in ("tested in emulators, not yet on silicon", "`prepared=True`", "NaN", "prove it"):
        assert said in first, said


def test_page_has_the_operators_of_the_rows():
    text = operators.PAGE.read_text()
    assert operators.with_operators(text) == text, "run `make operators`"


@pytest.mark.parametrize("page", figures_page.PAGES)
def test_page_has_the_figures_of_bench(page):
    text, figures = (ROOT / page).read_text(), figures_page.Figures()
    again = figures_page.with_tables(text, figures_page.PAGES[page], figures)
    assert again == text, "run `make bench`"
    assert "|  |" not in figures_page.waiting(figures)  # none is empty


def test_page_of_portable_kernels_has_their_files_and_each_kernel_once():
    text = operators.KERNELS_PAGE.read_text()
    assert operators.with_files(text) == text, "run `make operators`"
    table = operators.table_of_files(rows())
    others = [kernel.name for kernel in rows().kernels if table.count(f"`{kernel.name}`") != 1]
    assert others == ["row_group"]  # the layers of a group run in groups.c
