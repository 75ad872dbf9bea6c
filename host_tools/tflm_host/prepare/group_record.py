"""The parameters of fused layers, as firmware/tflm/groups.c reads them, and their arena."""

import struct
from functools import cached_property

from tflm.base import layout
from tflm.base.arena import align_up

NONE = 255  # no tensor
STACK = 0  # the extent of a member whose inputs lie below each other
BESIDE, ONWARD = 1, 2  # ways, as in groups.c
FED = -2  # the maker of a tensor whose rows come from outside
NOBODY = 1, 0  # first and last reader of a tensor that no member reads
STATE_WORDS = 2  # of each tensor, and one of all


class Scratch:
    """One buffer for the needs of a group besides its inputs and outputs.

    places  {tensor between the layers: offset}
    of_members  {node: offset} of the members' own scratch buffers
    own  {node: offset} of bytes that members keep from call to call

    Tensors share a place if neither has needed rows while the other is computed.
    """

    def __init__(self, group):
        self.group = group
        self.own = {}
        top = align_up(layout.WORD * (1 + STATE_WORDS * len(group.tensors)))
        for member in group.members:
            if member.own_bytes:
                self.own[member.node] = top
                top += align_up(member.own_bytes)
        self._top = top
        self.nbytes = top + group.height

    @cached_property
    def places(self):
        rows = self.group.capacity
        offsets = [(t, at) for t, at in self.group.offsets.items() if t >= 0]
        # Of a tensor that nobody reads no row is made. Its place must still be inside: fence.c.
        return {t: self._top + at if rows[t] else 0 for t, at in offsets}

    @cached_property
    def of_members(self):
        return {-1 - t: self._top + at for t, at in self.group.offsets.items() if t < 0}


def words_of(group, nodes):
    """Return the operator parameters of the group.

    nodes  [(kernel, count of tagged offsets, offset of its parameters, their words)] of members
    """
    words = [len(group.members)]
    for tensor in group.tensors:
        shape = group.shapes[tensor]
        capacity = group.capacity.get(tensor, shape.height)
        readers = [i for i, member in enumerate(group.members) if tensor in member.inputs]
        first, last = (readers[0], readers[-1]) if readers else NOBODY
        who = _words("<hBB", _maker(group, tensor), first, last)
        words += [shape.height, shape.nbytes, capacity, *who]
    for member, node in zip(group.members, nodes, strict=True):
        words += _child(group, member, *node)
    return words


def _maker(group, tensor):
    """Return the number of the member that makes *tensor*, -1 where none does; FED."""
    if tensor == group.fed:
        return FED
    makers = [i for i, member in enumerate(group.members) if member.output == tensor]
    return makers[0] if makers else -1


def _child(group, member, *node):
    numbers = [] if member.is_listed else [group.tensors.index(t) for t in member.inputs]
    places = group.tensors.index(member.output), *_pair(numbers)
    return child_words(member, node, places, member.at, member.output in group.outputs)


def child_words(member, node=(0, 0, 0, 0), places=(0, NONE, NONE), at=None, is_last=False):
    """Return *member* as a child of groups_turns.h; without more, what it is in every group."""
    at = at or {"output": 0, "inputs": []}
    return _words(
        "<HHi12B4ih2B",
        *node,
        *places,
        at["output"],
        *_pair(at["inputs"]),
        is_last,
        *(at.get(name, 0) for name in ("height", "outputs")),
        at.get("pad", at.get("first", 0)),
        at.get("count", 0),
        member.elements,
        member.strip,
        member.stride,
        member.pad,
        STACK if member.starts else member.extent,
        member.shift,
        _way(member),
    )


def _way(member):
    if member.is_onward:
        return ONWARD
    return BESIDE if member.is_listed and not member.starts else 0


def _words(form, *values):
    return struct.unpack(f"<{struct.calcsize(form) // layout.WORD}i", struct.pack(form, *values))


def _pair(numbers):
    return [*numbers, NONE, NONE][:2]
