"""Output of the tools: names without markup, and tables that never cut a figure.

Names come from model files, so all text passes visible() on its way out, and no markup is read.
"""

import os
import sys
from contextlib import contextmanager
from textwrap import wrap

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from .text import number as number  # what the commands print with
from .text import short as short
from .text import visible as visible

PIPED_WIDTH = 160  # columns, where no terminal says how wide it is
NARROW_TEXT = 14  # columns of text are folded down to this before a column goes
NARROWEST_TEXT = 6
GAP = "  "


def _console(file, **options):
    known = "COLUMNS" in os.environ or file.isatty()
    width = None if known else PIPED_WIDTH
    return Console(highlight=False, markup=False, emoji=False, width=width, **options)


out = _console(sys.stdout)
err = _console(sys.stderr, stderr=True)


def paint(text, style):
    """Return *text* in a *style* of rich, to be given to say() or a Grid."""
    return Text(visible(text), style)


def _as_text(part):
    """Return a str as Text; the empty lines in front of it stay."""
    if isinstance(part, Text):
        return part
    body = part.lstrip("\n")
    return Text(part[: len(part) - len(body)] + visible(body))


def say(*parts):
    """Print one line on stdout, however long it is."""
    out.print(Text.assemble(*map(_as_text, parts)), soft_wrap=True)


def warn(text):
    """Print one line on stderr."""
    err.print(visible(text), soft_wrap=True)


@contextmanager
def progress(what, total):
    """Show a bar on stderr, where that is a terminal; yields advance(steps=1)."""
    from rich import progress as rich  # most commands show none

    text = rich.TextColumn("{task.description}", markup=False)
    columns = (text, rich.BarColumn(), rich.MofNCompleteColumn(), rich.TimeElapsedColumn())
    hidden = not err.is_terminal
    with rich.Progress(*columns, console=err, transient=True, disable=hidden) as bar:
        task = bar.add_task(visible(what), total=total)
        yield lambda steps=1: bar.advance(task, steps)


class Grid:
    """A table as wide as the terminal: text is folded, then columns go, the last ones first.

    columns  their titles. '>' marks figures, which are never cut or folded. '!' marks a column
             that stays, as the first one does
    """

    def __init__(self, title, *columns):
        self._title = title
        self._titles = [column.lstrip(">!") for column in columns]
        self._figures = [column.startswith(">") for column in columns]
        self._stays = [i == 0 or column.startswith("!") for i, column in enumerate(columns)]
        self._rows = []

    @property
    def row_count(self):
        return len(self._rows)

    def add_row(self, *cells):
        self._rows.append([_as_text(cell) for cell in cells])

    def show(self):
        """Print it on stdout."""
        shown, widths = self._layout(out.width)
        if self._title:
            say(self._title)
        self._show_row([Text(title, "bold") for title in self._titles], shown, widths)
        for row in self._rows:
            self._show_row(row, shown, widths)
        gone = [title for i, title in enumerate(self._titles) if i not in shown]
        if gone:
            say(f"({out.width} columns have no room for: {', '.join(gone)})")

    def _layout(self, width):
        """Return the indices of the columns to show, and {index: width}."""
        columns = zip(self._titles, *(map(str, row) for row in self._rows), strict=True)
        natural = [max(map(cell_len, column)) for column in columns]
        shown = list(range(len(natural)))
        while self._sum(shown, natural, NARROW_TEXT) > width:
            gone = [i for i in shown if not self._stays[i]]
            if not gone:
                break
            shown.remove(gone[-1])
        widths = {i: natural[i] for i in shown}
        while self._sum(shown, widths, 1 << 30) > width:
            text = [i for i in shown if not self._figures[i] and widths[i] > NARROWEST_TEXT]
            if not text:
                break
            widths[max(text, key=widths.get)] -= 1
        return shown, widths

    def _sum(self, shown, widths, text):
        """Return the width of a row whose columns of text take *text* at most."""
        sizes = [widths[i] if self._figures[i] else min(widths[i], text) for i in shown]
        return sum(sizes) + len(GAP) * (len(sizes) - 1)

    def _show_row(self, cells, shown, widths):
        folded = [
            wrap(str(cells[i]), widths[i] or 1, break_on_hyphens=False) or [""] for i in shown
        ]
        for k in range(max(map(len, folded))):
            line = Text()
            for i, lines in zip(shown, folded, strict=True):
                text = lines[k] if k < len(lines) else ""
                blank = " " * (widths[i] - cell_len(text))
                styled = Text(text, cells[i].style)
                line.append(GAP if len(line) else "")
                line.append_text(Text(blank) + styled if self._figures[i] else styled + blank)
            line.rstrip()
            out.print(line, soft_wrap=True)
