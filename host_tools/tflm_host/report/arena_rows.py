"""The arena of a prepared model in whole layers, with layers row by row, and with a fed input."""

from dataclasses import dataclass

from tflm.errors import ModelError
from tflm.model import Model

from ..prepare import prepare
from ..targets.isa import isa_of
from ..targets.run import HOST

WAYS = {
    "whole layers": {"by_rows": False},
    "row by row": {},
    "row by row, input too": {"feed": True},
}


@dataclass(frozen=True)
class Way:
    """A way to prepare a model; groups are [(first node, last)] of its *nodes*."""

    name: str
    arena_bytes: int
    file_bytes: int
    groups: list
    nodes: int

    def fits_on(self, board):
        """Tell whether arena and file fit on *board*, a Board."""
        return self.arena_bytes <= board.free_heap and self.file_bytes <= board.romfs_size

    def picture(self):
        """Return a dot for each node that is a moment of its own, and [==] for a group of two."""
        parts, node = [], 0
        for first, last in self.groups:
            parts += ["." * (first - node), "[", "=" * (last + 1 - first), "]"]
            node = last + 1
        return "".join(parts) + "." * (self.nodes - node)

    def as_json(self):
        groups = [{"first": first, "last": last} for first, last in self.groups]
        return {"way": self.name, "arena_bytes": self.arena_bytes, "groups": groups}


def by_rows(data):
    """Return the Ways to prepare the model *data*: not the last where its input must be whole."""
    ways = []
    for name, options in WAYS.items():
        try:
            prepared = prepare(data, isa_of(HOST), **options)
        except ModelError:
            if "feed" not in options:
                raise
            continue
        model = Model(prepared)
        groups, nodes = model.snapshot.groups(), model.subgraphs[0].operator_count
        ways.append(Way(name, model.arena_required(), len(prepared), groups, nodes))
    return ways
