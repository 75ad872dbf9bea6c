"""Tables of docs/ways.md: boards of others, and the heap that packages leave there.

boards/others.csv names the boards. boards/upstream.csv has figures of MicroPython's configuration,
and boards/heaps.csv those measured with a heap of that size.
"""

import csv

from ..measure import small_heaps
from ..places import BOARDS

FIGURES = "heap", "flash", "files", "rom"
PLACES = {"rom": "`/rom`", "flash": "files"}
ENOUGH = 8 * small_heaps.KB  # bytes in one piece: the arena of a small model
FOR_A_MODEL = 8  # KB beside the package: a small one


def _rows(name):
    with open(BOARDS / name, newline="") as file:
        return list(csv.DictReader(file))


def upstream():
    """Return {board: {"heap", "flash", "files", "rom": KB, "sources": paths}}, in order.

    A figure is the sum of its rows, None where the configuration has none. "sources" are its
    files: below ports/, or in another repository.
    """
    found = {}
    for row in _rows("upstream.csv"):
        board = found.setdefault(row["upstream"], dict.fromkeys(FIGURES) | {"sources": []})
        board[row["figure"]] = (board[row["figure"]] or 0) + float(row["kb"])
        if row["file"] not in board["sources"]:
            board["sources"].append(row["file"])
    return found


def fitting(board, said, measured):
    """Return the ways that leave ENOUGH of the heap of *board*, and have room in its flash.

    board     a row of others.csv
    said      what upstream() says of it
    measured  small_heaps.saved()
    """
    found = []
    for way in small_heaps.WAYS:
        row = measured[way, int(board["class"])]
        there = said["rom"] if way.place == "rom" else said["files"]
        if (row["left"] or 0) >= ENOUGH and (there or 0) >= row["room"] + FOR_A_MODEL:
            found.append(way)
    return found


def _tried(board, said, measured):
    if not board["class"]:
        return ""
    best = {}  # WAYS has the better ones first
    for way in fitting(board, said, measured):
        best.setdefault(way.place, "viper" if way.package == "viper" else way.model)
    texts = [f"{PLACES[place]}: {form}" for place, form in best.items()]
    return f"{board['class']} KB: {'; '.join(texts) or 'nothing fits'}"


def ways():
    """Return the table of boards and of the ways to run tflm there."""
    said, measured = upstream(), small_heaps.saved()
    lines = [
        "| board | core | firmware of ours | native module | viper | heap, KB | flash, KB"
        " | files, KB | `/rom`, KB | tried in QEMU |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for board in _rows("others.csv"):
        of = said[board["upstream"]]
        figures = [f"{of[name]:,.0f}" if of[name] else "" for name in FIGURES]
        named = [
            f"`{board[key]}`" if board[key] else "" for key in ("firmware", "native", "viper")
        ]
        core = board["core"].replace("-", "&#8209;")
        cells = board["title"], core, *named, *figures, _tried(board, of, measured)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def heaps():
    """Return the table of the bytes that each way leaves of each heap."""
    measured = small_heaps.saved()
    heads = [f"{heap} KB" for heap in small_heaps.HEAPS]
    lines = [
        f"| package | place | model | room, KB | takes | {' | '.join(heads)} |",
        "|---" * (5 + len(heads)) + "|",
    ]
    for way in small_heaps.WAYS:
        rows = [measured[way, heap] for heap in small_heaps.HEAPS]
        left = [f"{row['left']:,}" if row["left"] else "" for row in rows]
        first = f"`{way.package}.json`", PLACES[way.place], way.model
        figures = f"{rows[-1]['room']:,}", f"{rows[-1]['taken']:,}"
        lines.append(f"| {' | '.join([*first, *figures, *left])} |")
    return "\n".join(lines)


def sources():
    """Return a list of the files that the figures of each board come from."""
    said = upstream()
    lines = ["| board | files |", "|---|---|"]
    for board in _rows("others.csv"):
        files = said[board["upstream"]]["sources"]
        lines.append(f"| {board['title']} | {', '.join(f'`{name}`' for name in files)} |")
    return "\n".join(lines)
