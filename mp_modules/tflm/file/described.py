"""Read and check a tensor of the file in Python, if C cannot or finds a fault."""

import tflm.schema as schema

from ..schema import TYPE_SIZES
from .flatbuffer import follow, i32, table, u8, vector
from .places import MAX_BYTES, MAX_RANK, PLACES, find_buffer, shape_at


def describe_tensor(buf, places, index):
    """Do the work of `views.describe`; *places* are a SubGraph's.

    Raises ValueError unless everything that the tensor refers to lies inside the model.
    """
    if not 0 <= index < places[1]:
        raise ValueError("it does not exist")
    fields = table(buf, follow(buf, places[0] + 4 * index), schema.TENSOR_FIELDS)
    kind = u8(buf, fields[schema.TENSOR_TYPE], 0)
    if fields[schema.TENSOR_SPARSITY]:
        raise ValueError("sparse tensors are not supported: `tflm convert` unpacks them")
    if kind >= len(TYPE_SIZES):
        raise ValueError(
            "tensors of %s are not supported: convert to float32 or int8" % schema.type_name(kind)
        )
    field = _find_shape(places, index, fields[schema.TENSOR_SHAPE])
    shape = shape_at(buf, places, field)
    elements = _elements(shape)
    is_variable = u8(buf, fields[schema.TENSOR_IS_VARIABLE], 0)
    vector(buf, fields[schema.TENSOR_NAME], 1)
    data, stored = find_buffer(buf, places, i32(buf, fields[schema.TENSOR_BUFFER], 0))
    if stored:
        _check_data(kind, shape, elements, stored)
        if is_variable:
            raise ValueError("it is a variable, and has constant data")
    found = kind, elements, data, is_variable
    found += field, fields[schema.TENSOR_NAME]
    return found + _describe_scales(buf, fields[schema.TENSOR_QUANTIZATION])


def _find_shape(places, index, field):
    """Return ~ where *places* have another shape of tensor *index* than the file, else *field*."""
    at = PLACES
    while at < len(places):
        if places[at] == index:
            return ~(at + 1 - PLACES)
        at += 2 + places[at + 1]
    return field


def _elements(shape):
    if len(shape) > MAX_RANK:
        raise ValueError("%d dimensions, %d at most" % (len(shape), MAX_RANK))
    elements = 1
    for dim in shape:
        elements *= dim
        if dim < 0 or elements >= MAX_BYTES:
            raise ValueError("the shape %s is dynamic or too large" % (shape,))
    return elements


def _check_data(kind, shape, elements, stored):
    wanted = elements * TYPE_SIZES[kind]
    if kind == schema.INT4:
        wanted = (elements + 1) >> 1
    if stored < wanted:
        raise ValueError(
            "%s%s needs %d bytes, its buffer has %d"
            % (schema.type_name(kind), shape, wanted, stored)
        )


def _describe_scales(buf, field):
    """Return positions and counts of *field*, the quantization's, as `describe` does.

    As in TFLM, a tensor has scales and zero points only if the file has both. With only one of
    them, it has a position and a count of 0.
    """
    if not field:
        return 0, 0, 0, 0
    fields = table(buf, follow(buf, field), schema.QUANTIZATION_FIELDS)
    scales, count = vector(buf, fields[schema.QUANTIZATION_SCALE], 4)
    zero_points, points = vector(buf, fields[schema.QUANTIZATION_ZERO_POINT], 8)
    dimension = i32(buf, fields[schema.QUANTIZATION_DIMENSION], 0)
    if not points:
        count = zero_points = 0
    return scales, count, zero_points if count else 0, dimension
