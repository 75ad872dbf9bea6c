"""A network that looks for patterns in time: trained with numpy, written as int8 `.tflite`.

    lines --> CONV_2D over time, RELU --> MAX_POOL_2D over all times --> dense --> SOFTMAX

A filter sees some lines at a time, and the pool keeps where it fits best. So it does not matter
when a word or a movement begins.
"""

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from . import flatfile
from .flatfile import Scalars, Table

CONV, DENSE, POOL, SOFTMAX = 3, 9, 17, 25  # BuiltinOperator
CONV_OPTIONS, POOL_OPTIONS, DENSE_OPTIONS, SOFTMAX_OPTIONS = 1, 5, 8, 9  # BuiltinOptions
INT32, INT8 = 2, 9  # TensorType
VALID, RELU = 1, 1
LEAST = 0.1  # of the largest deviation of a column: smaller ones count as this
SEEN = 10  # lines that a filter sees
LONG = 20  # lines from which on a filter looks at every second place
BATCH = 16
RATE, DECAY = 3e-3, 1e-2  # of Adam, at first; of the weights, a step
MEAN_1, MEAN_2, TINY = 0.9, 0.999, 1e-8  # of Adam


@dataclass
class Net:
    """Weights in float64, for recordings of *lines* times *width* numbers.

    first  [seen * width, filters], first_bias;  second  [filters, classes], second_bias
    """

    lines: int
    width: int
    first: np.ndarray
    first_bias: np.ndarray
    second: np.ndarray
    second_bias: np.ndarray

    @property
    def seen(self):
        return len(self.first) // self.width

    @property
    def step(self):
        return 2 if self.lines > LONG else 1

    def windows(self, values):
        """Return [n, places, seen * width] of *values*, [n, lines * width]."""
        rows = values.reshape(len(values), self.lines, self.width)
        found = sliding_window_view(rows, self.seen, axis=1)[:, :: self.step]
        return found.swapaxes(2, 3).reshape(len(values), found.shape[1], -1)

    def fits(self, windows):
        """Return how well each filter fits at each place, [n, places, filters]."""
        return np.maximum(windows @ self.first + self.first_bias, 0)

    def scores(self, values):
        """Return what goes into the softmax."""
        return self.fits(self.windows(values)).max(axis=1) @ self.second + self.second_bias


class Adam:
    """Moves arrays against their gradients, each number by a step of its own size."""

    def __init__(self, parts):
        self._parts = parts
        self._means = [np.zeros_like(part) for part in parts]
        self._squares = [np.zeros_like(part) for part in parts]
        self._steps = 0

    def step(self, slopes, rate):
        """Change the arrays in place by their gradients *slopes*."""
        self._steps += 1
        bias = [1 - share**self._steps for share in (MEAN_1, MEAN_2)]
        for i, slope in enumerate(slopes):
            mean, square, part = self._means[i], self._squares[i], self._parts[i]
            mean += (1 - MEAN_1) * (slope - mean)
            square += (1 - MEAN_2) * (slope * slope - square)
            size = np.sqrt(square / bias[1]) + TINY
            part -= rate * (mean / bias[0] / size + DECAY * part)


def train(values, classes, shape, count, filters, epochs, seed):
    """Return a Net that tells the *classes* of *values*, float [n, size].

    classes  int [n] below *count*;  shape  lines and width of a recording
    """
    rng = np.random.default_rng(seed)
    lines, width = shape
    mean, deviation = _columns(values, width)
    size = min(SEEN, lines) * width
    first = rng.normal(0, np.sqrt(2 / size), (size, filters))
    second = rng.normal(0, np.sqrt(2 / filters), (filters, count))
    net = Net(lines, width, first, np.zeros(filters), second, np.zeros(count))
    adam = Adam([net.first, net.first_bias, net.second, net.second_bias])
    windows = net.windows((values - np.tile(mean, lines)) / np.tile(deviation, lines))
    for epoch in range(epochs):
        rate = RATE * 0.5 * (1 + np.cos(np.pi * epoch / epochs))
        order = rng.permutation(len(values))
        for start in range(0, len(order), BATCH):
            chosen = order[start : start + BATCH]
            adam.step(_slopes(net, windows[chosen], classes[chosen]), rate)
    # The model reads values as they are, so the filters take over their mean and deviation.
    mean, deviation = np.tile(mean, net.seen), np.tile(deviation, net.seen)
    net.first_bias = net.first_bias - mean / deviation @ net.first
    net.first = net.first / deviation[:, None]
    return net


def _columns(values, width):
    """Return (mean, deviation) of each of *width* columns; no column is made much louder."""
    columns = values.reshape(-1, width)
    deviations = columns.std(axis=0)
    return columns.mean(axis=0), np.maximum(deviations, LEAST * deviations.max() or 1.0)


def _slopes(net, windows, classes):
    """Return the gradients of the mean cross entropy, in the order of Net."""
    fits = net.fits(windows)
    places = fits.argmax(axis=1)
    rows = np.arange(len(windows))
    best = fits[rows[:, None], places, np.arange(fits.shape[2])]
    scores = best @ net.second + net.second_bias
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    shares[rows, classes] -= 1
    shares /= len(classes)
    back = (shares @ net.second.T) * (best > 0)
    first = np.einsum("nfs,nf->sf", windows[rows[:, None], places], back)
    return first, back.sum(axis=0), best.T @ shares, shares.sum(axis=0)


def write(net, values, scale=None, zero_point=0, description="tflm train"):
    """Return the `.tflite` file of *net*, int8 in and out.

    values  typical inputs, float [n, size]: they give the range of each tensor
    scale, zero_point  of the input; scale None: by the range of *values*
    """
    filters, count = net.second.shape
    fits = net.fits(net.windows(values))
    places = fits.shape[1]
    entry = (scale, zero_point) if scale else _quantization(values)
    middle = (max(fits.max(), TINY) / 255, -128)
    scores = _quantization(net.scores(values))
    made = _Graph()
    x = made.tensor("values", [1, net.lines, net.width, 1], entry)
    fitting = made.tensor("fits", [1, places, 1, filters], middle)
    weights = net.first.T.reshape(filters, net.seen, net.width, 1)
    parts = made.weights("filters", weights, net.first_bias, entry[0])
    steps = [_byte(VALID), _word(1), _word(net.step)]
    options = [*steps, _byte(RELU), _word(1), _word(1)]
    made.operator(CONV, CONV_OPTIONS, options, [x, *parts], fitting)
    best = made.tensor("best", [1, 1, 1, filters], middle)
    options = [_byte(VALID), _word(1), _word(1), _word(1), _word(places), _byte(0)]
    made.operator(POOL, POOL_OPTIONS, options, [fitting], best)
    logits = made.tensor("scores", [1, count], scores)
    parts = made.weights("classes", net.second.T[None], net.second_bias, middle[0])
    made.operator(DENSE, DENSE_OPTIONS, [_byte(0)], [best, *parts], logits)
    shares = made.tensor("shares", [1, count], (1 / 256, -128))
    made.operator(SOFTMAX, SOFTMAX_OPTIONS, [("f32", 1.0)], [logits], shares)
    return made.file(x, shares, description)


def _byte(value):
    return "i8", value


def _word(value):
    return "i32", value


def _quantization(values):
    """Return (scale, zero point) whose int8 range has all *values*, and 0."""
    low, high = min(values.min(), 0.0), max(values.max(), 0.0)
    scale = max(high - low, TINY) / 255
    return scale, int(round(-128 - low / scale))


class _Graph:
    def __init__(self):
        self.buffers = [Table("Buffer")]
        self.tensors, self.operators, self.codes = [], [], []

    def tensor(self, name, shape, quantization, data=None, kind=INT8):
        """Add a tensor; *quantization* is (scale, zero point), or lists of them a channel."""
        if data is not None:
            self.buffers.append(Table("Buffer", data=data.tobytes()))
        scales, zeros = (np.atleast_1d(part).tolist() for part in quantization)
        self.tensors.append(
            Table(
                "Tensor",
                shape=list(shape),
                type=kind,
                buffer=0 if data is None else len(self.buffers) - 1,
                name=name.encode(),
                quantization=Table("Quantization", scale=scales, zero_point=zeros),
            )
        )
        return len(self.tensors) - 1

    def weights(self, name, weights, bias, read):
        """Add int8 weights and an int32 bias; *read* is the scale of their input.

        A leading extent of 1 stands for one scale of all channels, as dense layers have it.
        """
        each = weights.reshape(len(weights), -1)
        scales = np.maximum(np.abs(each).max(axis=1), TINY) / 127
        shape = weights.shape[1:] if len(weights) == 1 else weights.shape
        units = np.broadcast_to(read * scales, bias.shape)
        rounded = np.rint(each / scales[:, None]).astype(np.int8)
        whole = np.clip(np.rint(bias / units), -(1 << 30), 1 << 30).astype("<i4")
        zeros = [0] * len(scales)
        table = self.tensor(name, shape, (scales, zeros), rounded)
        biases = read * scales, zeros
        return table, self.tensor(f"{name}/bias", [len(bias)], biases, whole, INT32)

    def operator(self, code, kind, options, inputs, output):
        """Add a node; *options* are the fields of its table in order, numbers with their kind."""
        codes = [entry.builtin for entry in self.codes]
        if code not in codes:
            self.codes.append(Table("OperatorCode", deprecated_builtin=code, builtin=code))
            self.codes[-1].version = 1
            codes.append(code)
        self.operators.append(
            Table(
                "Operator",
                opcode=codes.index(code),
                inputs=list(inputs),
                outputs=[output],
                options_type=kind,
                options=Scalars(len(options), dict(enumerate(options))),
            )
        )

    def file(self, x, y, description):
        parts = self.tensors, self.operators, self.codes, self.buffers
        return flatfile.of_one_graph(*parts, [x], [y], description)
