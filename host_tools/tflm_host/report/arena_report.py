"""How many bytes of arena a model needs and what fills them.

Every number comes from the runtime's own allocate_tensors(), run here without memory: there is
no second formula.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tflm.arena import Arena
from tflm.interpreter import Interpreter
from tflm.lifetime import Lifetimes
from tflm.model import Model
from tflm.printed import union

from ..plan.compare import DEFAULT, planner_of
from ..targets.boards import all_board_names, load_board


@dataclass(frozen=True)
class Moment:
    """What is in use while one operator runs, or before the first one; overlaps count once."""

    scope: int  # 0: the inputs come; operator i of a model without control flow runs at i + 1
    label: str
    nbytes: int
    live: tuple  # rows of the report's buffers


@dataclass
class ArenaReport:
    """One model's arena; *details* is what Interpreter.arena_report() returns."""

    path: str
    model: Model
    planner: str
    details: dict

    @property
    def model_bytes(self):
        return len(self.model.buf)

    @property
    def arena_bytes(self):
        return self.details["arena_bytes"]

    @property
    def buffers(self):
        return self.details["buffers"]

    def fits(self):
        """Return {board name: whether heap and /rom have room for arena and model}."""
        boards = map(load_board, all_board_names())
        return {board.name: min(self.room_on(board)) >= 0 for board in boards}

    def room_on(self, board):
        """Return the bytes that arena and model leave of *board*'s (heap, /rom)."""
        return board.free_heap - self.arena_bytes, board.romfs_size - self.model_bytes

    def moments(self):
        """Return the Moment of every scope, in order."""
        last = max((buffer["last_used"] for buffer in self.buffers), default=0)
        return [self._moment(scope) for scope in range(last + 1)]

    def _moment(self, scope):
        live = [b for b in self.buffers if b["first_used"] <= scope <= b["last_used"]]
        return Moment(scope, self.label(scope), union(live), tuple(live))

    def label(self, scope):
        if scope == 0:
            return "input"
        return self._labels.get(scope, f"start of a subgraph at {scope}")

    @cached_property
    def scopes(self):
        """{node, as details["nodes"] has it: the scope in which it runs}."""
        firsts = Lifetimes(self.model).node_first
        spans = [firsts[op.subgraph.index][op.index] for op in self.model.operators()]
        return {row[0]: scope for row, scope in zip(self.details["nodes"], spans, strict=True)}

    @cached_property
    def _labels(self):
        names = {row[0]: row[1] for row in self.details["nodes"]}
        return {scope: f"op {node} {names[node]}" for node, scope in self.scopes.items()}

    def worst_moment(self):
        """Return the first Moment at which most bytes are in use."""
        moments = self.moments()
        return max(moments, key=lambda moment: moment.nbytes)

    def overlaps(self):
        """Return [(buffer, buffer)] of those that share bytes at one moment: rows of buffers."""
        pairs = []
        for i, a in enumerate(self.buffers):
            for b in self.buffers[:i]:
                together = a["first_used"] <= b["last_used"] and b["first_used"] <= a["last_used"]
                if together and shared_bytes(a, b) > 0:
                    pairs.append((b, a) if b["first_used"] < a["first_used"] else (a, b))
        return pairs

    def as_json(self):
        details, worst = self.details, self.worst_moment()
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
            "buffers": self.buffers,
            "moments": [{"at": m.label, "bytes": m.nbytes} for m in self.moments()],
            "worst_moment": {
                "op": worst.scope - 1,
                "live_bytes": worst.nbytes,
                "live": [buffer["name"] for buffer in worst.live],
            },
            "overlaps": [
                {"input": a["name"], "output": b["name"], "bytes": shared_bytes(a, b)}
                for a, b in self.overlaps()
            ],
            "boards": self.fits(),
        }


def shared_bytes(a, b):
    """Return how many bytes of the plan two buffers have in common."""
    top = min(a["offset"] + a["size"], b["offset"] + b["size"])
    return top - max(a["offset"], b["offset"])


def measure(path, planner=DEFAULT, preserve_inputs=False, preserve_intermediates=False):
    """Return the ArenaReport of the model file *path*."""
    as_planned = planner == DEFAULT and not preserve_inputs and not preserve_intermediates
    model = Model(Path(path).read_bytes(), prepared=as_planned)
    plan = planner_of(model, planner, preserve_inputs, preserve_intermediates)
    interpreter = Interpreter(model, planner=plan, measure=True)
    details = interpreter.arena_report()
    for buffer in details["buffers"]:
        buffer["name"] = buffer["name"] or f"tensor {buffer['tensor']}"
    return ArenaReport(str(path), model, planner, details)


def measure_shared(models, planner=DEFAULT):
    """Return the bytes of one arena that all *models*, tflm.Models, share, running in turn."""
    arena = Arena()
    for model in models:
        Interpreter(model, arena, planner=planner_of(model, planner), measure=True)
    return arena.used_bytes()
