"""Snapshots of prepared models by hand, to look at both sides of each limit of fence.c.

Only what the fence reads is there: a header, its tables, and operator parameters.
"""

import struct
from dataclasses import dataclass, field

from support.reference.group_judge import CHILD
from tflm.base import layout
from tflm.ops.index import kernel_index
from tflm.run.prepared import HEADER, HEADER_BYTES
from tflm_host.prepare.snapshot import rows

ARENA = 64  # bytes
TABLES = {"nodes": 2, "tensors": 1, "variables": 4, "scratch": 4, "kernels": 2}  # words of a row
BAD = -7  # as a word of any table and of operator parameters: no sound value


@dataclass
class Node:
    """A node; its parameters *words* follow the tagged offsets *refs*.

    kernel   by name, or by number
    counted  how many tagged offsets its entry says, where not as many as *refs*
    record   the tagged offset of its parameters, where not what it is
    """

    kernel: object
    refs: list
    words: list
    counted: int = None
    record: int = None


@dataclass
class Snapshot:
    """What is in the file; without more, one sound node.

    named   kernels, by name, number or (number, form), that the snapshot says it needs; those of
            the nodes
    header  {name of a table: (count, position)} in place of the right ones
    last    what lies at the end of the file: one of TABLES, or "records"
    behind  words behind everything
    is_group_last  whether the parameters of nodes lie behind those of children, not before
    """

    nodes: list = field(default_factory=lambda: [Node("copy", [0, 0], [16])])
    records: list = field(default_factory=list)  # of children: words, where a Node is
    tensors: list = field(default_factory=list)
    variables: list = field(default_factory=list)
    scratch: list = field(default_factory=list)
    named: list = None
    header: dict = field(default_factory=dict)
    last: str = "records"
    behind: list = field(default_factory=list)
    is_group_last: bool = False
    arena: int = ARENA

    def file(self):
        """Return the bytes of the file, whose header is at its start."""
        kernels = self.named
        if kernels is None:
            kernels = [node.kernel for node in (*self.nodes, *self.records)]
        lengths = {"records": sum(map(_length, (*self.nodes, *self.records)))}
        lengths["nodes"] = 2 * len(self.nodes)
        lengths["kernels"] = 2 * len(kernels)
        for name in ("tensors", "variables", "scratch"):
            lengths[name] = len(getattr(self, name))
        order = sorted(lengths, key=lambda name: name == self.last)
        places, at = {}, HEADER_BYTES
        for name in order:
            places[name] = at
            at += 4 * lengths[name]
        entries, records = self._records(places["records"])
        parts = {
            "records": records,
            "nodes": b"".join(entries[: len(self.nodes)]),
            "kernels": b"".join(struct.pack("<ii", *form_of(kernel)) for kernel in kernels),
        }
        for name in ("tensors", "variables", "scratch"):
            words = getattr(self, name)
            parts[name] = struct.pack(f"<{len(words)}i", *words)
        pairs = []
        for name, words in TABLES.items():
            right = lengths[name] // words, places[name]
            pairs += self.header.get(name, right)
        head = struct.pack(HEADER, b"TFLs", 0, 0, b"", 0, self.arena, *pairs, 0)
        behind = struct.pack(f"<{len(self.behind)}i", *self.behind)
        return head + b"".join(parts[name] for name in order) + behind

    def _records(self, at):
        """Return the entries of nodes and children, and the bytes of their parameters."""
        entries, parts, starts = {}, {}, {}
        whole = [*self.nodes, *self.records]
        order = [*range(len(whole))]
        if self.is_group_last:
            order = order[len(self.nodes) :] + order[: len(self.nodes)]
        for number in order:
            starts[number] = at
            at += 4 * _length(whole[number])
        for number in reversed(range(len(whole))):  # a group says where its children are
            node = whole[number]
            place = starts[number] << 1 | layout.MODEL if node.record is None else node.record
            count = len(node.refs) if node.counted is None else node.counted
            entries[number] = struct.pack(
                layout.NODE_FORMAT, form_of(node.kernel)[0] & 0xFFFF, count, place
            )
            words = []
            for word in node.words:
                is_child = isinstance(word, Child)
                words += word.words(entries[len(self.nodes) + word.record]) if is_child else [word]
            record = [*node.refs, *words]
            parts[number] = struct.pack(f"<{len(record)}i", *record)
        return [entries[i] for i in range(len(whole))], b"".join(parts[i] for i in order)


def _length(node):
    words = sum(10 if isinstance(word, Child) else 1 for word in node.words)
    return len(node.refs) + words


@dataclass
class Child:
    """A child of a group; `record` is its number among the records of the snapshot."""

    record: int = 0
    length: int = 3
    output: int = 1
    inputs: tuple = (0, 255)
    output_at: int = 1
    inputs_at: tuple = (0, 255)
    is_last: int = 1
    height_at: int = 0
    outputs_at: int = 0
    pad_at: int = 0
    count_at: int = 0
    strip: int = 1
    extent: int = 1
    shift: int = 0
    way: int = 0

    def words(self, entry):
        places = self.height_at, self.outputs_at, self.pad_at, self.count_at
        facts = struct.pack(
            CHILD,
            *struct.unpack(layout.NODE_FORMAT, entry),
            *(self.length, self.output, *self.inputs, self.output_at, *self.inputs_at),
            *(self.is_last, *places, 1, self.strip, 1, 0, self.extent, self.shift, self.way),
        )
        return struct.unpack("<10i", facts)


def form_of(kernel):
    """Return the number of *kernel*, a name or a number, and the form of its parameters."""
    if isinstance(kernel, tuple):
        return kernel
    number = kernel_index(kernel) if isinstance(kernel, str) else kernel
    kernels = rows().kernels
    return number, kernels[number].form if 0 <= number < len(kernels) else 1


def images(*makers, last_reader=0):
    """Return the words of a group's tensors with these *makers*."""
    words = []
    for maker in makers:
        (who,) = struct.unpack("<i", struct.pack("<hBB", maker, 0, last_reader))
        words += [4, 4, 4, who]
    return words
