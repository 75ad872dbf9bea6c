"""The record of a group, as firmware/tflm/groups.c reads it, and its place in the arena."""

import struct

from tflm import layout
from tflm.arena import align_up

NONE = 255  # no tensor
STACK = 0  # the extent of a member whose inputs lie below each other
BESIDE, ONWARD = 1, 2  # ways, as in groups.c
STATE_WORDS = 2  # of each tensor, and one of all
ROUNDS = 12  # plans that are tried


class Scratch:
    """One buffer for all that a group needs beside its inputs and outputs.

    sizes  {node: bytes} of the members' own scratch buffers
    places  {tensor between the layers: offset};  of_members  {node: offset} of those buffers
    own  {node: offset} of what members keep from call to call

    Tensors share a place where neither has rows that are needed while the other is made.
    """

    def __init__(self, group, sizes):
        self.group = group
        self.own = {}
        top = align_up(layout.WORD * (1 + STATE_WORDS * len(group.tensors)))
        for member in group.members:
            if member.own_bytes:
                self.own[member.node] = top
                top += align_up(member.own_bytes)
        needs = {t: align_up(n * group.shapes[t].nbytes) for t, n in group.capacity.items()}
        needs.update({-1 - node: align_up(nbytes) for node, nbytes in sizes.items()})
        placed, height = _lowest(needs, group)
        self.places = {t: top + at for t, at in placed.items() if t >= 0}
        self.of_members = {-1 - t: top + at for t, at in placed.items() if t < 0}
        self.nbytes = top + height


def _lowest(needs, group):
    """Return ({buffer: offset}, height) of the lowest of some plans, for *needs* {buffer: bytes}.

    What holds up the topmost buffer goes first in the next one.
    """
    order = sorted(needs, key=lambda t: (-needs[t], t))
    apart = _apart(needs, group)
    best = None
    for _ in range(ROUNDS):
        found = {}
        for buffer in order:
            others = [(found[other], other) for other in apart[buffer] if other in found]
            found[buffer] = _offset(needs[buffer], sorted(others), needs)
        top = max(order, key=lambda t: found[t] + needs[t], default=None)
        height = found[top] + needs[top] if found else 0
        if best is None or height < best[1]:
            best = found, height
        if top is None or order[0] == top:
            break
        order.remove(top)
        order.insert(0, top)
    return best


def _offset(nbytes, others, needs):
    """Return the lowest place for *nbytes* beside *others*, [(offset, buffer)] in order."""
    at = 0
    for start, other in others:
        if start < at + nbytes and at < start + needs[other]:
            at = start + needs[other]
    return at


def _apart(needs, group):
    """Return {buffer: those of *needs* that are in use at the same time}.

    Scratch of two members never is: only tensors have a bit.
    """
    rows = [(t, group.apart[t], group.bit.get(t, 0)) for t in needs]
    return {
        a: [b for b, late, bit in rows if a != b and (own & bit or late & mine)]
        for a, own, mine in rows
    }


def words_of(group, nodes):
    """Return the parameters of the group's record.

    nodes  [(kernel, number of refs, ref of the record, words of it)] of the members
    """
    words = [len(group.members)]
    for tensor in group.tensors:
        shape = group.shapes[tensor]
        capacity = group.capacity.get(tensor, shape.height)
        makes = group.maker_number(tensor), *group.reader_numbers(tensor)
        words += [shape.height, shape.nbytes, capacity, *_words("<hBB", *makes)]
    for member, node in zip(group.members, nodes, strict=True):
        words += _child(group, member, *node)
    return words


def _child(group, member, kernel, refs, record, count):
    numbers = [] if member.is_listed else [group.tensors.index(t) for t in member.inputs]
    at = member.at
    return _words(
        "<HHi12B4ih2B",
        kernel,
        refs,
        record,
        count,
        group.tensors.index(member.output),
        *_pair(numbers),
        at["output"],
        *_pair(at["inputs"]),
        member.output in group.outputs,
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
