"""One model's arena over time: offsets and lifetimes of its buffers.

Runs on MicroPython, too: the web page has it. So it has no more than boards understand.
"""

from tflm.base.layout import TAIL
from tflm.interpreter import Interpreter
from tflm.memory.lifetime import Lifetimes

from ..model.kernels import picked_for


class Moment:
    """Memory in use while one operator runs, or before the first one; overlaps count once."""

    def __init__(self, scope, label, nbytes, live):
        self.scope = scope  # 0: inputs come; operator i of a model without control flow: i + 1
        self.label = label
        self.nbytes = nbytes
        self.live = live  # rows of the report's buffers


class Timeline:
    """The arena of *model*, a tflm.Model read from *path*.

    planner  the name of the planner
    details  what Interpreter.arena_report() returns; a second memory lies above the first
    picked   names by which TFLM_OPS picks what the model needs
    """

    def __init__(self, path, model, planner, details, picked):
        for buffer in details["buffers"]:
            buffer["name"] = buffer["name"] or f"tensor {buffer['tensor']}"
        details["kinds"] = sorted(details["kinds"])  # a board's dict keeps no order
        self.path = path
        self.model = model
        self.planner = planner
        self.details = details
        self.picked = picked
        names = {row[0]: row[1] for row in details["nodes"]}
        self.scopes = _scopes(model, details)  # {node, as details["nodes"] has it: its scope}
        self.ops = {scope: (node, names[node]) for node, scope in self.scopes.items()}
        self._moments = self._overlaps = None

    @property
    def model_bytes(self):
        return len(self.model.buf)

    @property
    def arena_bytes(self):
        return self.details["arena_bytes"]

    @property
    def buffers(self):
        return self.details["buffers"]

    def tensor(self, buffer):
        """Return the model's tensor that lies in *buffer*, None for scratch."""
        if buffer["tensor"] < 0:
            return None
        return self.model.subgraphs[buffer["subgraph"]].tensor(buffer["tensor"])

    def moments(self):
        """Return the Moment of every scope, in order."""
        if self._moments is None:
            last = max([buffer["last_used"] for buffer in self.buffers] or [0])
            scopes = range(last + 1)
            if self.details["groups"]:  # of a prepared model, without control flow
                scopes = sorted({0}.union(self.scopes.values()))
            self._moments = [self._moment(scope) for scope in scopes]
        return self._moments

    def _moment(self, scope):
        live = [b for b in self.buffers if b["first_used"] <= scope <= b["last_used"]]
        return Moment(scope, self.label(scope), _union(live), tuple(live))

    def label(self, scope):
        if scope == 0:
            return "input"
        if scope not in self.ops:
            return f"start of a subgraph at {scope}"
        node, name = self.ops[scope]
        for first, last in self.details["groups"]:
            if node == last:
                return f"ops {first} to {last}, row by row"
        return f"op {node} {name}"

    def start_of(self, scope):
        """Return the first scope of the fused layers at *scope*, else *scope*.

        A group counts as one moment, that of its last operator.
        """
        for first, last in self.details["groups"]:
            if self.scopes[last] == scope:
                return scope - (last - first)
        return scope

    def worst_moment(self):
        """Return the first Moment at which most bytes are in use."""
        return max(self.moments(), key=lambda moment: moment.nbytes)

    def overlaps(self):
        """Return [(buffer, buffer)] of buffers, as rows, that share bytes at one moment."""
        if self._overlaps is None:
            self._overlaps = []
            for i, a in enumerate(self.buffers):
                self._overlaps += self._overlaps_of(a, self.buffers[:i])
        return self._overlaps

    def _overlaps_of(self, a, others):
        pairs, first, last = [], a["first_used"], a["last_used"]
        for b in others:
            together = first <= b["last_used"] and b["first_used"] <= last
            if together and shared_bytes(a, b) > 0:
                pairs.append((b, a) if b["first_used"] < first else (a, b))
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
            "groups": [{"first": first, "last": last} for first, last in details["groups"]],
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
        }


def timeline(path, model, planner, plan):
    """Return the Timeline of *model*, planned by *plan*, a planner called *planner*."""
    interp = Interpreter(model, planner=plan, measure=True)
    details, snapshot = interp.arena_report(), interp.model.snapshot
    if snapshot:
        _pile(details, snapshot.second_bytes)
    return Timeline(path, interp.model, planner, details, picked_for(interp))


def _pile(details, second_bytes):
    """Let the buffers in a second memory, of *second_bytes*, lie above the first."""
    for buffer in details["buffers"]:
        if buffer["offset"] >= TAIL:
            buffer["offset"] += details["head_bytes"] - TAIL
    details["head_bytes"] += second_bytes


def _scopes(model, details):
    lifetimes = Lifetimes(model)
    for first, last in details["groups"]:
        lifetimes.join(first, last)
    firsts = lifetimes.node_first
    spans = [firsts[op.subgraph.index][op.index] for op in model.operators()]
    nodes = [row[0] for row in details["nodes"]]
    assert len(nodes) == len(spans)
    return {nodes[i]: spans[i] for i in range(len(nodes))}


def shared_bytes(a, b):
    """Return how many bytes of the plan two buffers have in common."""
    top = min(a["offset"] + a["size"], b["offset"] + b["size"])
    return top - max(a["offset"], b["offset"])


def _union(buffers):
    """Return how many bytes lie in at least one of *buffers*."""
    total = end = 0
    for buffer in sorted(buffers, key=lambda b: b["offset"]):
        top = buffer["offset"] + buffer["size"]
        total += max(top - max(end, buffer["offset"]), 0)
        end = max(end, top)
    return total
