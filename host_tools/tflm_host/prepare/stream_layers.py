"""Which operators work row by row along an axis, and the input rows of each output row."""

from dataclasses import dataclass, replace

from tflm.ops.collect import rows as rows_of_operators

from ..model.flatfile import code_of

VALID = 1  # as slot 0 of the options; the other value is the default
# Builtin code: slots of stride, dilation and size of the window along rows, then along columns.
WINDOWS = {
    3: ((2, 5, None), (1, 4, None)),  # CONV_2D
    4: ((2, 6, None), (1, 5, None)),  # DEPTHWISE_CONV_2D
    1: ((2, None, 4), (1, None, 3)),  # AVERAGE_POOL_2D
    17: ((2, None, 4), (1, None, 3)),  # MAX_POOL_2D
}
ROWS, COLUMNS = 1, 2  # axes of an image
NHWC = 4
KEEPS_DIMENSIONS = 2  # slot of FULLY_CONNECTED's options


class Refusal(Exception):  # not an error: it says why all rows are needed
    """Why an operator cannot run on one row; the text goes on after its name."""


@dataclass(frozen=True)
class Rows:
    """A tensor of the model; in the stream it has one of its rows.

    axis  of the rows;  count  of them in the model
    step  frames from one row to the next;  span  frames that a row depends on
    """

    axis: int
    count: int
    step: int
    span: int


@dataclass(frozen=True)
class Layer:
    """An operator that makes one row: of the latest *window* rows, at each *stride*-th."""

    rows: Rows  # of its outputs
    window: int = 1
    stride: int = 1
    is_reshape: bool = False


def layer_of(root, graph, operator, rows):
    """Return the Layer of *operator*; raises Refusal.

    rows  {tensor: Rows} of tensors whose shapes have one row
    """
    layer = _layer(root, graph, operator, rows)
    axis, count = layer.rows.axis, layer.rows.count
    for index in operator.outputs:
        shape = [*graph.tensors[index].shape]
        if shape[: axis + 1] != [1] * axis + [count]:  # a row shall be one run of bytes
            raise Refusal(f"makes {tuple(shape)}, which are not frames in a row")
    return layer


def rows_of(code):
    """Return which rows of its inputs operator *code* needs: see tflm/ops/collect.py."""
    row = rows_of_operators().operators.get(code)
    return row.rows if row else "all"


def _layer(root, graph, operator, rows):
    code = code_of(root, operator)
    kind = rows_of(code)
    given = [rows[i] for i in operator.inputs if i in rows]
    if kind == "window":
        return _window(graph, operator, rows, WINDOWS[code])
    if kind == "reshape":
        return Layer(_reshaped(graph, operator, given[0]), is_reshape=True)
    first, axis = given[0], given[0].axis
    rank = len(graph.tensors[operator.inputs[0]].shape)
    if kind == "last_axis" and axis != rank - 1:
        return Layer(first)
    has_constants = not any(i in rows for i in operator.inputs[1:])
    if kind == "dense" and has_constants and _is_of_each_row(graph, operator, axis):
        return Layer(first)
    if kind == "concatenation" and _option(operator, 0, 0) % rank != axis:
        return Layer(_common(root, graph, operator, rows))
    if kind == "each":
        return Layer(_common(root, graph, operator, rows))
    raise Refusal("needs all rows")


def _option(operator, slot, default):
    values = operator.options.values if operator.options else {}
    return values.get(slot, (None, default))[1]


def _window(graph, operator, rows, slots):
    known = rows.get(operator.inputs[0])
    shape = graph.tensors[operator.inputs[0]].shape
    if (
        any(i in rows for i in operator.inputs[1:])
        or len(shape) != NHWC
        or known.axis not in (ROWS, COLUMNS)
    ):
        raise Refusal("has its window across the frames")
    stride_slot, dilation_slot, size_slot = slots[known.axis - 1]
    stride = _option(operator, stride_slot, 1)
    if size_slot is None:
        taps = graph.tensors[operator.inputs[1]].shape[known.axis]
        span = (taps - 1) * _option(operator, dilation_slot, 1) + 1
    else:
        span = _option(operator, size_slot, 1)
    if span > 1 and _option(operator, 0, 0) != VALID:
        raise Refusal("pads the frames (padding SAME; VALID keeps rows)")
    count = (known.count - span) // stride + 1
    if count == 1:  # nothing to step over: pools of the whole image often have such strides
        stride = 1
    frames = known.span + (span - 1) * known.step
    return Layer(Rows(known.axis, count, known.step * stride, frames), span, stride)


def _reshaped(graph, operator, known):
    """Return the Rows of *operator*'s output: its input rows, each in another shape."""
    shape = list(graph.tensors[operator.outputs[0]].shape)
    for axis, extent in enumerate(shape):
        if extent == known.count:
            return replace(known, axis=axis)
        if extent != 1:
            break
    raise Refusal("mixes rows")


def _is_of_each_row(graph, operator, axis):
    """Tell whether FULLY_CONNECTED does each row by itself."""
    shape = graph.tensors[operator.inputs[0]].shape
    keeps = _option(operator, KEEPS_DIMENSIONS, 0)
    return (
        keeps and axis < len(shape) - 1 and graph.tensors[operator.inputs[1]].shape[1] == shape[-1]
    )


def _common(root, graph, operator, rows):
    """Return the Rows of all inputs of *operator*, which must be the same rows, or constant."""
    known = [rows[i] for i in operator.inputs if i in rows]
    rank = max(len(graph.tensors[i].shape) for i in operator.inputs if i in rows)
    for index in operator.inputs:
        shape = graph.tensors[index].shape
        if index in rows:
            if rows[index] != known[0] or len(shape) != rank:
                raise Refusal("joins rows of different frames")
        elif not root.buffers[graph.tensors[index].buffer or 0].data:
            raise Refusal("joins rows with a tensor without rows")
        else:
            axis = known[0].axis - (rank - len(shape))
            if axis >= 0 and shape[axis] != 1:
                raise Refusal("has a constant for each row")
    return known[0]
