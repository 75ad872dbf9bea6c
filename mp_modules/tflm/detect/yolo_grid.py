"""YOLO with anchors: version 2, also ST's tiny and LC models, and outputs like version 3's."""

from .boxes import ONE, SIDE, Detector, fixed
from .curves import exp, sigmoid


class YoloV2(Detector):
    """Things of a YOLO v2 model: one output (1, rows, columns, anchors * (5 + classes)).

    look     the Interpreter
    anchors  [(width, height)] as parts of the input, as in ST's model zoo; anchors of darknet
             count cells: divide them by columns and rows
    threshold, labels, fit, most, nms, sigma  see tflm.detect.boxes.Detector

    An anchor has x y width height object and its classes. The centre is (column + sigmoid x) /
    columns, the width is the anchor's times exp(width). The score is sigmoid(object) times the
    softmax of the best class, the first of equal ones.
    """

    _shares = True  # softmax

    def __init__(self, look, anchors, labels=None, threshold=0.5, **options):
        super().__init__(look, labels, threshold, **options)
        self._anchors = [self._pairs(some) for some in self._of_outputs(anchors)]
        if len(self._anchors) != len(self._values):
            raise ValueError(
                "anchors for %d outputs given, %d expected"
                % (len(self._anchors), len(self._values))
            )
        for shape, pairs in zip(self._shapes, self._anchors):
            if len(shape) != 4 or shape[3] % len(pairs) or shape[3] < 6 * len(pairs):
                raise ValueError(
                    "output of shape %s: (1, rows, columns, %d * (5 + classes)) expected"
                    % (shape, len(pairs))
                )
        self._keys = [values.least(self._is_enough) for values in self._values]

    def _is_enough(self, level):
        return sigmoid(level) >= self._least

    def _of_outputs(self, anchors):
        return [anchors]

    def _pairs(self, anchors):
        return [(fixed(width), fixed(height)) for width, height in anchors]

    def _found(self):
        found = []
        for number, values in enumerate(self._values):
            _, rows, columns, channels = self._shapes[number]
            pairs, key = self._anchors[number], self._keys[number]
            size = channels // len(pairs)
            at = 0
            for y in range(rows):
                for x in range(columns):
                    for pair in pairs:
                        if values.key(at + 4) >= key:
                            self._take(found, values, at, size, (x, y, columns, rows), pair)
                        at += size
        return found

    def _take(self, found, values, at, size, place, pair):
        best = at + 5
        for i in range(at + 6, at + size):
            if values.at(i) > values.at(best):
                best = i
        level = sigmoid(values.at(at + 4)) * self._part(values, at, size, best) // ONE
        if level < self._least:
            return
        x, y, columns, rows = place
        width = exp(values.at(at + 2)) * pair[0] // ONE * SIDE // ONE
        height = exp(values.at(at + 3)) * pair[1] // ONE * SIDE // ONE
        x0 = (x * ONE + sigmoid(values.at(at))) * SIDE // (columns * ONE) - width // 2
        y0 = (y * ONE + sigmoid(values.at(at + 1))) * SIDE // (rows * ONE) - height // 2
        found.append([level, best - at - 5, x0, y0, x0 + width, y0 + height])

    def _part(self, values, at, size, best):
        """Return the probability of the class at *best*."""
        if not self._shares:
            return sigmoid(values.at(best))
        total = 0
        for i in range(at + 5, at + size):
            total += exp(values.at(i) - values.at(best))
        return ONE * ONE // total


class YoloV3(YoloV2):
    """Things of outputs like YOLO v3's, of which each has its anchors.

    look     the Interpreter
    anchors  for each output [(width, height)] in pixels of the input
    threshold, labels, fit, most, nms, sigma, outputs  see tflm.detect.boxes.Detector

    As YoloV2, but the score is sigmoid(object) times sigmoid(class).
    """

    _shares = False

    def _of_outputs(self, anchors):
        return anchors

    def _pairs(self, anchors):
        return [
            (fixed(width) // self._width, fixed(height) // self._height)
            for width, height in anchors
        ]
