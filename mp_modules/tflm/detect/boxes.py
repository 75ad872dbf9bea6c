"""Things, what tells them apart, and the numbers of an output; shared by all detectors.

Coordinates are whole numbers of 1/4096 of the model's input, other numbers of 1/65536. A real
number of an output is truncated to such a number. A quantized one is (q - zero point) * scale,
rounded down, with the scale in 2 ** -24.
"""

from array import array
from struct import unpack_from

from ..base.port import const

ONE = const(65536)  # of scores
SIDE = const(4096)  # of coordinates
_BYTES = {"b": 128, "B": 0}


def fixed(value):
    """Return a real number, as float32, in 1/65536."""
    return int(array("f", (value,))[0] * ONE)


def _clamped(value):
    """Return a real number in 1/65536, at most 8192 away from 0; NaN is the least."""
    return -8192 * ONE if value != value else int(min(max(value, -8192.0), 8192.0) * ONE)


class Thing:
    """What a detector finds: print(thing) says `red 0.93 at 40,56 16x16`.

    label   of the labels, or the class's number as a string;  kind  the class's number, from 0
    x, y, width, height  the box in whole pixels of the frame, or of the input without a fit
    points  [[x, y]] in the same pixels, where the model finds points, else []
    """

    def __init__(self, label, kind, level, box, points):
        self.label = label
        self.kind = kind
        self._level = level
        self.x, self.y, self.width, self.height = box
        self.points = points

    @property
    def score(self):
        """The score, 0..1."""
        return self._level / ONE

    @property
    def center(self):
        """The middle of the box: (x, y)."""
        return self.x + self.width // 2, self.y + self.height // 2

    def __repr__(self):
        hundredths = (self._level * 100 + ONE // 2) // ONE
        return "%s %d.%02d at %d,%d %dx%d" % (
            self.label,
            hundredths // 100,
            hundredths % 100,
            self.x,
            self.y,
            self.width,
            self.height,
        )


class Values:
    """The elements of a tensor as whole numbers, and as keys of the same order.

    A key is a byte of an int8 or uint8 tensor, or the upper half of a float32: comparing keys
    needs no heap.
    """

    def __init__(self, tensor):
        if tensor.format not in "bBf":
            raise TypeError(
                "output %s is %s: int8, uint8 or float32 expected" % (tensor.name, tensor.dtype)
            )
        self._tensor = tensor
        self.is_real = tensor.format == "f"
        if not self.is_real:
            self._sign = _BYTES[tensor.format]
            self._zero = tensor.zero_point + self._sign
            self._scale = int(tensor.scale * 16777216)
            self._real_scale = tensor.scale
        self.read()

    def read(self):
        """Look at the tensor again, after a run."""
        self._data = self._tensor.data

    def key(self, i):
        """Return the key of element *i*."""
        if not self.is_real:
            return self._data[i] ^ self._sign
        half = self._data[4 * i + 3] << 8 | self._data[4 * i + 2]
        return half if half < 0x8000 else 0x7FFF - half

    def real(self, i):
        """Return element *i* of a float32 tensor."""
        return unpack_from("<f", self._data, 4 * i)[0]

    def at(self, i):
        """Return element *i*."""
        if self.is_real:
            return _clamped(self.real(i))
        return self.of_key(self._data[i] ^ self._sign)

    def of_key(self, key):
        """Return the element that has *key*; of reals the least that has it."""
        if not self.is_real:
            return (key - self._zero) * self._scale >> 8
        half = key if key >= 0 else 0x7FFF - key
        low = 0 if key >= 0 else 0xFFFF
        word = bytes((low & 255, low >> 8, half & 255, half >> 8))
        return _clamped(unpack_from("<f", word)[0])

    def least(self, is_enough):
        """Return the least key whose element may be enough; *is_enough* grows with the element."""
        low, high = (-0x7F80, 0x7F81) if self.is_real else (0, 256)
        while low < high:
            middle = (low + high) // 2
            # The elements of a real key reach up to those of the next one.
            if is_enough(self.of_key(middle + 1 if self.is_real else middle)):
                high = middle
            else:
                low = middle + 1
        return low

    def least_real(self, bar):
        """Return the least key of a quantized element that is *bar* or more, as float32."""
        for key in range(256):
            if array("f", ((key - self._zero) * self._real_scale,))[0] >= bar:
                return key
        return 256


def overlap(a, b):
    """Return the intersection of two boxes [.., .., x0, y0, x1, y1] over their union."""
    width = min(a[4], b[4]) - max(a[2], b[2])
    height = min(a[5], b[5]) - max(a[3], b[3])
    if width <= 0 or height <= 0:
        return 0
    both = width * height
    union = (a[4] - a[2]) * (a[5] - a[3]) + (b[4] - b[2]) * (b[5] - b[3]) - both
    return both * ONE // union


class Detector:
    """The base class of detectors; iterating over one gives its Things, the best one first.

    look       the Interpreter
    labels     of the classes; None: their numbers
    threshold  the least score, 0..1
    fit        the tflm.image.Fit that made the input: boxes are in its frame's pixels
    most       how many things at most
    nms        how much of their union two boxes of a class may share. Of two that share more,
               the box with the higher score stays, and the first of equal scores
    sigma      soft NMS: instead of dropping a box, multiply its score by exp(-overlap**2 / sigma),
               and drop it where that is below the threshold. None: hard
    """

    def __init__(
        self,
        look,
        labels=None,
        threshold=0.5,
        fit=None,
        most=20,
        nms=0.5,
        sigma=None,
        outputs=None,
    ):
        self.labels = labels
        self.threshold = threshold
        self._least = fixed(threshold)
        self._fit = fit
        self._most = most
        self._nms = fixed(nms)
        self._soft = None if sigma is None else fixed(1 / array("f", (sigma,))[0])
        self._values = [Values(tensor) for tensor in outputs or look.outputs]
        self._shapes = [tensor.shape for tensor in outputs or look.outputs]
        self._height, self._width = self._input_size(look.inputs[0].shape)

    def _input_size(self, shape):
        if len(shape) != 4:
            raise ValueError("input of shape %s: (1, height, width, channels) expected" % (shape,))
        return shape[1:3]

    def __iter__(self):
        for values in self._values:
            values.read()
        for one in self._suppressed(self._found()):
            yield self._thing(one)

    def _found(self):
        """Return the candidates: [score, class, x0, y0, x1, y1, points...], in their order."""
        raise NotImplementedError

    def _suppressed(self, found):
        """Yield what NMS leaves of the candidates, the best first, at most so many."""
        left = self._most
        while found and left:
            best = 0
            for i in range(1, len(found)):
                if found[i][0] > found[best][0]:
                    best = i
            best = found.pop(best)
            yield best
            left -= 1
            found = [one for one in found if self._remains(one, best)]

    def _remains(self, one, best):
        if one[1] != best[1]:
            return True
        shared = overlap(one, best)
        if self._soft is None:
            return shared <= self._nms
        from .curves import exp

        one[0] = one[0] * exp(-(shared * shared // ONE * self._soft // ONE)) // ONE
        return one[0] >= self._least

    def _thing(self, one):
        x0, y0, x1, y1 = self._placed(
            max(one[2], 0), max(one[3], 0), min(one[4], SIDE), min(one[5], SIDE)
        )
        points = []
        for i in range(6, len(one), 2):
            points.append(self._placed(one[i], one[i + 1], one[i], one[i + 1])[:2])
        return Thing(self._label(one[1]), one[1], one[0], (x0, y0, x1 - x0, y1 - y0), points)

    def _label(self, kind):
        if self.labels is None or kind >= len(self.labels):
            return str(kind)
        return self.labels[kind]

    def _placed(self, x0, y0, x1, y1):
        """Return a box in whole pixels, halves up."""
        if self._fit is None:
            width, height = self._width, self._height
            return [
                (value * extent + SIDE // 2) // SIDE
                for value, extent in ((x0, width), (y0, height), (x1, width), (y1, height))
            ]
        box = self._fit.to_frame(x0 / SIDE, y0 / SIDE, x1 / SIDE, y1 / SIDE)
        return [int(value + 0.5) for value in box]
