"""Layers that run row by row: which nodes can, and what a group of them needs.

member = member_of(operator, record)    a Member, or None where the node needs whole tensors
group = Group(first, members, wanted)   the nodes from *first* on as one, acted out

The schedule is that of firmware/tflm/groups.c: same decisions, without the bytes.
"""

from dataclasses import dataclass, replace

from tflm import layout
from tflm.arena import align_up
from tflm.ops.collect import rows

LONGEST_RECORD = 48  # words, as in groups.c
NHWC = 4
FED = -2  # what makes a tensor whose rows come from outside, as in groups.c
INT8_RANGE = (-128, 127)
MOST_IN_MEAN = 1 << 23  # positions, so that their sum is exact
MEAN = "rows_mean_s8"
_DEPTH = 4  # which of its parameters


@dataclass(frozen=True)
class Rows:
    """A tensor as rows: how many, and the bytes of one."""

    height: int
    nbytes: int
    width: int


@dataclass
class Member:
    """A node that can make its output some rows at a time.

    inputs, output  tensors;  shapes  {tensor: Rows}
    at  where in the record: "inputs" (a list), "output"; "height", "outputs", "pad" or "count",
        "first"
    elements  of a row, where the node is element-wise
    mean  the parameters of rows_mean_s8, where the node is a mean over all rows: its output is
          made once, so a row of it has no bytes, and the group ends there
    stride, pad, extent  row y of the output reads the input's from y * stride - pad on
    strip  rows of the output in one call;  products  of the whole node
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
    strip: int = 1
    products: int = 0
    mean: tuple = ()

    @property
    def own_bytes(self):
        """What it keeps in the group's scratch from call to call."""
        return layout.WORD * self.mean[_DEPTH] if self.mean else 0

    @property
    def height(self):
        return self.shapes[self.output].height

    def low(self, y):
        return max(0, y * self.stride - self.pad)

    def end(self, last, tensor):
        """Return behind which row of the input *tensor* row *last* of the output reads none."""
        return min(self.shapes[tensor].height, last * self.stride - self.pad + self.extent)


def member_of(operator, record):
    """Return the Member that *operator* with the snapshot's *record* is, or None."""
    row = rows().kernels[record.kernel]
    kinds = {"windows": _image, "pools": _image, "elements": _elements, "broadcast": _broadcast}
    kinds["mean"] = lambda *_: False  # where _mean() has refused it
    kind = kinds.get(row.slices.split(" ")[0])
    if kind is None or len(record.args) + len(record.words) > LONGEST_RECORD:
        return None
    graph, (output,) = operator.subgraph, operator.outputs
    inputs = [i for i in operator.inputs if i >= 0 and not graph.tensor(i).is_constant]
    mean = _mean(operator, row, record) if len(inputs) == 1 else None
    if mean:
        return mean
    shapes = {i: _rows(graph.tensor(i)) for i in {*inputs, output}}
    if None in shapes.values() or not inputs or output << 2 not in record.args:
        return None
    places = [i for i, arg in enumerate(record.args) if arg in [t << 2 for t in inputs]]
    at = {"inputs": places, "output": record.args.index(output << 2)}
    member = Member(operator.index, tuple(record.args[i] >> 2 for i in places), output, shapes, at)
    member.strip = 2 if shapes[output].width % 2 and member.height > 1 else 1
    names = dict(zip(row.fields, range(len(record.args), LONGEST_RECORD), strict=False))
    return member if kind(member, row, record, names) else None


def _rows(info):
    """Return the Rows of the tensor *info*, None where it is no image."""
    shape = info.shape
    if len(shape) != NHWC or shape[0] != 1 or info.is_variable or not info.nbytes:
        return None
    return Rows(shape[1], info.nbytes // shape[1], shape[2])


def _mean(operator, row, record):
    """Return the Member that adds up the rows of an image, where the node is its mean."""
    graph, data = operator.subgraph, operator.inputs[0]
    image, values = _rows(graph.tensor(data)), dict(zip(row.fields, record.words, strict=False))
    if image is None or image.height == 1 or len(record.args) != 1 + 1:
        return None
    width, depth = image.width, image.nbytes // image.width
    if row.name == "mean_s8":
        scaled = [values[name] for name in ("multiplier", "shift", "bias", "output_offset")]
        how = [0, *scaled, *INT8_RANGE]
        is_whole = list(record.words[4:]) == [1, 1, depth, 1, image.height * width, depth]
    elif row.name == "average_pool_2d_s8":
        limits = values["activation_min"], values["activation_max"]
        how = [image.height * width, 0, 0, 0, 0, *limits]
        is_whole = values["output_height"] == values["output_width"] == 1
        is_whole &= values["filter_height"] - values["pad_top"] >= image.height
        is_whole &= values["filter_width"] - values["pad_left"] >= width
    else:
        return None
    if not is_whole or image.height * width >= MOST_IN_MEAN:
        return None
    fields, refs = rows().kernel(MEAN).fields, 1 + 1 + 1
    at = {"inputs": [0], "output": 1}
    at.update(count=refs + fields.index("rows"), first=refs + fields.index("first"))
    output = operator.outputs[0]
    shapes = {data: image, output: Rows(image.height, 0, 0)}
    member = Member(operator.index, (data,), output, shapes, at, elements=1)
    member.mean = (0, 0, image.height, width, depth, *how)
    member.strip = min(2 if width % 2 else 1, image.height)
    member.products = graph.tensor(data).nbytes
    return member


def _image(member, row, record, names):
    values = dict(zip(row.fields, record.words, strict=True))
    member.at.update(
        height=names["input_height"], outputs=names["output_height"], pad=names["pad_top"]
    )
    member.stride, member.pad = values["stride_height"], values["pad_top"]
    member.extent = (values["filter_height"] - 1) * values.get("dilation_height", 1) + 1
    taps = values["filter_height"] * values["filter_width"] * values.get("filter_depth", 1)
    depth = values.get("output_depth", values.get("depth"))
    member.products = member.height * values["output_width"] * depth * taps
    # What a kernel makes of its filter in each call, it would make for each strip.
    is_ready = "filter" not in row.arguments or row.name.endswith("_f32")
    is_ready |= any(isinstance(arg, bytes) for arg in record.args)
    return is_ready and member.at["inputs"] == [0] and values["batches"] == 1


def _elements(member, row, record, names):
    member.products, member.at["count"] = record.words[0], names[row.fields[0]]
    return member.at["inputs"] == [0] and _is_even(member)


def _broadcast(member, row, record, names):
    """Both inputs element by element, or one of them a constant number."""
    dims = list(record.words[len(row.fields) - 1 :])
    steps = [int(place in member.at["inputs"]) for place in (0, 1)]
    member.products, member.at["count"] = dims[0], names[row.fields[-1]]
    return dims[1:] == steps and _is_even(member)


def _is_even(member):
    """Tell whether row y of the output comes of row y of each input; note a row's elements."""
    member.elements, rest = divmod(member.products, member.height)
    return rest == 0 and len({shape.height for shape in member.shapes.values()}) == 1


class Group:
    """Nodes that run as one.

    members  in order;  first, last  nodes
    fed  a tensor that it reads, whose rows come from outside one by one; None: there is none
    tensors  what it reads, that one first, then what its members make, in order
    inputs, outputs  those of them that have a place of their own
    capacity  {tensor: rows that it needs room for}, of the others
    distances  {(output, input): bytes}, of the memory plan
    apart  {tensor, or -1 - node of a member: bits}: which tensors hold rows that are still
        needed while that one is made, or this member runs; bit[tensor] is a tensor's
    calls  of kernels
    """

    def __init__(self, members, wanted, fed=None):
        """*wanted*: tensors that others than *members* read, or that are the model's outputs."""
        self.members = members
        self.fed = fed
        self.first, self.last = members[0].node, members[-1].node
        self._maker = {member.output: member for member in members}
        read = [t for member in members for t in member.inputs if t not in self._maker]
        self.inputs = [t for t in dict.fromkeys(read) if t != fed]
        self.outputs = [t for t in self._maker if t in wanted]
        given = [] if fed is None else [fed]
        self._made = given + list(self._maker)  # row by row
        self.tensors = [*given, *self.inputs, *self._maker]
        self.shapes = {t: shape for member in members for t, shape in member.shapes.items()}
        self._users = {
            t: [member for member in members if t in member.inputs] for t in self.tensors
        }
        self.capacity = {t: 0 for t in self._made if t not in self.outputs}
        self.distances = {
            (o, t): -align_up(self.nbytes(t)) for o in self.outputs for t in self.inputs
        }
        self.calls = 0
        self.bit = {t: 1 << i for i, t in enumerate(self.tensors)}
        self.apart = dict.fromkeys([*self.capacity, *(-1 - m.node for m in members)], 0)
        self.schedule()

    def with_strip_doubled(self, i):
        """Return this group with calls of member *i* that make twice the rows."""
        members = list(self.members)
        strip = min(2 * members[i].strip, members[i].height)
        members[i] = replace(members[i], strip=strip)
        return Group(members, self.outputs, self.fed)

    def neighbours(self, i):
        """Return the numbers of member *i*, of those that it reads, and of those that read it."""
        one = self.members[i]
        return [
            k
            for k, other in enumerate(self.members)
            if k == i or other.output in one.inputs or one.output in other.inputs
        ]

    def nbytes(self, tensor):
        shape = self.shapes[tensor]
        return shape.height * shape.nbytes

    def maker_number(self, tensor):
        """Return the number of the member that makes *tensor*, -1 where none does; FED."""
        if tensor == self.fed:
            return FED
        return self.members.index(self._maker[tensor]) if tensor in self._maker else -1

    def reader_numbers(self, tensor):
        """Return the numbers of the first and the last member that read *tensor*; (1, 0): none."""
        numbers = [self.members.index(member) for member in self._users[tensor]]
        return (min(numbers), max(numbers)) if numbers else (1, 0)

    def schedule(self):
        """Act the group out, to find the capacities and distances."""
        made = {t: 0 if t in self._made else self.shapes[t].height for t in self.tensors}
        needed = {t: self._needed(t, made) for t in self.tensors}
        live = 0
        for member, strip in self._turns(made):
            output = self.fed if member is None else member.output
            self._note(member, output, strip, made, needed[output])
            live |= self.bit[output]
            if output in self.apart:
                self.apart[output] |= live
            if member is not None:
                self.apart[-1 - member.node] |= live
                self.calls += 1
            made[output] += strip
            read = member.inputs if member else ()
            for tensor in read:
                needed[tensor] = self._needed(tensor, made)
            for tensor in (output, *read):
                if needed[tensor] >= made[tensor]:
                    live &= ~self.bit[tensor]

    def _turns(self, made):
        """Yield the member that runs next, and its rows; None: a row is fed. The caller counts.

        Who waits for rows of another one waits below it on a stack.
        """
        for goal in reversed([self._maker[t] for t in self.outputs]):
            while made[goal.output] < goal.height:
                waiting = [(goal, min(goal.strip, goal.height - made[goal.output]))]
                while waiting:
                    member, strip = waiting[-1]
                    tensor, wanted = self._missing(member, strip, made)
                    if not wanted:
                        yield waiting.pop()
                    elif tensor == self.fed:
                        yield None, 1
                    else:
                        maker = self._maker[tensor]
                        waiting.append((maker, min(maker.strip, wanted)))

    def _missing(self, member, strip, made):
        """Return the first input that lacks rows for *strip* rows of *member*, and how many."""
        last = made[member.output] + strip - 1
        for tensor in member.inputs:
            wanted = member.end(last, tensor) - made[tensor]
            if wanted > 0:
                return tensor, wanted
        return None, 0

    def _needed(self, tensor, made):
        """Return the first row of *tensor* that is still to be read; its height: none."""
        lows = [u.low(made[u.output]) for u in self._users[tensor] if made[u.output] < u.height]
        return min([self.shapes[tensor].height, *lows])

    def _note(self, member, output, strip, made, needed):
        """Note what *strip* rows more of *output* take; *needed*: the first row to be read."""
        if output in self.capacity:
            kept = made[output] - min(needed, made[output])
            self.capacity[output] = max(self.capacity[output], kept + strip)
            return
        row = self.shapes[output].nbytes
        for tensor in self.inputs:
            late = self._late(member, strip, made, tensor, row)
            self.distances[output, tensor] = max(self.distances[output, tensor], late)

    def _late(self, member, strip, made, tensor, row):
        """Return by how many bytes *member*'s next strip outruns the first unread of *tensor*."""
        first, width = made[member.output], self.shapes[tensor].nbytes
        others = [u for u in self._users[tensor] if u is not member]
        lows = [u.low(made[u.output]) for u in others if made[u.output] < u.height]
        late, written = -align_up(self.nbytes(tensor)), (first + strip) * row
        if member.mean:  # which writes everything at the end, when it has read all
            written = member.mean[_DEPTH]
            lows = lows if first + strip == member.height else []
        if lows:
            late = written - min(lows) * width
        if tensor in member.inputs and not member.mean:
            for y in range(first, first + strip):
                # Element by element, each is read before its result is written.
                ahead = 0 if member.elements and row == width else 1
                late = max(late, (y + ahead) * row - member.low(y) * width)
        return late
