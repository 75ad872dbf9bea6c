"""The shapes of two inputs that broadcast to that of the output."""


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
