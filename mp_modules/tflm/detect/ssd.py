"""SSD: the outputs of TFLite_Detection_PostProcess, or outputs of the heads before it."""

from .boxes import ONE, SIDE, Detector, Values, fixed


class PostProcess(Detector):
    """Things of a model that ends with TFLite_Detection_PostProcess, in its order.

    look     the Interpreter
    outputs  tensors of boxes (1, n, 4), classes (1, n), scores (1, n) and the count, where the
             model's outputs stand in another order
    threshold, labels, fit, most  see tflm.detect.boxes.Detector
    """

    def __init__(self, look, labels=None, threshold=0.5, fit=None, most=20, outputs=None):
        super().__init__(look, labels, threshold, fit, most, outputs=outputs)
        if len(self._values) != 4 or len(self._shapes[0]) != 3 or self._shapes[0][2] != 4:
            raise ValueError(
                "outputs of shapes %s: boxes, classes, scores and a count expected" % self._shapes
            )
        self._key = self._values[2].least(lambda level: level >= self._least)

    def _found(self):
        boxes, classes, scores, count = self._values
        found = []
        for i in range(min(count.at(0) // ONE, self._shapes[0][1])):
            if scores.key(i) < self._key or scores.at(i) < self._least:
                continue
            y0, x0, y1, x1 = [boxes.at(4 * i + k) * SIDE // ONE for k in range(4)]
            found.append([scores.at(i), classes.at(i) // ONE, x0, y0, x1, y1])
        return found

    def _suppressed(self, found):
        return found[: self._most]


class Ssd(Detector):
    """Things of the heads of an SSD model: a score of each class and a box for each anchor.

    look     the Interpreter
    outputs  tensors of scores (1, n, classes + 1), background first, and of boxes (1, n, 4). The
             third one has anchors (1, n, 4), unless *anchors* has them. None: the model's
             outputs in this order
    anchors  a tensor of n anchors; None: the third output
    scales   None as in ST's models: a box is x0 y0 x1 y1, each a part of the anchor's width or
             height from the anchor's own. (10, 10, 5, 5) as in TensorFlow's: a box is y x height
             width of anchors that are y x height width of the centre
    threshold, labels, fit, most, nms, sigma  see tflm.detect.boxes.Detector
    Scores are probabilities. Each class is a candidate of its own.
    """

    def __init__(self, look, labels=None, threshold=0.5, anchors=None, scales=None, **options):
        super().__init__(look, labels, threshold, **options)
        if anchors is not None:
            self._values[2:] = [Values(anchors)]
            self._shapes[2:] = [anchors.shape]
        shapes = self._shapes
        counts = [shape[1] for shape in shapes if len(shape) == 3]
        if len(counts) != 3 or min(counts) != max(counts) or shapes[1][2] != 4:
            raise ValueError("outputs of shapes %s: scores, boxes and anchors expected" % shapes)
        self._scales = None if scales is None else [fixed(scale) for scale in scales]
        self._key = self._values[0].least(lambda level: level >= self._least)

    def _found(self):
        scores, key = self._values[0], self._key
        _, count, channels = self._shapes[0]
        found = []
        at = 0
        for i in range(count):
            for kind in range(1, channels):
                if scores.key(at + kind) < key:
                    continue
                level = scores.at(at + kind)
                if level >= self._least:
                    found.append([level, kind - 1] + self._box(i))
            at += channels
        return found

    def _box(self, i):
        boxes, anchors = self._values[1:]
        a, b, c, d = [anchors.at(4 * i + k) for k in range(4)]
        box = [boxes.at(4 * i + k) for k in range(4)]
        if self._scales is None:
            width, height = c - a, d - b
            box = [
                box[0] * width // ONE + a,
                box[1] * height // ONE + b,
                box[2] * width // ONE + c,
                box[3] * height // ONE + d,
            ]
        else:
            from .curves import exp

            y, x, height, width = [value * ONE // s for value, s in zip(box, self._scales)]
            height, width = exp(height) * c // ONE, exp(width) * d // ONE
            x0 = x * d // ONE + b - width // 2
            y0 = y * c // ONE + a - height // 2
            box = [x0, y0, x0 + width, y0 + height]
        return [value * SIDE // ONE for value in box]
