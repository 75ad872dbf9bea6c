"""YOLO without anchors to decode: versions 5 and 8, as their exporters write them to TFLite."""

from .boxes import ONE, SIDE, Detector


class YoloV5(Detector):
    """Things of a YOLO v5 model: an output (1, n, 5 + classes), from 0 to 1.

    look       the Interpreter
    by_object  whether the object's score counts without the class's, as OpenMV has it, in
               place of their product
    threshold, labels, fit, most, nms, sigma  see tflm.detect.boxes.Detector

    A row has x y width height of the box, with x and y of its centre. Then it has the object's
    score and a score of each class. The best class counts, the first of equal ones.
    """

    def __init__(self, look, labels=None, threshold=0.5, by_object=False, **options):
        super().__init__(look, labels, threshold, **options)
        self._by_object = by_object
        self._prepare()
        self._key = self._values[0].least(lambda level: level >= self._least)

    def _prepare(self):
        shape = self._shapes[0]
        if len(shape) != 3 or shape[2] < 6:
            raise ValueError("output of shape %s: (1, n, 5 + classes) expected" % (shape,))
        _, self._count, self._size = shape

    def _found(self):
        values, found = self._values[0], []
        for at in range(0, self._count * self._size, self._size):
            if values.key(at + 4) < self._key:
                continue
            best = at + 5
            for i in range(at + 6, at + self._size):
                if values.at(i) > values.at(best):
                    best = i
            level = values.at(at + 4)
            if not self._by_object:
                level = level * values.at(best) // ONE
            if level >= self._least:
                found.append(self._candidate(level, best - at - 5, at, 1))
        return found

    def _candidate(self, level, kind, at, step):
        """Return the candidate whose box's four numbers stand at *at*, *step* apart."""
        x, y, width, height = [self._values[0].at(at + step * i) * SIDE // ONE for i in range(4)]
        x0, y0 = x - width // 2, y - height // 2
        return [level, kind, x0, y0, x0 + width, y0 + height]


class YoloV8(YoloV5):
    """Things of a YOLO v8 model: an output (1, 4 + classes, n), from 0 to 1.

    look  the Interpreter
    threshold, labels, fit, most, nms, sigma  see tflm.detect.boxes.Detector

    A column has x y width height of the box, with x and y of its centre, and then a score of
    each class. The best class counts, the first of equal ones.
    """

    def __init__(self, look, labels=None, threshold=0.5, **options):
        super().__init__(look, labels, threshold, **options)

    def _prepare(self):
        shape = self._shapes[0]
        if len(shape) != 3 or shape[1] < 5:
            raise ValueError("output of shape %s: (1, 4 + classes, n) expected" % (shape,))
        _, self._size, self._count = shape

    def _found(self):
        values, count, found = self._values[0], self._count, []
        for at in range(count):
            best = -1
            for i in range(4 * count + at, self._size * count, count):
                key = values.key(i)
                if key >= self._key and (best < 0 or values.at(i) > values.at(best)):
                    best = i
            if best >= 0 and values.at(best) >= self._least:
                found.append(self._candidate(values.at(best), best // count - 4, at, count))
        return found
