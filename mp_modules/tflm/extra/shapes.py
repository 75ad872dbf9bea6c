"""The shapes of an operator's outputs from its inputs, as a converter would write them.

Inputs that do not fit get some shape, which `prepare` refuses, or raise IndexError, ValueError or
ZeroDivisionError.

Used when a model is resized. `prepare` checks each shape again, by its own means. A shape that
follows from the elements of a tensor is known if the tensor is constant. Otherwise it is dynamic,
and refused.
"""

from ..ops.common import options_of
from ..ops.common_shapes import axis_of, constant_ints, product
from ..ops.index import shape_rule
from ..schema import PADDING_SAME

_DEPTHWISE_CONV_2D = 4  # builtin codes
_BATCH_TO_SPACE_ND = 37
_SPACE_TO_DEPTH = 26
_UNPACK_OPTIONS = 64  # BuiltinOptions


def shapes_of(node):
    """Return the shapes of the outputs of *node*, a context.Node; None if they stay.

    They stay for most custom operators, and for resources.
    """
    operator = node.operator
    number = shape_rule(operator.custom_name or operator.builtin)
    rule = _RULES[number]
    if rule:
        found = rule(node)
        return found if isinstance(found, list) else [found]
    node.expect(number or operator.custom_name, "its shape for other inputs is not known")
    return None


def _same(node):
    return node.required(0).shape


def _second(node):
    return node.required(1).shape


def _broadcast(node):
    inputs = range(len(node.operator.inputs))
    return _common(node, [node.required(i).shape for i in inputs])


def _common(node, shapes):
    """Return the shape that *shapes* broadcast to."""
    rank, common = max([len(shape) for shape in shapes]), []
    for axis in range(-rank, 0):
        extents = {shape[axis] for shape in shapes if len(shape) >= -axis} - {1}
        node.expect(len(extents) < 2, "shapes %s do not broadcast", shapes)
        common.append(extents.pop() if extents else 1)
    return tuple(common)


def _steps(size, span, stride, padding):
    """Return how many windows of *span* elements lie in *size*."""
    return (size + stride - (1 if padding == PADDING_SAME else span)) // stride


def _conv(node):
    depthwise = node.operator.builtin == _DEPTHWISE_CONV_2D
    options, slot = options_of(node, 2 if depthwise else 1), 4 if depthwise else 3
    shape = node.required(0).shape
    channels, height, width, depth = node.required(1).shape
    spans = ((height - 1) * options.word(slot + 2, 1), (width - 1) * options.word(slot + 1, 1))
    rows = _steps(shape[1], spans[0] + 1, options.word(2), options.byte(0))
    columns = _steps(shape[2], spans[1] + 1, options.word(1), options.byte(0))
    return shape[0], rows, columns, depth if depthwise else channels


def _pool(node):
    options, shape = options_of(node, 5), node.required(0).shape
    rows = _steps(shape[1], options.word(4), options.word(2), options.byte(0))
    columns = _steps(shape[2], options.word(3), options.word(1), options.byte(0))
    return shape[0], rows, columns, shape[3]


def _as_first(node):
    """Return the values of the first input: the shape of a TRANSPOSE_CONV, of a FILL."""
    return tuple(constant_ints(node, 0, "shape"))


def _as_second(node):
    return tuple(constant_ints(node, 1, "shape"))


def _as_third(node):
    return tuple(constant_ints(node, 2, "shape"))


def _dense(node):
    data, weights = node.required(0), node.required(1)
    units, depth = weights.shape[-2:]
    if options_of(node, 8).byte(2):
        return data.shape[:-1] + (units,)
    return data.elements // depth, units


def _matmul(node):
    options, shapes = options_of(node, 101), (node.required(0).shape, node.required(1).shape)
    rows = shapes[0][-1 if options.byte(0) else -2]
    columns = shapes[1][-2 if options.byte(1) else -1]
    batches = [shape[:-2] for shape in shapes]
    return _common(node, batches) + (rows, columns)


def _concatenation(node):
    count, shape = len(node.operator.inputs), node.required(0).shape
    axis = axis_of(node, options_of(node, 10).word(0), len(shape))
    total = 0
    for i in range(count):
        node.expect(len(node.required(i).shape) == len(shape), "input %d has another rank", i)
        total += node.input(i).shape[axis]
    return shape[:axis] + (total,) + shape[axis + 1 :]


def _pack(node):
    shape = node.required(0).shape
    axis = axis_of(node, options_of(node, 59).word(1), len(shape) + 1)
    return shape[:axis] + (len(node.operator.inputs),) + shape[axis:]


def _one_hot(node):
    shape = node.required(0).shape
    axis = axis_of(node, options_of(node, 61).word(0), len(shape) + 1)
    return shape[:axis] + tuple(constant_ints(node, 1, "depth", 1)) + shape[axis:]


def _reshape(node):
    data = node.required(0)
    if len(node.operator.inputs) > 1:
        shape = list(_as_second(node))
    else:
        shape = list(options_of(node, 17).ints(0))
    if -1 in shape:
        rest = -product(shape)
        at = shape.index(-1)
        shape[at] = data.elements // rest if rest > 0 else 0
    node.expect(
        product(shape) == data.elements, "%d elements do not fill %s", data.elements, shape
    )
    return tuple(shape)


def _squeeze(node):
    shape, axes = node.required(0).shape, options_of(node, 30).ints(0)
    rank = len(shape)
    axes = [axis_of(node, axis, rank) for axis in axes] or range(rank)
    return tuple([n for axis, n in enumerate(shape) if n != 1 or axis not in axes])


def _expand(node):
    shape = node.required(0).shape
    axis = axis_of(node, constant_ints(node, 1, "axis", 1)[0], len(shape) + 1)
    return shape[:axis] + (1,) + shape[axis:]


def _split(node):
    count, shape = len(node.operator.outputs), node.required(1).shape
    axis = axis_of(node, constant_ints(node, 0, "axis", 1)[0], len(shape))
    return [shape[:axis] + (shape[axis] // count,) + shape[axis + 1 :]] * count


def _split_v(node):
    shape = node.required(0).shape
    sizes = list(constant_ints(node, 1, "sizes", len(node.operator.outputs)))
    axis = axis_of(node, constant_ints(node, 2, "axis", 1)[0], len(shape))
    if -1 in sizes:
        sizes[sizes.index(-1)] = shape[axis] - sum(sizes) - 1
    return [shape[:axis] + (size,) + shape[axis + 1 :] for size in sizes]


def _unpack(node):
    shape = node.required(0).shape
    axis = axis_of(node, options_of(node, _UNPACK_OPTIONS).word(1), len(shape))
    return [shape[:axis] + shape[axis + 1 :]] * len(node.operator.outputs)


def _blocks(node):
    batches, height, width, depth = node.required(0).shape
    to_depth = node.operator.builtin == _SPACE_TO_DEPTH
    size = options_of(node, 19 if to_depth else 94).word(0)
    if not to_depth:
        return batches, height * size, width * size, depth // (size * size)
    return batches, height // size, width // size, depth * size * size


def _transpose(node):
    shape = node.required(0).shape
    axes = constant_ints(node, 1, "permutation", len(shape))
    return tuple([shape[axis_of(node, axis, len(shape))] for axis in axes])


def _strided_slice(node):
    from ..ops.axes import slice_axis

    shape, options = node.required(0).shape, options_of(node, 32)
    lists = [constant_ints(node, i, "limits", len(shape)) for i in (1, 2, 3)]
    masks = options.word(0), options.word(1), options.word(4)
    sizes = []
    for axis, extent in enumerate(shape):
        limits = [values[axis] for values in lists]
        _, _, count, goes = slice_axis(node, axis, extent, limits, masks)
        if not goes:
            sizes.append(count)
    return tuple(sizes)


def _slice(node):
    shape, sizes = node.required(0).shape, list(constant_ints(node, 2, "size"))
    if -1 in sizes:
        begins = constant_ints(node, 1, "begin", len(shape))
        sizes = [shape[i] - begins[i] if n == -1 else n for i, n in enumerate(sizes)]
    return tuple(sizes)


def _tile(node):
    shape = node.required(0).shape
    return tuple([a * b for a, b in zip(shape, constant_ints(node, 1, "multiples", len(shape)))])


def _pad(node):
    shape = node.required(0).shape
    amounts = constant_ints(node, 1, "paddings", 2 * len(shape))
    return tuple([n + amounts[2 * i] + amounts[2 * i + 1] for i, n in enumerate(shape)])


def _batches(node):
    """Return the shape of SPACE_TO_BATCH_ND, or of BATCH_TO_SPACE_ND."""
    shape = list(node.required(0).shape)
    sizes = constant_ints(node, 1, "block shape")
    margins = constant_ints(node, 2, "margins", 2 * len(sizes))
    for i, size in enumerate(sizes):
        margin = margins[2 * i] + margins[2 * i + 1]
        if node.operator.builtin == _BATCH_TO_SPACE_ND:
            shape[0], shape[1 + i] = shape[0] // size, shape[1 + i] * size - margin
        else:
            extent = shape[1 + i] + margin
            shape[0], shape[1 + i] = shape[0] * size, extent // size
    return tuple(shape)


def _resize(node):
    shape = node.required(0).shape
    return (shape[0],) + tuple(constant_ints(node, 1, "size", 2)) + (shape[3],)


def _reduce(node):
    return _reduced(node, options_of(node, 27).byte(0))


def _reduced(node, keeps=0):
    shape = node.required(0).shape
    axes = [axis_of(node, axis, len(shape)) for axis in constant_ints(node, 1, "axes")]
    sizes = [1 if axis in axes else n for axis, n in enumerate(shape)]
    return tuple([n for axis, n in enumerate(sizes) if keeps or axis not in axes])


def _gather(node):
    options, shape, of = options_of(node, 23), node.required(0).shape, node.required(1).shape
    axis = axis_of(node, options.word(0), len(shape))
    batches = options.word(1)
    if batches < 0:
        batches += len(of)
    return shape[:axis] + of[batches:] + shape[axis + 1 :]


def _gather_nd(node):
    shape, of = node.required(0).shape, node.required(1).shape
    return of[:-1] + shape[of[-1] :]


def _embedding(node):
    return node.required(0).shape + node.required(1).shape[1:]


def _largest(node):
    return [node.required(0).shape[:-1] + tuple(constant_ints(node, 1, "k", 1))] * 2


def _last_stays(node):
    """Return the shape of the input with the last extent that the output has: its units."""
    return node.required(0).shape[:-1] + node.output(0).shape[-1:]


def _svdf(node):
    return node.required(0).shape[:1] + node.output(0).shape[-1:]


def _shape(node):
    return (len(node.required(0).shape),)


def _longest(node):
    return (max(node.required(0).elements, node.required(1).elements),)


# By number, as SHAPE_RULES of ops/collect.py names them. The first two have no function: "none",
# and "fixed" for resources and for control flow, which resizing.py follows.
_RULES = (
    None,
    None,
    _as_first,
    _as_second,
    _as_third,
    _batches,
    _blocks,
    _broadcast,
    _concatenation,
    _conv,
    _dense,
    _embedding,
    _expand,
    _gather,
    _gather_nd,
    _largest,
    _last_stays,
    _longest,
    _matmul,
    _one_hot,
    _pack,
    _pad,
    _pool,
    _reduce,
    _reduced,
    _reshape,
    _resize,
    _same,
    _second,
    _shape,
    _slice,
    _split,
    _split_v,
    _squeeze,
    _strided_slice,
    _svdf,
    _tile,
    _transpose,
    _unpack,
)
