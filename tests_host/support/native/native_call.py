"""Calls one kernel of the C library through the runner: arena, model, parameters, node table.

Arguments that a kernel may find in the model (all but int8 inputs of odd index) lie there in
turn, `raw` ones at any alignment. Every argument has guard bytes around it.
"""

import struct

import _tflm
from tflm.base import layout
from tflm.ops.collect import rows
from tflm.ops.index import kernel_index

GUARD = 16
FILL = 0xA5


def run_nodes(arena, model, table, first, last):
    """Run nodes first..last-1 of the node table at byte *table* of the arena.

    Returns the first that was not run.
    """
    return last - _tflm.Graph(arena, model, 2 * table, last)(first)


class Space:
    """The arena or the model while it is filled: bytes, and tagged offsets of parts."""

    def __init__(self, number):
        self.number = number
        self.data = bytearray([FILL]) * GUARD

    def place(self, data, shift=0):
        """Append *data*, *shift* bytes past a multiple of 16; return its tagged offset."""
        offset = (len(self.data) + layout.ALIGNMENT - 1) // layout.ALIGNMENT * layout.ALIGNMENT
        offset += shift
        self.data += bytes([FILL]) * (offset - len(self.data))
        self.data += data + bytes([FILL]) * GUARD
        return offset << 1 | self.number


class Call:
    """A node table of one node, ready to run: inputs are bytes, b"" where absent."""

    def __init__(self, name, record, inputs, outputs, shift=0):
        self.kernel = kernel_index(name)
        self.arena, self.model = Space(layout.ARENA), Space(layout.MODEL)
        signature = rows().kernels[self.kernel].arguments.replace("->", ",")
        types = [argument.split()[0] for argument in signature.split(",")]
        if types[0] == "...":
            types = ["bytes"] * len(inputs[0]) + types[1:]
            inputs = inputs[0]
        elif types[-1] == "...":
            types = types[:1] + ["bytes"] * len(outputs)
        refs = []
        for i, data in enumerate(inputs):
            space = self.arena if i % 2 else self.model
            refs.append(
                space.place(data, shift * types[i].startswith("raw")) if data else layout.ABSENT
            )
        self.output_refs = [
            self.arena.place(data, shift * kind.startswith("raw"))
            for data, kind in zip(outputs, types[len(inputs) :], strict=True)
        ]
        self.sizes = [len(data) for data in outputs]
        self.refs = refs + self.output_refs
        node = self.arena.place(struct.pack(f"<{len(self.refs)}i", *self.refs) + record)
        entry = struct.pack(layout.NODE_FORMAT, self.kernel, len(self.refs), node)
        self.table = self.arena.place(entry) >> 1

    def run(self, run):
        """Run the node with *run* (run_nodes, or what wraps it); return the outputs' bytes."""
        before = bytes(self.arena.data)
        model = bytes(self.model.data)
        ran = 0 if self.kernel == kernel_index("circular_every") else 1  # Python says what follows
        assert run(self.arena.data, model, self.table, 0, 1) == ran
        after = bytearray(self.arena.data)
        results = []
        for ref, size in zip(self.output_refs, self.sizes, strict=True):
            start = ref >> 1
            results.append(bytes(after[start : start + size]))
            after[start : start + size] = before[start : start + size]
        assert after == before, "the kernel wrote outside its outputs"
        return results
