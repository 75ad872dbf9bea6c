"""Whether a model runs on a board: room for its arena and file, and a kernel for each node.

Runs on MicroPython, too: the web page has it. A board is a row of targets.boards.board_facts().
"""

from ..model.loading import heap_besides
from .text import number

# In a clone of the project:
ADDED = 'make firmware BOARD=%s TFLM_OPS="$(cat boards/%s/kernels.txt),%s"'


def loading_bytes(report):
    """Return how many bytes of heap the model of *report*, a Timeline, takes besides its arena."""
    return heap_besides(report.model, report.details)


def left_on(report, board, in_heap=None):
    """Return the bytes that model and arena leave of heap and /rom.

    in_heap  bytes of the arena that lie in the heap; None: all
    """
    if in_heap is None:
        in_heap = report.arena_bytes
    heap = board["free_heap"] - loading_bytes(report) - in_heap
    return heap, board["rom"] - report.model_bytes


def missing_kernels(report, board):
    """Return the names for TFLM_OPS of kernels that the model needs and the firmware lacks."""
    return missing_of(report.picked, board)


def missing_of(names, board):
    """Return the *names* that the board's firmware lacks."""
    there = board["kernels"]
    return [] if there is None else [name for name in names if name not in there]


def adding(kernels, board):
    """Return the line that builds the board's firmware with *kernels* as well."""
    return ADDED % (board["name"], board["name"], ",".join(kernels))


def misfits(report, board, in_heap=None):
    """Return the reasons why the model cannot run there, a text for each; [] if it fits.

    in_heap  see left_on()
    """
    heap, rom = left_on(report, board, in_heap)
    left = {"heap": heap, "/rom": rom}
    found = [f"{number(-left[p])} bytes of {p} missing" for p in ("heap", "/rom") if left[p] < 0]
    lacks = missing_kernels(report, board)
    if lacks:
        found.append(f"no {', '.join(lacks)} in its firmware")
    snapshot = report.model.snapshot
    if snapshot and snapshot.isa != board["isa"]:
        found.append(f"prepared for {snapshot.isa} kernels, it has {board['isa']}")
    return found


def fits(report, board):
    """Tell whether the model runs there."""
    return not misfits(report, board)


def cures(report, boards):
    """Return [(missing kernels, line that adds them)] for the *boards* that lack kernels."""
    lacks = [(missing_kernels(report, board), board) for board in boards]
    return [(kernels, adding(kernels, board)) for kernels, board in lacks if kernels]
