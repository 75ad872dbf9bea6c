"""The needs of fused layers, from a simulation of their schedule.

group = Group(members, wanted)    members: see members.py

The schedule is in firmware/tflm/groups_turns.h. groups_plan.c simulates it, without the bytes.
"""

from dataclasses import replace
from functools import cached_property
from itertools import accumulate, pairwise, product

import numpy as np

try:
    import _tflm
except ImportError:  # no C compiler on this machine: prepare() says so
    _tflm = None

# The problem of groups_plan.c and its result, in words.
QUESTION, ANSWER = 4, 6
LISTED = 2  # words of the parameters of a member that lists its inputs, and two for each of them
WORD = np.dtype("<i4")


class TooManyTensors(ValueError):
    """A group numbers its tensors in a byte."""


class Group:
    """Nodes that run as one.

    members  in order;  first, last  nodes
    fed  an input whose rows come from outside one by one, or None
    tensors  inputs, the fed one first, then the members' outputs, in order
    inputs, outputs  tensors that have a place of their own
    capacity  {tensor: rows that it needs room for}, of the others
    offsets  {such a tensor, or -1 - node of a member with scratch: its place};  height  of these
    distances  {(output, input): gap in bytes}, of the memory plan
    calls  [calls of its kernel], one per member
    moved  bytes that slide to the front of their places, at most
    """

    def __init__(self, members, wanted, fed=None):
        """*wanted*: tensors that others than *members* read, or that are the model's outputs."""
        self.members = members
        self.fed = fed
        self.first, self.last = members[0].node, members[-1].node
        self.outputs = [member.output for member in members if member.output in wanted]
        self.schedule()

    def schedule(self):
        """Simulate the schedule, to find the capacities, places and gaps."""
        words, at = self._asked()
        if not _tflm.plan_rows(words):
            raise TooManyTensors(self.first, self.last)
        tensors, inputs, outputs, self.height, low, high = words[at : at + ANSWER].tolist()
        self.moved = (low & 0xFFFFFFFF) + (high << 32)
        count = len(self.members)
        parts = tensors, tensors, count, tensors + count, inputs * outputs
        ends = list(accumulate(parts, initial=at + ANSWER))
        parts = [words[i:j].tolist() for i, j in pairwise(ends)]
        self.tensors, self._capacities, self.calls, self._offsets, distances = parts
        first = tensors - count - inputs
        self.inputs = self.tensors[first : first + inputs]
        self.distances = dict(zip(product(self.outputs, self.inputs), distances, strict=True))

    def _asked(self):
        """Return the words for groups_plan.c, and the place of its results."""
        flags = [member.output in self.outputs for member in self.members]
        asked = b"".join([member.asked for member in self.members])
        count, reads = len(self.members), sum([len(member.inputs) for member in self.members])
        start = QUESTION + len(asked) // WORD.itemsize
        answer = start + count + LISTED * (count + reads)
        tensors = 1 + count + reads
        end = answer + ANSWER + 3 * tensors + 2 * count + len(self.outputs) * reads
        words = np.empty(end, WORD)
        words[:QUESTION] = count, -1 if self.fed is None else self.fed, answer, end
        words[QUESTION:start] = np.frombuffer(asked, WORD)
        words[start : start + count] = flags
        return words, answer

    @cached_property
    def capacity(self):
        return {t: n for t, n in zip(self.tensors, self._capacities, strict=True) if n >= 0}

    @cached_property
    def offsets(self):
        buffers = *self.tensors, *(-1 - member.node for member in self.members)
        return {t: at for t, at in zip(buffers, self._offsets, strict=True) if at >= 0}

    @cached_property
    def shapes(self):
        """{tensor: its Rows}."""
        return {t: shape for member in self.members for t, shape in member.shapes.items()}

    def with_strips_doubled(self, numbers):
        """Return this group with calls of the members *numbers* that make twice the rows."""
        members = list(self.members)
        for i in numbers:
            strip = min(2 * members[i].strip, members[i].longest)
            members[i] = replace(members[i], strip=strip)
        return Group(members, self.outputs, self.fed)

    def nbytes(self, tensor):
        shape = self.shapes[tensor]
        return shape.height * shape.nbytes

    def neighbours(self, i):
        """Return the numbers of member *i*, of its inputs, and of its readers."""
        one = self.members[i]
        return [
            k
            for k, other in enumerate(self.members)
            if k == i or other.output in one.inputs or one.output in other.inputs
        ]
