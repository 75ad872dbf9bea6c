"""Samples of a sensor on their way into a model: windows that overlap, and gravity.

    window = Window(moves.inputs[0], hop=12)       # 24 samples of x y z; every 12 a run
    for sample in imu:
        if window.add(sample):
            moves.invoke()

`tflm.stream` has the same names. Once made, they take no heap where `_tflm` is there.
"""

from array import array

from .run.elements import Elements, dequantize, put, quantize


class _Slices:
    def __getitem__(self, key):
        return key


_ALL = _Slices()[:]  # made once: a slice takes heap


class _Elements(Elements):
    """Elements in memory of ours, which put() and quantize() write."""

    def __init__(self, data, letter, count):
        self.format = letter
        self._count = count
        super().__init__(data, letter, self)

    def __len__(self):
        return self._count

    def __getitem__(self, i):
        return self._buffer.cast(self.format)[i]  # only CPython asks

    def _check_buffer(self):
        """Nothing overwrites these elements."""


class Window:
    """The last samples of a sensor, written into a model's input each time that a run is due.

    tensor    the input, of shape (1, samples, channels) with any further 1; without a dimension
              of channels they must be given
    hop       samples from one run to the next, 1 to `size`; None: `size`, without overlap
    channels  numbers of a sample
    unit      what 1 of a sample is, in the numbers that the model was trained with; None: samples
              are such numbers
    raw       whether samples are elements of the tensor, which are not quantized

    size, channels, hop  as they are
    The latest samples are kept here, in as many bytes as the tensor has, because a run may
    overwrite its input.
    """

    def __init__(self, tensor, hop=None, channels=None, unit=None, raw=False):
        length = len(tensor)
        if channels is None:
            extents = [n for n in tensor.shape if n != 1]
            if len(extents) != 2:
                raise ValueError(
                    "input %s has shape %s, not samples and channels: give channels="
                    % (tensor.name, tensor.shape)
                )
            channels = extents[1]
        if not 0 < channels <= length or length % channels:
            raise ValueError(
                "channels %s: the %d elements of input %s are no whole samples"
                % (channels, length, tensor.name)
            )
        self.channels = channels
        self.size = size = length // channels
        self.hop = hop = size if hop is None else hop
        if not 0 < hop <= size:
            raise ValueError("hop %s: 1 to %d samples expected" % (hop, size))
        self._tensor = tensor
        self._bytes = every = memoryview(bytearray(tensor.nbytes))
        self._elements = _Elements(every, tensor.format, length)
        kept = (size - hop) * (tensor.nbytes // size)
        self._old, self._kept = every[:kept], every[tensor.nbytes - kept :]
        self._prepare(0.0 if raw else tensor._one_scale(), unit)
        self._at = 0

    def _prepare(self, scale, unit):
        """Choose how a sample becomes elements: as it is, quantized, or multiplied by *unit*."""
        tensor, count = self._tensor, self.channels
        self._scale, self._unit, self._row = scale, None, None
        if scale:
            self._scale = scale if unit is None else scale / unit
            self._row = bytearray(tensor.nbytes // self.size)
            self._one = _Elements(self._row, tensor.format, count)
        elif unit is not None:
            if tensor.format != "f":
                raise ValueError("unit: the elements of %s are no real numbers" % tensor.name)
            self._unit = unit
            self._row = array("f", [0] * count)
            self._one = _Elements(memoryview(bytearray(4 * count)), "i", count)

    def add(self, sample):
        """Take a sample, `channels` numbers; return whether the model's input is complete now.

        It is after `size` samples, then after each `hop` more. A quantized input takes real and
        whole numbers. A float32 input with *unit* takes whole numbers. Any other input takes the
        numbers that Tensor.assign() and quantize() take. Raises ValueError or TypeError where the
        sample does not fit, and forgets only that one.
        """
        at = self._at
        if at == self.size:
            self._old[_ALL] = self._kept
            self._at = at = at - self.hop
        first = at * self.channels
        if self._row is None:
            answer = put(self._elements, first, first + self.channels, sample, (), False)
        else:
            answer = self._add_row(first, sample)
        if answer is not None:
            self._refuse(answer)
        self._at = at = at + 1
        if at < self.size:
            return False
        self._tensor.data[_ALL] = self._bytes
        return True

    def _add_row(self, first, sample):
        if self._unit is None:
            answer = quantize(self._one, sample, (), self._scale, self._tensor.zero_point)
        else:
            answer = put(self._one, 0, self.channels, sample, (), False)
            if answer is None:
                dequantize(self._one, self._unit, 0, self._row)
        if answer is not None:
            return answer
        is_raw = self._unit is None
        return put(self._elements, first, first + self.channels, self._row, (), is_raw)

    def _refuse(self, answer):
        if answer is False:
            raise TypeError(
                "sample: a list, tuple or buffer of %d numbers expected" % self.channels
            )
        self._tensor._refuse(answer, self.channels)

    def reset(self):
        """Forget all samples: the next run is due after `size` more."""
        self._at = 0


class Gravity:
    """Takes the slow part out of a sample, which is gravity: what is left is movement.

    shift     the filter's time is 2 ** shift samples, 0 to 8. At 50 samples a second, shift 5
              makes 2/3 s: what takes longer is slow
    channels  numbers of a sample
    The filter is g += (256 a - g) >> shift, of whole numbers, from the first sample on. 32 bits
    are enough for samples of 16 bits.
    """

    def __init__(self, shift=5, channels=3):
        if not 0 <= shift <= 8:
            raise ValueError("shift %s: 0 to 8 expected" % (shift,))
        self._shift = shift
        self._slow = array("i", [0] * channels)
        self.movement = array("i", [0] * channels)
        self.reset()

    def remove(self, sample):
        """Return `movement`, a list of whole numbers that each call overwrites.

        sample  whole numbers, such as the sensor's own or milli-g
        """
        slow = self._slow
        for i in range(len(slow)):
            value = sample[i]
            if self._is_new:
                slow[i] = value << 8
            slow[i] += ((value << 8) - slow[i]) >> self._shift
            self.movement[i] = value - ((slow[i] + 128) >> 8)
        self._is_new = False
        return self.movement

    def reset(self):
        """Forget all samples: the next one is taken for gravity."""
        self._is_new = True
