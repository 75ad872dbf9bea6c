"""The record of a group, as firmware/tflm/groups.c reads it, and its place in the arena."""

import struct

from tflm import layout
from tflm.arena import align_up

NONE = 255  # no tensor
STATE_WORDS = 2  # of each tensor, and one of all


class Scratch:
    """One buffer for all that a group needs beside its inputs and outputs.

    sizes  bytes of the members' own scratch buffers: they use the same place, one after the other
    """

    def __init__(self, group, sizes):
        self.group = group
        self.places = {}  # of tensors between the layers
        top = align_up(layout.WORD * (1 + STATE_WORDS * len(group.tensors)))
        for tensor, capacity in group.capacity.items():
            self.places[tensor] = top
            top += align_up(capacity * group.shapes[tensor].nbytes)
        self.of_members = top
        self.nbytes = top + max(map(align_up, sizes), default=0)


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
    numbers = [group.tensors.index(t) for t in member.inputs]
    at = member.at
    return _words(
        "<HHi12B5i",
        kernel,
        refs,
        record,
        count,
        group.tensors.index(member.output),
        *_pair(numbers),
        at["output"],
        *_pair(at["inputs"]),
        member.output in group.outputs,
        *(at.get(name, 0) for name in ("height", "outputs", "pad", "count")),
        member.elements,
        member.strip,
        member.stride,
        member.pad,
        member.extent,
    )


def _words(form, *values):
    return struct.unpack(f"<{struct.calcsize(form) // layout.WORD}i", struct.pack(form, *values))


def _pair(numbers):
    return [*numbers, NONE, NONE][:2]
