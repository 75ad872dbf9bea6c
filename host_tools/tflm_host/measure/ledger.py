"""Figures in CSV files of the repository, and how far they have risen since the last commit."""

import csv
import io
import subprocess

from ..places import ROOT
from ..report.terminal import Grid, number, paint, say

LIMIT = 0.01  # a rise by more of a figure fails


def committed(path):
    """Return the text of *path* in the last commit; without git or a commit of it, as it is."""
    command = ["git", "-C", str(ROOT), "show", f"HEAD:{path.relative_to(ROOT)}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout
    except FileNotFoundError:
        pass
    return path.read_text() if path.exists() else ""


def parse(text, keys):
    """Return {values of the columns *keys*: {other column: value}}; numbers as int, "" as None."""
    rows = {}
    for row in csv.DictReader(io.StringIO(text)):
        key = tuple(row.pop(name) for name in keys)
        rows[key] = {name: _value(text) for name, text in row.items()}
    return rows


def _value(text):
    return None if text == "" else int(text) if text.isdecimal() else text


def write(path, keys, rows):
    """Write what parse() returns, sorted; what a row lacks of the columns stays empty."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        columns = list(dict.fromkeys(name for row in rows.values() for name in row))
        writer.writerow([*keys, *columns])
        writer.writerows(
            [*key, *(row.get(name) for name in columns)] for key, row in sorted(rows.items())
        )


def update(path, keys, rows):
    """Write *rows* into the file *path*, whose other rows stay."""
    before = parse(path.read_text(), keys) if path.exists() else {}
    write(path, keys, {**before, **rows})


def compare(path, keys, names, rows):
    """Print the columns *names* of *rows* that differ from *path* in the last commit.

    Returns whether none has risen by more than LIMIT.
    """
    before = parse(committed(path), keys)
    grid = Grid("", *keys, "figure", ">now", ">since the last commit", "")
    risen = 0
    for key, row in rows.items():
        for name in names:
            now, then = row[name], before.get(key, {}).get(name)
            if now == then:
                continue
            rises = rose(now, then)
            risen += rises
            cells = number(now), change(now, then) or "new"
            grid.add_row(*key, name, *cells, paint("rose", "red") if rises else "")
    if grid.row_count:
        grid.show()
    say(f"{risen} of {len(names) * len(rows)} figures have risen by more than 1 %")
    return not risen


def change(now, before):
    """Return how *now* differs from *before* (None: unknown), for a table."""
    if before is None or now is None:
        return ""
    return f"{now - before:+,}" if now != before else "="


def rose(now, before):
    """Tell whether *now* is above *before* by more than LIMIT."""
    return before is not None and now is not None and now > before * (1 + LIMIT)
