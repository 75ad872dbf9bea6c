"""Two inputs and an output: the shapes that broadcast, scales and zero points."""

import tflm.ops.quantize as q

from ..schema import INT16
from .common import real_scale_of, require_zero_points, signed_zero_point

_SMALLEST_NORMAL = 0x00800000  # bits of a float32


def broadcast_dims(node):
    """Return (rank, triples): extent and both inputs' steps, with neighbouring axes merged.

    Raises ModelError unless the output has the broadcast shape of the inputs.
    """
    shapes = node.required(0).shape, node.required(1).shape
    output = node.output(0).shape
    rank = len(output)
    fits = len(shapes[0]) <= rank and len(shapes[1]) <= rank
    padded = [(1,) * (rank - len(s)) + s for s in shapes]
    if fits:
        for a, b, extent in zip(padded[0], padded[1], output):
            fits = fits and extent == (a if b == 1 else b) and a in (1, extent)
    node.expect(fits, "shapes %s and %s do not broadcast to %s", shapes[0], shapes[1], output)
    return _merge(output, padded)


def _merge(output, padded):
    """Return (rank, triples) with innermost steps first merged as far as both inputs allow."""
    dims = []  # innermost first: [extent, step1, step2]
    sizes = [1, 1]  # elements of each input below the present axis
    for axis in range(len(output) - 1, -1, -1):
        extent = output[axis]
        if extent == 1:
            continue
        steps = [sizes[i] if padded[i][axis] > 1 else 0 for i in (0, 1)]
        inner = dims[-1] if dims else None
        if inner and all([steps[i] == inner[i + 1] * inner[0] for i in (0, 1)]):
            inner[0] *= extent
        else:
            dims.append([extent] + steps)
        for i in (0, 1):
            sizes[i] *= padded[i][axis]
    if not dims:
        dims.append([1, 0, 0])
    triples = []
    for dim in reversed(dims):
        triples.extend(dim)
    return len(dims), triples


def scales_of(node, least=1):
    """Return the scales of input 0, input 1 and output.

    least  bits of the smallest scale of an int16 input: models of int16 have subnormal ones
    """
    scales = []
    tensors = (node.input(0), "input 0"), (node.input(1), "input 1"), (node.output(0), "output")
    for tensor, what in tensors:
        bits, low = tensor.scale_bits(), 1 if what == "output" else least
        if tensor.type == INT16 and low <= bits < _SMALLEST_NORMAL:
            require_zero_points(node, tensor, what)
            scales.append(q.from_bits(bits))
        else:
            scales.append(real_scale_of(node, tensor, what))
    return scales


def offsets_of(node):
    """Return the offsets of both inputs."""
    return [-signed_zero_point(node, node.input(i), "input %d" % i) for i in (0, 1)]
