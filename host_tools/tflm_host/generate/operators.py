"""The table of operators in docs/operators.md."""

from ..places import ROOT
from .rows import rows

PAGE = ROOT / "docs" / "operators.md"  # of a clone

FIRST, LAST = "<!-- operators -->\n", "<!-- /operators -->"


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


def write_operators():
    PAGE.write_text(with_operators(PAGE.read_text()))
