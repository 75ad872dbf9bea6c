"""The table of operators in README.md."""

from .rows import rows

FIRST, LAST = "<!-- operators -->\n", "<!-- /operators -->"


def table(found):
    """Return the table of all operators of the Rows *found*, by name."""
    lines = ["| operator | types | notes |", "|---|---|---|"]
    for row in sorted(found.operators.values(), key=lambda row: row.name):
        lines.append(f"| {row.name} | {row.types} | {row.notes} |".replace("|  |", "| |"))
    return "\n".join(lines) + "\n"


def with_operators(text):
    """Return *text*, README's, with the table as the rows have it."""
    before, rest = text.split(FIRST)
    return before + FIRST + table(rows()) + LAST + rest.split(LAST)[1]


def write_operators(path):
    path.write_text(with_operators(path.read_text()))
