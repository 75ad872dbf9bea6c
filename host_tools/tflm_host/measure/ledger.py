"""Figures in CSV files of the repository, and how far they have risen since the last commit."""

import csv
import io
import subprocess

from ..places import ROOT

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


def change(now, before):
    """Return how *now* differs from *before* (None: unknown), for a table."""
    if before is None or now is None:
        return ""
    return f"{now - before:+,}" if now != before else "="


def rose(now, before):
    """Tell whether *now* is above *before* by more than LIMIT."""
    return before is not None and now is not None and now > before * (1 + LIMIT)
