"""Tables of the documentation whose figures stand in bench/: measured, and those of peers."""

import csv
import re

from ..places import ROOT

BOARD = "MPS2_AN386"
PREPARED = re.compile(r"<!-- prepared (\w+) -->")
PEERS = "<!-- table of peers -->"
ROWS = (("instructions of loading", "load"), ("instructions of a run", "invoke"))
ROWS += (("bytes of arena", "arena"), ("bytes of Python heap, besides", "heap"))


def _read(name):
    with open(ROOT / "bench" / name, newline="") as file:
        return list(csv.DictReader(file))


def _figures():
    """Return {(model, kind): row} of C kernels on BOARD."""
    rows = [
        row for row in _read("figures.csv") if row["target"] == BOARD and row["backend"] == "c"
    ]
    return {(row["model"], row["kind"]): row for row in rows}


def prepared(model):
    """Return rows that compare *model*, plain and prepared."""
    plain, after = (_figures()[model, kind] for kind in ("plain", "prepared"))
    lines = [f"| {name} | {int(plain[key]):,} | {int(after[key]):,} |" for name, key in ROWS]
    return "\n".join(lines)


def peers():
    """Return a table of models: ours beside TFLM with CMSIS-NN."""
    figures = _figures()
    arenas = {row["model"]: int(row["tflm"]) for row in _read("arena.csv") if row["tflm"]}
    theirs = {
        row["model"]: int(row["invoke"])
        for row in _read("peers.csv")
        if row["target"] == BOARD and row["library"] == "CMSIS-NN"
    }
    lines = [
        "| model | TFLM, instructions | tflm | prepared | TFLM, arena | tflm | prepared |",
        "|---|---|---|---|---|---|---|",
    ]
    for model in sorted(set(theirs) & set(arenas)):
        plain, after = figures[model, "plain"], figures[model, "prepared"]
        runs = [theirs[model], int(plain["invoke"]), int(after["invoke"])]
        bytes_ = [arenas[model], int(plain["arena"]), int(after["arena"])]
        lines.append(f"| {model} | " + " | ".join(f"{n:,}" for n in runs + bytes_) + " |")
    return "\n".join(lines)


def with_tables(text):
    """Return *text*, a page, with its tables."""
    text = PREPARED.sub(lambda found: prepared(found[1]), text)
    return text.replace(PEERS, peers()) if PEERS in text else text
