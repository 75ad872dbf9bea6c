"""How far two forms of one model are apart, layer by layer, over some runs."""

from math import inf, log10

import numpy as np

from tflm.interpreter import Interpreter

from ..model.paired import inputs_of, pairs_of, result_indices
from ..model.samples import tensor_of
from ..model.tensor_io import NUMPY_TYPES

CLIPPED = 0.01  # share of elements at an end of the type from which a layer is said to clip
COARSE = 32  # steps of the scale that the numbers of a layer span, below which it is coarse
BINS = 48  # of a histogram
EXACT = 200.0  # decibels, where both are equal
_LEAST = 1e-20


def real(info, data):
    """Return the real numbers of the bytes *data* of tensor *info*, flat."""
    values = np.frombuffer(data, NUMPY_TYPES[info.type_name]).astype(np.float64)
    if info.type_name == "float32" or not info.scales():
        return values
    return (values - info.zero_point()) * info.scale()


class Layer:
    """What was measured of one pair of tensors; `first` and `second` are model.paired.Written.

    ratio    decibels of signal to difference
    noise    power of the difference, as a share of the signal's; `added`: of it, what the inputs
             of the operator did not have
    largest  largest difference
    ranges   (least, most) real number of each
    clipped  share of elements of the second at an end of its type
    """

    def __init__(self, first, second):
        self.first, self.second = first, second
        self._signal = self._power = self.largest = 0.0
        self._count = self._ends = 0
        self.ranges = [[inf, -inf], [inf, -inf]]
        self.added = 0.0

    def add(self, one, other, data):
        """Take the real numbers of a run, and the bytes of the second tensor."""
        difference = np.abs(one - other)
        self._signal += float(np.dot(one, one))
        self._power += float(np.dot(difference, difference))
        self.largest = max(self.largest, float(difference.max(initial=0)))
        for limits, values in zip(self.ranges, (one, other), strict=True):
            limits[0] = min(limits[0], float(values.min(initial=inf)))
            limits[1] = max(limits[1], float(values.max(initial=-inf)))
        self._count += one.size
        kind = NUMPY_TYPES[self.second.info.type_name]
        if np.issubdtype(kind, np.integer):
            values, ends = np.frombuffer(data, kind), np.iinfo(kind)
            self._ends += int(np.sum((values == ends.min) | (values == ends.max)))

    @property
    def noise(self):
        return self._power / max(self._signal, _LEAST)

    @property
    def ratio(self):
        return min(EXACT, -10 * log10(max(self.noise, _LEAST)))

    @property
    def limits(self):
        """The least and the most number of both."""
        least, most = zip(*self.ranges, strict=True)
        return min(least), max(most)

    @property
    def clipped(self):
        return self._ends / self._count if self._count else 0.0

    @property
    def why(self):
        """What of its scale explains the loss, or ""."""
        scale = self.second.info.scale()
        if not scale or self.second.info.type_name == "float32":
            return ""
        (low, high), taken = self.ranges[0], self.ranges[1]
        outside = max(taken[0] - low, high - taken[1])
        if self.clipped > CLIPPED and outside > 2 * scale:
            return f"clips: {low:.3g}..{high:.3g} does not fit {taken[0]:.3g}..{taken[1]:.3g}"
        steps = (high - low) / scale
        return f"coarse: its numbers span {steps:.0f} steps of the scale" if steps < COARSE else ""


def compared(models, inputs):
    """Return ([Layer], worst first, [Layer or None of each output]).

    models  two tflm.Model
    inputs  [[bytes of each input of the first], ...] for each run, and of the second
    """
    graphs = [model.subgraphs[0] for model in models]
    layers = [Layer(*pair) for pair in pairs_of(*graphs)]
    fed = [Layer(*pair) for pair in inputs_of(*graphs)]
    for layer, *values in _runs(models, inputs, [*layers, *fed]):
        layer.add(*values)
    _find_added(graphs[1], layers, fed)
    outputs = {layer.second.index: layer for layer in layers}
    ordered = sorted(layers, key=lambda layer: (-layer.added, layer.second.node))
    return ordered, [outputs.get(i) for i in result_indices(graphs[1])]


def histograms(models, inputs, layers):
    """Return, for each of *layers*, how many numbers of each model lie in each of BINS.

    The bins divide the range of both. compared() took the same models and inputs.
    """
    counts = {layer: np.zeros((2, BINS), np.int64) for layer in layers}
    for layer, *values, _ in _runs(models, inputs, layers):
        if np.isfinite(layer.limits).all():
            counts[layer] += [np.histogram(part, BINS, layer.limits)[0] for part in values]
    return [counts[layer] for layer in layers]


def _runs(models, inputs, layers):
    """Yield (layer, numbers of the first, of the second, bytes of the second), run after run."""
    interps = [Interpreter(model, preserve_all_tensors=True) for model in models]
    for pair in zip(*inputs, strict=True):
        for interp, values in zip(interps, pair, strict=True):
            for tensor, data in zip(interp.inputs, values, strict=True):
                tensor.data[:] = data
            interp.invoke()
        for layer in layers:
            both = layer.first, layer.second
            found = [_bytes_of(*three) for three in zip(interps, both, pair, strict=True)]
            reals = [real(*two) for two in zip((w.info for w in both), found, strict=True)]
            yield layer, *reals, found[1]


def _bytes_of(interp, written, values):
    """Return the bytes of a tensor after a run of the inputs *values*."""
    inputs = interp.model.subgraphs[0].inputs
    if written.node < 0:  # a run may overwrite inputs
        return values[list(inputs).index(written.index)]
    return bytes(interp.tensor(written.index).data)


def _find_added(graph, layers, fed):
    """Set `added` of each layer: its noise minus the largest noise of its inputs."""
    known = {layer.second.index: layer.noise for layer in fed}
    measured = {layer.second.index: layer for layer in layers}
    for operator in graph.operators():
        before = max((known[i] for i in operator.inputs if i in known), default=0.0)
        for i in operator.outputs:
            layer = measured.get(i)
            known[i] = layer.noise if layer else before
            if layer:
                layer.added = max(0.0, layer.noise - before)


def same_numbers(infos, data):
    """Return the bytes *data* of infos[0] as bytes of infos[1] that stand for the same numbers."""
    if infos[0].type_name == infos[1].type_name and infos[0].scales() == infos[1].scales():
        return data
    tensor = tensor_of(infos[1])
    tensor.quantize(real(infos[0], data).tolist())
    return bytes(tensor.data)
