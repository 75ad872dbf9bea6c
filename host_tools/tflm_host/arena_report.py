"""How many bytes of arena a model needs and what fills them.

Every number comes from the runtime's own allocate_tensors(), run here without memory: there is
no second formula.
"""

from dataclasses import dataclass
from pathlib import Path

from tflm.arena import Arena
from tflm.interpreter import Interpreter
from tflm.model import Model

from .boards import all_board_names, load_board


@dataclass
class ArenaReport:
    """One model's arena; *details* is what Interpreter.arena_report() returns."""

    path: str
    model_bytes: int
    planner: str
    details: dict

    @property
    def arena_bytes(self):
        return self.details["arena_bytes"]

    def fits(self):
        """Return {board name: whether the arena fits its heap and the model its /rom}."""
        return {name: self._fits(load_board(name)) for name in all_board_names()}

    def _fits(self, board):
        return self.arena_bytes <= board.heap_size and self.model_bytes <= board.romfs_size

    def worst_moment(self):
        """Return (scope, live bytes, names of the live buffers) where most bytes are alive."""
        buffers = self.details["buffers"]
        best = (0, 0, [])
        for scope in sorted({buffer["first_used"] for buffer in buffers}):
            live = [b for b in buffers if b["first_used"] <= scope <= b["last_used"]]
            total = sum(buffer["size"] for buffer in live)
            if total > best[1]:
                best = (scope, total, [buffer["name"] for buffer in live])
        return best

    def as_json(self):
        scope, live_bytes, live = self.worst_moment()
        details = self.details
        return {
            "model": self.path,
            "model_bytes": self.model_bytes,
            "arena_bytes": self.arena_bytes,
            "head_bytes": details["head_bytes"],
            "tail_bytes": details["tail_bytes"],
            "planner": self.planner,
            "kinds": [
                {"kind": kind, "requested": requested, "used": used, "count": count}
                for kind, requested, used, count in details["kinds"]
            ],
            "per_op": [
                {"index": index, "op": op, "tail_bytes": nbytes}
                for index, op, nbytes in details["nodes"]
            ],
            "buffers": details["buffers"],
            "worst_moment": {"op": scope - 1, "live_bytes": live_bytes, "live": live},
            "boards": self.fits(),
        }


def measure(path, planner="greedy"):
    """Return the ArenaReport of the model file *path*."""
    data = Path(path).read_bytes()
    interpreter = Interpreter(Model(data), planner=planner, measure=True)
    return ArenaReport(str(path), len(data), planner, interpreter.arena_report())


def measure_shared(paths, planner="greedy"):
    """Return the bytes of one arena that all models in *paths* share, running in turn."""
    arena = Arena()
    for path in paths:
        Interpreter(Model(Path(path).read_bytes()), arena, planner=planner, measure=True)
    return arena.used_bytes()
