"""The tables of operators in docs/operators.md, and of C files in kernels/portable/README.md."""

import re

from ..places import ROOT, SOURCES
from .rows import rows
from .sources import COMMON, PORTABLE, isa_names

PAGE = ROOT / "docs" / "operators.md"  # of a clone
KERNELS_PAGE = SOURCES / "kernels" / PORTABLE / "README.md"

FIRST, LAST = "<!-- operators -->\n", "<!-- /operators -->"
FIRST_FILE, LAST_FILE = "<!-- files -->\n", "<!-- /files -->"
DEFINED = re.compile(r"^void tflm_(\w+)\(", re.MULTILINE)


def table(found):
    """Return the table of all operators of the Rows *found*, by name."""
    lines = ["| operator | types | notes |", "|---|---|---|"]
    for row in sorted(found.operators.values(), key=lambda row: row.name):
        lines.append(f"| {row.name} | {row.types} | {row.notes} |".replace("|  |", "| |"))
    return "\n".join(lines) + "\n"


def with_operators(text):
    """Return *text*, that of PAGE, with the table as the rows have it."""
    before, rest = text.split(FIRST)
    return before + FIRST + table(rows()) + LAST + rest.split(LAST)[1]


def table_of_files(found):
    """Return the table of portable C files, of the kernels of the Rows *found* in each."""
    names = {kernel.name for kernel in found.kernels}
    lines = ["| file | kernels | own file in |", "|---|---|---|"]
    for path in sorted(KERNELS_PAGE.parent.glob("*.c")):
        kernels = [f"`{name}`" for name in DEFINED.findall(text_of(path)) if name in names]
        folders = [isa for isa in isa_names() if (SOURCES / "kernels" / isa / path.name).exists()]
        own = ", ".join(f"`{isa}`" for isa in folders if isa != PORTABLE)
        lines.append(f"| `{path.name}` | {', '.join(kernels)} | {own} |".replace("|  |", "| |"))
    return "\n".join(lines).replace("|  |", "| |") + "\n"


def text_of(path):
    """Return the text of a portable C file, with that of its header plain_*.h if it has one."""
    plain = SOURCES / "kernels" / COMMON / f"plain_{path.stem}.h"
    return path.read_text() + (plain.read_text() if plain.exists() else "")


def with_files(text):
    """Return *text*, that of KERNELS_PAGE, with the table as rows and folders have it."""
    before, rest = text.split(FIRST_FILE)
    return before + FIRST_FILE + table_of_files(rows()) + LAST_FILE + rest.split(LAST_FILE)[1]


def write_operators():
    PAGE.write_text(with_operators(PAGE.read_text()))
    KERNELS_PAGE.write_text(with_files(KERNELS_PAGE.read_text()))
