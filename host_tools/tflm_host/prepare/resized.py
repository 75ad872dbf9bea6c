"""Members that make images of another size: RESIZE and TRANSPOSE_CONV. See members.py."""

from tflm.ops.collect import rows

NEAREST = "rows_nearest"
MOST_SHIFT = 14  # so that a row fits the 16 bits of an extent
ONE = 10  # the logarithm of one row in the parameters of RESIZE_BILINEAR
BYTE = 0xFF


def nearest(member, _operator, record, _names):
    """Each row is one of the input's, its pixels some of that one's."""
    fields = rows().kernels[record.kernel].fields
    values = dict(zip(fields, record.words, strict=False))  # the array has no name
    size = [values[name] for name in ("output_height", "output_width")]
    steps = [word >> 8 * k & BYTE for word in record.words[len(fields) - 1 :] for k in range(4)]
    down = _line(steps[: size[0]], values["input_height"])
    across = _line(steps[size[0] : sum(size)], values["input_width"])
    if values["batches"] != 1 or down is None or across is None:
        return False
    member.stride, member.pad, member.shift = down
    member.extent = 1 << member.shift
    pixel = values["pixel"]
    how = *down, *across, values["input_width"] * pixel, size[1], pixel
    names = rows().kernel(NEAREST).fields
    member.stand_in, member.elements = (NEAREST, (0, 0, *how)), 1
    member.at.update({as_: len(record.args) + names.index(name) for as_, name in _COUNTED})
    member.products = member.height * member.shapes[member.output].nbytes
    return member.at["inputs"] == [0]


_COUNTED = (("count", "rows"), ("first", "first"))


def _line(steps, size):
    """Return (step, start, shift) where the place of output i is (i * step - start) >> shift.

    steps  from each place to the next;  size  of the input
    None where no line of few bits gives all places.
    """
    places = [sum(steps[: i + 1]) for i in range(len(steps))]
    for shift in range(MOST_SHIFT + 1):
        slopes = {size / len(places), (size - 1) / max(len(places) - 1, 1)}
        for step in {int((slope * (1 << shift)) + up) for slope in slopes for up in (0, 1)}:
            start = min(i * step - (place << shift) for i, place in enumerate(places))
            if all(i * step - start >> shift == place for i, place in enumerate(places)):
                return step, start, shift
    return None


def bilinear(member, _operator, record, names):
    """A row is between two of the input's, or one of them."""
    values = dict(zip(rows().kernels[record.kernel].fields, record.words, strict=True))
    member.stride, member.pad = values["step_height"], -values["start_height"]
    member.shift, member.extent = ONE, 2 << ONE
    words = values | {"start_height": 0}
    member.products = 4 * member.height * member.shapes[member.output].nbytes
    # A place behind the image, which growing some 50 times gives, has no row of its own.
    last = (member.height - 1) * member.stride - member.pad >> member.shift
    is_inside = last < values["input_height"]
    return is_inside and _grows(member, record, names, words, "start_height")


def transposed(member, operator, record, names):
    """A row collects the taps of some rows: of strides that are powers of two."""
    values = dict(zip(rows().kernels[record.kernel].fields, record.words, strict=True))
    stride, taps = values["stride_height"], values["filter_height"]
    member.shift, member.extent = stride.bit_length() - 1, max(taps, stride)
    above = member.extent - stride  # of an output whose first row reads the input's from row 0 on
    member.pad = above - values["pad_top"]
    count = taps * values["filter_width"] * values["input_depth"] * values["output_depth"]
    image = operator.subgraph.tensor(operator.inputs[2])
    member.products = count * image.elements // max(values["input_depth"], 1)
    member.constants = values["output_depth"]
    is_power = stride == 1 << member.shift
    return is_power and _grows(member, record, names, values | {"pad_top": above}, "pad_top")


def _grows(member, record, names, words, pad):
    """Make parameter *pad* of *words* grow with the row; return whether that works."""
    member.is_onward = True
    member.stand_in = rows().kernels[record.kernel].name, tuple(words.values())
    member.at.update(height=names["input_height"], outputs=names["output_height"], pad=names[pad])
    return member.at["inputs"] == [0] and words["batches"] == 1


KINDS = {
    "resize_nearest": nearest,
    "resize_bilinear_s8": bilinear,
    "transpose_conv_s8": transposed,
}
