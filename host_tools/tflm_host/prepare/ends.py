"""The last members of fused layers, which add up rows as they come. See members.py."""

import struct

from tflm.ops.collect import rows

from .member import Member, Rows

INT8_RANGE = (-128, 127)
MOST_IN_MEAN = 1 << 23  # positions, so that their sum is exact
MEAN = "rows_mean_s8"
DENSE = "rows_dense_s8"


def end_of(operator, record, images):
    """Return the Member that *operator* with the snapshot's *record* is, None where it is none."""
    row = rows().kernels[record.kernel]
    values = dict(zip(row.fields, record.words, strict=False))
    data = operator.inputs[0] if operator.inputs else -1
    image = images.rows_of(data) if row.name in _KINDS and data >= 0 else None
    if image is None or image.height == 1:
        return None
    output = operator.outputs[0]
    shapes = {data: image, output: Rows(image.height, 0, 0)}
    member = Member(operator.index, (data,), output, shapes, {}, elements=1)
    return member if _KINDS[row.name](member, operator, record, values) else None


def _set(member, name, args, words):
    """Let the kernel *name* run with the arguments *args*, and parameters that begin with *words*.

    Its last argument are the sums, which the snapshot adds.
    """
    kernel = rows().kernel(name)
    member.args, refs = args, len(args) + 1
    member.at.update(inputs=[0], output=len(args) - 1)
    member.at.update({key: refs + kernel.fields.index(field) for key, field in _COUNTED})
    member.stand_in = name, tuple(words)


_COUNTED = (("count", "rows"), ("first", "first"))


def _average(member, operator, record, values):
    """The mean as AVERAGE_POOL_2D has it."""
    image = member.shapes[member.inputs[0]]
    is_whole = values["output_height"] == values["output_width"] == 1
    is_whole &= values["filter_height"] - values["pad_top"] >= image.height
    is_whole &= values["filter_width"] - values["pad_left"] >= image.width
    limits = values["activation_min"], values["activation_max"]
    how = [image.height * image.width, 0, 0, 0, 0, *limits]
    return is_whole and _add_up(member, operator, record, how)


def _mean(member, operator, record, values):
    image = member.shapes[member.inputs[0]]
    depth = image.nbytes // max(image.width, 1)
    scaled = [values[name] for name in ("multiplier", "shift", "bias", "output_offset")]
    whole = [1, 1, depth, 1, image.height * image.width, depth]
    is_whole = list(record.words[len(scaled) :]) == whole
    return is_whole and _add_up(member, operator, record, [0, *scaled, *INT8_RANGE])


def _add_up(member, operator, record, how):
    image = member.shapes[member.inputs[0]]
    if not image.width or image.height * image.width >= MOST_IN_MEAN:
        return False
    member.sums = depth = image.nbytes // image.width
    _set(member, MEAN, tuple(record.args), (0, 0, image.height, image.width, depth, *how))
    member.strip = min(2 if image.width % 2 else 1, image.height)
    member.products = operator.subgraph.tensor(member.inputs[0]).nbytes
    return len(record.args) == 1 + 1


def _dense(member, _operator, record, values):
    """A FULLY_CONNECTED layer whose input is the whole image."""
    image, layer = member.shapes[member.inputs[0]], record.layer
    is_whole = values["batches"] == 1 and values.get("filter_offset", 0) == 0
    if layer is None or not is_whole:
        return False
    bias = layer.bias.tolist()
    channels = [(start, *factor) for start, factor in zip(bias, layer.multipliers, strict=True)]
    blob = b"".join(struct.pack("<3i", *channel) for channel in channels)
    member.sums = depth = values["output_depth"]
    how = (values[name] for name in _OF_DENSE)
    args = record.args[0], record.args[1], blob, record.args[-1]
    _set(member, DENSE, args, (0, 0, image.height, image.nbytes, depth, *how))
    member.products = depth * values["input_depth"]
    return values["input_depth"] == image.height * image.nbytes


_OF_DENSE = "input_offset", "output_offset", "activation_min", "activation_max"
_KINDS = {
    "mean_s8": _mean,
    "average_pool_2d_s8": _average,
    "fully_connected_s8": _dense,
    "fully_connected_per_channel_s8": _dense,
}
