"""Contents of the front page from models/, bench/ and boards/: pictures, figures, a digit."""

import base64
import csv
import json

from tflm.base.port import addressof
from tflm.interpreter import Interpreter
from tflm.model import Model

from ..places import ROOT
from ..prepare import prepare
from ..report.arena_report import measure
from ..report.arena_rows import by_rows
from ..report.arena_small import small
from ..report.text import escape, number
from ..targets.boards import KB, SOLD, load_board

BENCH = ROOT / "bench"
PICTURED = ROOT / "models" / "digits_gated.tflite"  # has fused layers
DRAWN = ROOT / "models" / "digits_cnn.tflite"
TARGET = "RPI_PICO"
WAY = "row by row"
COMPARED = "person_detect"  # of the models that all peers have run, the best known
M4, M0 = "MPS2_AN386", "M0PLUS"
RIVAL = "CMSIS-NN"
MILLION = 1e6


def pictures():
    """Return {"PLAIN", "PREPARED", "SAVED", "MODEL"}: a model's arena before and after."""
    plain = measure(PICTURED)
    ways = {way.name: way for way in by_rows(PICTURED.read_bytes(), TARGET)}
    prepared = ways[WAY].report
    most = plain.arena_bytes
    saved = 100 - round(100 * prepared.arena_bytes / most)
    return {
        "PLAIN": small(plain, most),
        "PREPARED": small(prepared, most, beside=most),
        "SAVED": f"{saved} %",
        "MODEL": PICTURED.name,
    }


def figures():
    """Return three figures of one model, each beside TFLM's, as HTML."""
    ours = {
        row["target"]: row
        for row in _rows("figures.csv")
        if (row["model"], row["backend"], row["kind"]) == (COMPARED, "c", "prepared")
    }
    theirs = {
        row["target"]: int(row["invoke"])
        for row in _rows("peers.csv")
        if (row["model"], row["library"]) == (COMPARED, RIVAL)
    }
    (arena,) = [int(row["tflm"]) for row in _rows("arena.csv") if row["model"] == COMPARED]
    rival = f"TFLM, {RIVAL}"
    cards = [_figure("Memory", "bytes of arena", "TFLM", int(ours[M4]["arena"]), arena)]
    for core, title in ((M4, "A run on a Cortex-M4"), (M0, "A run on a Pico's Cortex-M0+")):
        run = int(ours[core]["invoke"]), theirs[core]
        cards.append(_figure(title, "million instructions", rival, *run, unit=MILLION))
    return "\n".join(cards)


def _rows(name):
    with open(BENCH / name, newline="") as file:
        return list(csv.DictReader(file))


def _figure(title, what, rival, ours, theirs, unit=1):
    """Return one figure with two bars; the numbers are shown in *unit*."""
    shown = [number(n) if unit == 1 else f"{n / unit:.1f}" for n in (ours, theirs)]
    bars = [
        f'<p class="bar{kind}" style="--share: {n / max(ours, theirs):.3f}">'
        f"<span>{name}</span> <b>{text}</b></p>"
        for kind, n, name, text in zip(
            (" ours", ""), (ours, theirs), ("tflm", rival), shown, strict=True
        )
    ]
    share = f"{theirs / ours:.1f}"
    return (
        f'<li><h3>{title}</h3><p class="times"><b>{share} times</b> fewer</p><p>{what}</p>'
        f"{''.join(bars)}</li>"
    )


def boards():
    """Return a list of the boards that people buy, with their memory for a model, as HTML."""
    rows = []
    for name, title in SOLD.items():
        board = load_board(name)
        sizes = (
            f"{board.free_heap // KB} KB for arenas, {number(board.romfs_size // KB)} KB of models"
        )
        rows.append(f"<li><b>{escape(title)}</b><br><small>{board.cpu}, {sizes}</small></li>")
    return "\n".join(rows)


def digit():
    """Return JSON that the page needs to run the prepared DRAWN, with kernels and no Python.

    {"model": base64, "table": tagged offset of the node table, "count": of nodes, "arena": bytes,
    "input", "output": offsets in the arena, "side": pixels}
    """
    data = prepare(DRAWN.read_bytes(), "portable")
    interp = Interpreter(Model(data, prepared=True))
    runner, base = interp.graph.runners[0], addressof(interp.arena.buf)
    facts = {
        "model": base64.b64encode(data).decode(),
        "table": runner.table,
        "count": runner.count,
        "arena": interp.arena_used_bytes(),
        "input": addressof(interp.inputs[0].data) - base,
        "output": addressof(interp.outputs[0].data) - base,
        "side": interp.inputs[0].shape[1],
    }
    return json.dumps(facts, sort_keys=True)
