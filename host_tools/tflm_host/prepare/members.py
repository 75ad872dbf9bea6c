"""Which nodes can be fused, and how rows of their outputs depend on rows of their inputs.

member = member_of(operator, words, images)    a Member, None if the node needs whole tensors
"""

from itertools import accumulate
from math import prod

import numpy as np

from tflm.ops.collect import rows

from . import resized
from .ends import end_of
from .member import NHWC, Member

LONGEST_RECORD = 48  # words, as in groups.c
LONGEST_EXTENT = 0x7FFF
PAD = "rows_pad"
STACK = "rows_stack"
MOST_INPUTS = 2  # as in groups.c


def member_of(operator, record, images):
    """Return the Member that *operator* with the snapshot's *record* is, or None.

    images  the member.Images of its subgraph
    """
    end = end_of(operator, record, images)
    if end:
        return end
    row = rows().kernels[record.kernel]
    kind = _KINDS.get(row.name) or _KINDS.get(row.slices.split(" ")[0])
    if kind is None or len(record.args) + len(record.words) > LONGEST_RECORD:
        return None
    if len(operator.outputs) != 1:
        return None  # ASSIGN_VARIABLE copies, too, and has none
    graph, (output,) = operator.subgraph, operator.outputs
    inputs = [i for i in operator.inputs if i >= 0 and not graph.tensor(i).is_constant]
    shapes = {i: images.rows_of(i) for i in {*inputs, output}}
    if None in shapes.values() or not inputs or output << 2 not in record.args:
        return None
    places = [i for i, arg in enumerate(record.args) if arg in [t << 2 for t in inputs]]
    at = {"inputs": places, "output": record.args.index(output << 2)}
    member = Member(operator.index, tuple(record.args[i] >> 2 for i in places), output, shapes, at)
    member.strip = 2 if shapes[output].width % 2 and member.height > 1 else 1
    names = dict(zip(row.fields, range(len(record.args), LONGEST_RECORD), strict=False))
    is_one = kind(member, operator, record, names)
    return member if is_one and member.extent <= LONGEST_EXTENT else None


def _image(member, _operator, record, names):
    row = rows().kernels[record.kernel]
    values = dict(zip(row.fields, record.words, strict=True))
    member.at.update(
        height=names["input_height"], outputs=names["output_height"], pad=names["pad_top"]
    )
    member.stride, member.pad = values["stride_height"], values["pad_top"]
    member.extent = (values["filter_height"] - 1) * values.get("dilation_height", 1) + 1
    taps = values["filter_height"] * values["filter_width"] * values.get("filter_depth", 1)
    depth = values.get("output_depth", values.get("depth"))
    member.products = member.height * values["output_width"] * depth * taps
    if values.get("depth_multiplier", 1) > 1 and taps != _IN_PLACE:
        member.turned = taps * depth
    is_int8 = row.name in ("conv_2d_s8", "depthwise_conv_2d_s8")
    if is_int8 and not any(isinstance(arg, bytes) for arg in record.args):
        member.constants = depth
    # Other kernels pack their filters in each call, so they would do so for each stripe.
    is_ready = is_int8 or "filter" not in row.arguments or row.name.endswith("_f32")
    return is_ready and member.at["inputs"] == [0] and values["batches"] == 1


_IN_PLACE = 3 * 3  # taps of a filter of several channels an input that are taken as they lie


def _elements(member, _operator, record, names):
    member.products, member.at["count"] = record.words[0], next(iter(names.values()))
    return member.at["inputs"] == [0] and _is_even(member, member.products)


def _broadcast(member, operator, record, names):
    """Images whose rows lie below each other; constants are equal for every row."""
    graph, (count, *steps) = operator.subgraph, record.words[len(names) - 1 :][: 1 + MOST_INPUTS]
    member.products, member.at["count"] = prod(graph.tensor(member.output).shape), names["dims[]"]
    if not _is_even(member, count):
        return False
    for place, step in enumerate(steps):
        data = graph.tensor(record.args[place] >> 2)
        row = member.elements * step * data.nbytes // prod(data.shape)
        if row != (member.shapes[data.index].nbytes if place in member.at["inputs"] else 0):
            return False
    return True


def _is_even(member, count):
    """Return whether row y of the output comes from row y of each input; note a row's elements.

    count  of elements, which the parameters have in place of rows
    """
    member.elements, rest = divmod(count, member.height)
    return rest == 0 and len({shape.height for shape in member.shapes.values()}) == 1


def _concatenation(member, _operator, record, names):
    """Images beside each other, along columns or channels, or below each other."""
    outer, count = record.words[:2]
    heights = [member.shapes[t].height for t in member.inputs]
    if len(member.inputs) == count and sum(heights) == member.height and len({*heights, 0}) > 1:
        return _stack(member, heights, record)
    member.products, member.at["count"] = outer, names["outer"]
    member.is_mixed, member.is_listed = True, count > MOST_INPUTS
    if member.is_listed:
        member.stand_in = "concatenation", record.words
    is_short = len(record.args) + len(record.words) + count <= LONGEST_RECORD
    return is_short and len(member.inputs) == count and _is_even(member, outer)


def _stack(member, heights, record):
    rows = member.shapes[member.output]
    member.starts = dict(zip(member.inputs, accumulate(heights, initial=0), strict=False))
    member.at.update(inputs=[0], output=1, count=1 + 1)
    # The snapshot knows the numbers of the tensors in the group, which it adds.
    member.stand_in, member.is_listed = (STACK, (0, len(heights))), True
    member.args = record.args[0], record.args[-1]
    member.strip, member.elements, member.products = 1, rows.nbytes, rows.height * rows.nbytes
    return len(member.starts) == len(heights) and _has_rows_of(rows, member)


def _has_rows_of(rows, member):
    """Tell whether the rows of all inputs are as long as *rows*."""
    return {member.shapes[t].nbytes for t in member.inputs} == {rows.nbytes}


def _part(member, _operator, record, names):
    """Some rows of an image, or all of them, in one piece."""
    rows, dims = member.shapes[member.output], names.get("dims[]")
    start = record.words[names["start"] - len(record.args)] if dims else 0
    extents = record.words[dims - len(record.args) :: 2] if dims else ()
    first, rest = divmod(start, rows.nbytes)
    member.stand_in, member.pad = ("copy", (0,)), -first
    member.at["count"] = len(record.args)
    member.elements, member.products = rows.nbytes, rows.height * rows.nbytes
    fits = rest == 0 and {*extents} <= {1} and _has_rows_of(rows, member)
    return fits and len(record.args) == 1 + 1 and member.at["inputs"] == [0]


def _padding(member, operator, record, _names):
    """An image with something around its rows, its columns and its channels."""
    graph, (data, amounts, *_) = operator.subgraph, operator.inputs
    place, (_, _, width, depth) = graph.tensor(amounts).data, graph.tensor(data).shape
    sides = np.frombuffer(graph.model.buf, "<i4", 2 * NHWC, place).reshape(NHWC, 2).tolist()
    pixel = member.shapes[data].nbytes // width
    (above, _), (left, right), channels = sides[1:]
    before, after = (n * pixel // depth for n in channels)
    dims = [left, width, right, before, pixel, after]
    if not before + after:
        dims = [n * pixel for n in dims[:3]]
    kernel = rows().kernel(PAD)
    names = dict(zip(kernel.fields, range(len(record.args), LONGEST_RECORD), strict=False))
    member.at.update(height=names["height"], outputs=names["outputs"], pad=names["pad"])
    member.stand_in = PAD, (record.words[0], 0, 0, 0, len(dims) // 3, *dims)
    member.pad, member.products = above, member.height * member.shapes[member.output].nbytes
    return member.at["inputs"] == [0]


# By the name of a kernel, or by how its nodes are divided.
_KINDS = {
    "windows": _image,
    "pools": _image,
    "elements": _elements,
    "broadcast": _broadcast,
    "concatenation": _concatenation,
    "pad_s8": _padding,
    "copy": _part,
    "strided": _part,
    **resized.KINDS,
}
