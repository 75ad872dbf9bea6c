"""A checker of fused layers: it acts the groups of a prepared file out on a memory of labels.

Independent of prepare/groups.py and of the planners: it reads what the file says, as
firmware/tflm/groups.c does. Each byte of the arena holds the label of what was written last,
(tensor, row), and whoever reads a row must find all of its labels.
"""

import struct
from types import SimpleNamespace

from tflm.base import layout
from tflm.model import Model
from tflm.ops.index import kernel_index

TENSOR = ("height", "row", "capacity", "maker", "first_reader", "last_reader")
CHILD = "<HHi12B4ih2B"
FACTS = (
    *("kernel", "refs", "record", "words", "output", "input0", "input1"),
    *("output_at", "input0_at", "input1_at", "is_last"),
    *("height_at", "outputs_at", "pad_at", "count_at"),
    *("count", "strip", "stride", "pad", "extent", "shift", "way"),
)


def _facts(names, values):
    return SimpleNamespace(**dict(zip(names, values, strict=True)))


def group_at(buf, refs, record):
    """Return the group with these parameters: places, tensors, children; None of an inner node."""
    at = (record >> 1) + layout.WORD * refs
    places = struct.unpack_from(f"<{refs}i", buf, record >> 1)
    (count,) = struct.unpack_from("<i", buf, at)
    if not count:
        return None
    at += layout.WORD
    tensors = [
        _facts(TENSOR, struct.unpack_from("<3ihBB", buf, at + 16 * i)) for i in range(refs - 1)
    ]
    at += 16 * (refs - 1)
    size = struct.calcsize(CHILD)
    rows = [struct.unpack_from(CHILD, buf, at + size * i) for i in range(count)]
    children = [_facts(FACTS, row) for row in rows]
    for child in children:
        child.stack = [n for n in (child.input0, child.input1) if n != 255]
        if child.extent == 0 or child.way == BESIDE:  # numbers at the end of the parameters
            at = (child.record >> 1) + layout.WORD * (child.refs + 1)
            (inputs,) = struct.unpack_from("<i", buf, at)
            at += layout.WORD * (1 + (inputs if child.way == BESIDE else 0))
            child.stack = struct.unpack_from(f"<{inputs}i", buf, at)
    return SimpleNamespace(places=[p >> 1 for p in places], tensors=tensors, children=children)


def groups_of(model):
    """Return the groups in the prepared file *model*."""
    snapshot = Model(model, prepared=True).snapshot
    number, (count, table) = kernel_index("row_group"), snapshot.words[6:8]
    entries = [
        struct.unpack_from(layout.NODE_FORMAT, model, table + layout.NODE_SIZE * i)
        for i in range(count)
    ]
    found = [group_at(model, refs, ref) for kernel, refs, ref in entries if kernel == number]
    return [group for group in found if group]


MIXED = kernel_index(
    "concatenation"
)  # it writes to all rows of a call before it has read the first
BESIDE = 1  # the way of a child whose inputs lie beside each other, more than two
FED = -2  # the maker of a tensor whose rows come from outside


class Spoilt(AssertionError):
    """Somebody reads what is there no longer, or was never."""


class Play:
    """One group at work."""

    def __init__(self, group):
        self.group = group
        self.memory = {}
        self.first = [0] * len(group.tensors)
        self.made = [t.height if t.maker == -1 else 0 for t in group.tensors]
        for number, tensor in enumerate(group.tensors):
            if tensor.maker == -1:
                for y in range(tensor.height):
                    self._write(number, y)

    def _span(self, number, y):
        tensor = self.group.tensors[number]
        start = self.group.places[number] + (y - self.first[number]) * tensor.row
        return range(start, start + tensor.row)

    def _write(self, number, y):
        for i, byte in enumerate(self._span(number, y)):
            self.memory[byte] = number, y, i

    def _read(self, number, y):
        for i, byte in enumerate(self._span(number, y)):
            if self.memory.get(byte) != (number, y, i):
                raise Spoilt(f"tensor {number}, row {y}, byte {i}: {self.memory.get(byte)}")

    def run(self):
        """Run the group to its end; raise Spoilt where it does not work."""
        for child in reversed(self.group.children):
            while child.is_last and self.made[child.output] < self._height(child):
                self._make(child)
        for child in self.group.children:
            if child.is_last:
                for y in range(self._height(child)):
                    self._read(child.output, y)

    def _height(self, child):
        return self.group.tensors[child.output].height

    def inputs(self, child):
        """Return the numbers of the tensors that *child* reads."""
        return child.stack

    def _rows(self, child, number, y):
        """Return the rows of tensor *number* that row *y* of the child's output reads."""
        start = self._start(child, number, y)
        end = y * child.stride - child.pad + child.extent >> child.shift
        end = end if child.extent else start + 1
        return range(max(start, 0), min(end, self.group.tensors[number].height))

    def _start(self, child, number, y):
        if child.extent:
            return y * child.stride - child.pad >> child.shift
        above = child.stack[: child.stack.index(number)]
        return y - sum(self.group.tensors[n].height for n in above)

    def _make(self, child, wanted=0):
        """Make the next stripe of *child*; before it all that it takes.

        wanted  rows, of which those that fill no stripe come first; 0: all that there are
        """
        count = wanted % child.strip or child.strip
        while True:
            y = self.made[child.output]
            strip = range(y, min(y + count, self._height(child)))
            for number in self.inputs(child):
                reach = max([-1, *(r for y in strip for r in self._rows(child, number, y))])
                if self.made[number] <= reach:
                    self._ask(number, reach + 1 - self.made[number])
                    break
            else:
                break
        self._make_room(child.output, strip)
        self._run(child, strip)
        self.made[child.output] = strip[-1] + 1

    def _run(self, child, strip):
        """Read what the rows *strip* of *child* take, and write them."""
        is_mixed = child.kernel == MIXED
        for rows in [strip] if is_mixed else [range(y, y + 1) for y in strip]:
            self._read_for(child, rows)
            for y in rows:
                self._write(child.output, y)
            if child.height_at or is_mixed:  # it may write parts of rows before it reads others
                self._read_for(child, rows)

    def _read_for(self, child, rows):
        for y in rows:
            for number in self.inputs(child):
                for row in self._rows(child, number, y):
                    self._read(number, row)

    def _ask(self, number, wanted):
        """Have *wanted* rows of tensor *number* made, or a part of them."""
        maker = self.group.tensors[number].maker
        if maker != FED:
            self._make(self.group.children[maker], wanted)
            return
        y = self.made[number]
        self._make_room(number, range(y, y + 1))
        self._write(number, y)
        self.made[number] += 1

    def _make_room(self, number, strip):
        tensor = self.group.tensors[number]
        if strip[-1] + 1 - self.first[number] <= tensor.capacity:
            return
        users = self.group.children[tensor.first_reader : tensor.last_reader + 1]
        users = [c for c in users if number in self.inputs(c)]
        users = [c for c in users if not self._is_done(c)]
        lows = [self._start(c, number, self.made[c.output]) for c in users]
        first = max(min([strip[0], *lows]), self.first[number])
        for y in range(first, strip[0]):
            self._read(number, y)
        self.first[number] = first
        for y in range(first, strip[0]):
            self._write(number, y)
        if strip[-1] + 1 - first > tensor.capacity:
            raise Spoilt(f"tensor {number} has no room for row {strip[-1]}")

    def unfinished(self):
        """Return the children that have not made all rows."""
        return [child for child in self.group.children if not self._is_done(child)]

    def _is_done(self, child):
        return self.made[child.output] >= self._height(child)
