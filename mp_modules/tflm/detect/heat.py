"""Heat maps: where each channel of an output is largest, as in PoseNet."""

from .boxes import ONE, SIDE, Detector


class Heat(Detector):
    """A Thing for each channel of a heat map (1, rows, columns, channels), in their order.

    look     the Interpreter. A second output (1, rows, columns, 2 * channels) has PoseNet's
             offsets, in pixels of the input: first all of y, then all of x
    labels   of the channels, such as "nose";  threshold  the least score
    logits   whether scores are logits
    fit, most, outputs  see tflm.detect.boxes.Detector

    The place is the middle of the largest cell, the first of equal ones. With offsets it is the
    cell's number times input / (cells - 1), as in PoseNet, and the offset. A box has no size.
    """

    def __init__(
        self, look, labels=None, threshold=0.5, fit=None, logits=False, most=40, outputs=None
    ):
        super().__init__(look, labels, threshold, fit, most, outputs=outputs)
        shape = self._shapes[0]
        if len(shape) != 4:
            raise ValueError(
                "output of shape %s: (1, rows, columns, channels) expected" % (shape,)
            )
        _, self._rows, self._columns, self._channels = shape
        self._logits = logits
        self._key = self._values[0].least(self._is_enough)

    def _is_enough(self, level):
        return self._level(level) >= self._least

    def _level(self, level):
        if not self._logits:
            return level
        from .curves import sigmoid

        return sigmoid(level)

    def _found(self):
        values, channels, found = self._values[0], self._channels, []
        end = self._rows * self._columns * channels
        for kind in range(channels):
            best = kind
            for i in range(kind + channels, end, channels):
                if values.key(i) >= values.key(best) and values.at(i) > values.at(best):
                    best = i
            if values.key(best) >= self._key and self._is_enough(values.at(best)):
                x, y = self._place(best // channels, kind)
                found.append([self._level(values.at(best)), kind, x, y, x, y])
        return found

    def _place(self, cell, kind):
        x, y = cell % self._columns, cell // self._columns
        if len(self._values) < 2:
            return (
                (2 * x + 1) * SIDE // (2 * self._columns),
                (2 * y + 1) * SIDE // (2 * self._rows),
            )
        at = 2 * cell * self._channels + kind
        offsets = self._values[1]
        return (
            x * SIDE // max(self._columns - 1, 1)
            + offsets.at(at + self._channels) * SIDE // (self._width * ONE),
            y * SIDE // max(self._rows - 1, 1) + offsets.at(at) * SIDE // (self._height * ONE),
        )

    def _suppressed(self, found):
        return found[: self._most]
