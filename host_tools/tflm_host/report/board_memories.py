"""Where an arena lies on a board: in the heap, in another memory, or divided over two.

The facts of a board are in its memories.csv. The bytes are Arena's own count, as with --memory.
"""

from dataclasses import dataclass

from tflm.base.layout import ALIGNMENT

from ..targets.boards import Memory, load_board
from .arena_report import in_two, shortage
from .room import loading_bytes

HEAP = "heap"


@dataclass(frozen=True)
class Placed:
    """The memories that an arena takes on a board, at most two: needed bytes, and free ones."""

    board: str
    memories: tuple
    need: tuple
    alone: bool  # whether the board has nothing but its heap

    @property
    def missing(self):
        return sum(max(0, n - m.nbytes) for n, m in zip(self.need, self.memories, strict=True))

    @property
    def fits(self):
        return not self.missing

    @property
    def in_heap(self):
        """Bytes of the arena that lie in the heap."""
        pairs = zip(self.need, self.memories, strict=True)
        return sum(need for need, memory in pairs if memory.start is None)

    def names(self):
        return " and ".join(memory.name for memory in self.memories)

    def as_json(self):
        return {
            "memories": [
                {"name": m.name, "start": m.start, "bytes": need, "available": m.nbytes}
                for need, m in zip(self.need, self.memories, strict=True)
            ],
            "fits_in_memories": self.fits,
            "in_a_program": self.in_a_program(),
        }

    def in_a_program(self):
        """Return the expression that makes this arena in MicroPython."""
        parts = [
            str(need) if memory.start is None else f"bytearray_at({memory.start:#x}, {need})"
            for need, memory in zip(self.need, self.memories, strict=True)
        ]
        return f"tflm.Arena({', tail='.join(parts)})"

    def lines(self):
        """Return what a terminal shows; () where a board with one memory has room for all."""
        if self.alone and self.fits:
            return ()
        pairs = zip(self.need, self.memories, strict=True)
        parts = ", ".join(shortage(_place(m), need, m.nbytes) for need, m in pairs)
        if self.alone:
            return (f"{self.board} has one memory: {parts}",)
        found = [f"memory of {self.board}: {parts}"]
        if self.fits and self.in_heap != sum(self.need):
            found.append(f"from uctypes import bytearray_at; arena = {self.in_a_program()}")
        found += [f"{m.name} is free {m.condition}" for m in self.memories if m.condition]
        return tuple(found)


def placed(report, board, planner):
    """Return where the arena of *report* lies on the board called *board*, a Placed.

    It is the first that has room of: the heap, the heap and another memory, another memory,
    another memory and the heap. If none has, it is the heap and the best other memory. An arena
    that `tflm prepare` has divided takes two pieces of the heap in place of one memory.
    """
    found = load_board(board)
    free = max(0, found.free_heap - loading_bytes(report)) & -ALIGNMENT
    heap, others = Memory(HEAP, None, free, "", ""), found.memories
    alone = [(heap,), *((m,) for m in others)]
    snapshot = report.model.snapshot
    if snapshot and snapshot.second_bytes:
        rest = max(0, free - snapshot.arena_bytes)
        alone = [(heap, Memory(HEAP, None, rest, "", ""))]
    ways = [alone[0], *((heap, m) for m in others), *alone[1:], *((m, heap) for m in others)]
    tried = []
    for way in ways:
        need = (report.arena_bytes,)
        if len(way) == 2:
            need = in_two(report, planner, [memory.nbytes for memory in way]).need
        tried.append(Placed(board, way, need, not others))
        if tried[-1].fits:
            return tried[-1]
    return tried[1] if others else tried[0]


def _place(memory):
    return memory.name if memory.start is None else f"{memory.name} at {memory.start:#010x}"
