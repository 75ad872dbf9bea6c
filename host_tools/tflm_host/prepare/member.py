"""A node that can be fused, and the rows of its tensors: see members.py."""

import struct
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from tflm.base import layout

from .channels import RESHAPE
from .group_record import child_words

NHWC = 4
SQUEEZE, EXPAND_DIMS = 43, 70  # builtin codes
COPIES = {RESHAPE, SQUEEZE, EXPAND_DIMS}


@dataclass(frozen=True)
class Rows:
    """A tensor as rows: how many, and the bytes of one."""

    height: int
    nbytes: int
    width: int


class Images:
    """The tensors of a subgraph as rows. Each is examined once: a model may have 1,000 nodes."""

    def __init__(self, graph):
        self._graph = graph
        self._sources = {}  # {output of a copying operator: its input}
        self._found = {}  # {tensor: its Rows or None}
        for operator in graph.operators():
            if operator.builtin in COPIES:
                for output in operator.outputs:
                    self._sources.setdefault(output, operator.inputs[0])

    def rows_of(self, tensor):
        """Return the Rows of *tensor*, None where it is no image.

        A copy of an image has the image's rows, whatever its shape.
        """
        first, copies = tensor, []
        while tensor not in self._found:
            self._found[tensor] = self._own_rows(tensor)
            if self._found[tensor] or tensor not in self._sources or not self._is_plain(tensor):
                break
            copies.append(tensor)
            tensor = self._sources[tensor]
        image = self._found[tensor]
        for copy in copies if image else ():
            self._found[copy] = Rows(image.height, image.nbytes, 0)
        return self._found[first]

    def _own_rows(self, tensor):
        info = self._graph.tensor(tensor)
        shape = info.shape
        is_image = len(shape) == NHWC and shape[0] == 1 and self._is_plain(tensor)
        return Rows(shape[1], info.nbytes // shape[1], shape[2]) if is_image else None

    def _is_plain(self, tensor):
        info = self._graph.tensor(tensor)
        return info.nbytes and not info.is_variable and not info.is_constant


@dataclass
class Member:
    """A node that can make its output some rows at a time.

    inputs, output  tensors;  shapes  {tensor: Rows}
    at  indices in its parameters: "inputs" (a list), "output"; "height", "outputs", "pad" or
        "count", "first"
    elements  of a row, if the node counts elements in place of rows
    is_mixed  whether one call may write to all of its rows before it has read the first one
    stand_in  (kernel, parameters) that run in its place in a group; () for its own
    args  the arguments of `stand_in`; () for the node's own
    sums  of channels that it keeps from call to call, if the node adds up all rows, else 0. Its
          output is computed once, so a row of it has no bytes, and the group ends there
    stride, pad, extent, shift  row y of the output reads the input's rows from
          (y * stride - pad) >> shift to before (y * stride - pad + extent) >> shift
    starts  {input: the output's row that it begins with} if inputs lie below each other
    is_listed  whether the parameters have the numbers of its inputs, which may be more than two
    is_onward  whether the word at "pad" grows with the row. The parameters have its value for an
          output whose input begins with row 0
    strip  rows of a stripe, the output of one call;  products  of the whole node
    scratch  bytes of its own buffer while it runs, or None
    constants  channels whose constants each call recomputes
    turned  bytes of a filter that each call of some cores' kernels packs again
    """

    node: int
    inputs: tuple
    output: int
    shapes: dict
    at: dict
    elements: int = 0
    stride: int = 1
    pad: int = 0
    extent: int = 1
    shift: int = 0
    strip: int = 1
    products: int = 0
    scratch: int = None
    constants: int = 0
    turned: int = 0
    is_mixed: bool = False
    is_listed: bool = False
    is_onward: bool = False
    stand_in: tuple = ()
    args: tuple = ()
    sums: int = 0
    starts: dict = field(default_factory=dict)

    @property
    def own_bytes(self):
        """The bytes that it keeps in the group's scratch from call to call."""
        return layout.WORD * self.sums

    @cached_property
    def height(self):
        return self.shapes[self.output].height

    @cached_property
    def wasted(self):
        """Products of the pairs of positions that are cut in two, where kernels take pairs."""
        rows = self.shapes[self.output]
        if not rows.width * self.strip % 2:
            return 0
        return -(-rows.height // self.strip) * self.products // (rows.width * rows.height)

    @property
    def longest(self):
        """The most rows of a stripe."""
        return 1 if self.starts else self.height

    @cached_property
    def asked(self):
        """Its words for groups_plan.c, in bytes, which are equal in every group."""
        tensors = self.output, *self.inputs
        output, *images = [(t, self.shapes[t].height, self.shapes[t].nbytes) for t in tensors]
        scratch = -1 if self.scratch is None else self.scratch
        words = *child_words(self), self.node, scratch, *output
        words += self.sums, self.is_mixed, len(images), *chain(*images)
        return struct.pack(f"<{len(words)}i", *words)
