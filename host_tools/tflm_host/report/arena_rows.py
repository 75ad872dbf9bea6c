"""The arena of a prepared model in whole layers, with fused layers, and with a fed input."""

from dataclasses import dataclass

from tflm.base.errors import ModelError
from tflm.memory.planner import overlap
from tflm.model import Model

from ..prepare import prepare
from ..targets.isa import core_of
from ..targets.run import HOST
from .timeline import Timeline, timeline

WAYS = {
    "whole layers": {"by_rows": False},
    "row by row": {},
    "row by row, input too": {"feed": True},
}


@dataclass(frozen=True)
class Way:
    """A way to prepare a model, and the Timeline of the result."""

    name: str
    report: Timeline

    @property
    def arena_bytes(self):
        return self.report.arena_bytes

    @property
    def groups(self):
        """[(first node, last)] of the fused layers."""
        return self.report.details["groups"]

    def picture(self):
        """Return a dot for each node that is a moment of its own, and [==] for a group of two."""
        parts, node = [], 0
        for first, last in self.groups:
            parts += ["." * (first - node), "[", "=" * (last + 1 - first), "]"]
            node = last + 1
        return "".join(parts) + "." * (len(self.report.details["nodes"]) - node)

    def as_json(self):
        groups = [{"first": first, "last": last} for first, last in self.groups]
        return {"way": self.name, "arena_bytes": self.arena_bytes, "groups": groups}


def by_rows(data, target=HOST):
    """Return the Ways to prepare the model *data* for *target*, by `core_of`.

    Not the last where its input must be whole.
    """
    core, ways = core_of(target), []
    for name, options in WAYS.items():
        try:
            prepared = prepare(data, core.isa, flash_cache=core.flash_cache, **options)
        except ModelError:
            if "feed" not in options:
                raise
            continue
        ways.append(Way(name, timeline(name, Model(prepared, prepared=True), "overlap", overlap)))
    return ways
