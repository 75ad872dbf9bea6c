"""BlazeFace, MediaPipe's model of faces: boxes with six points."""

from .boxes import ONE, SIDE, Detector
from .curves import sigmoid

_GRIDS = (16, 2), (8, 6)  # rows and columns, anchors of a cell
_ANCHORS = 896


class BlazeFace(Detector):
    """Faces of a BlazeFace model: outputs (1, 896, 16) of boxes, (1, 896, 1) of scores.

    look  the Interpreter; the model for the front or for the back camera
    threshold, labels, fit, most, nms, sigma  see tflm.detect.boxes.Detector

    The points are right eye, left eye, nose, mouth, right ear and left ear. Boxes and points are
    pixels from the anchor's centre, scores are logits. MediaPipe takes the mean of boxes that
    overlap; here the best one stays.
    """

    def __init__(self, look, labels=("face",), threshold=0.5, nms=0.3, **options):
        super().__init__(look, labels, threshold, nms=nms, **options)
        if len(self._shapes) == 2 and self._shapes[0][2] == 1:
            self._values = list(reversed(self._values))
            self._shapes = list(reversed(self._shapes))
        shapes = self._shapes
        if len(shapes) != 2 or shapes[0][1] != _ANCHORS or shapes[0][2] != 16:
            raise ValueError("outputs of shapes %s: (1, 896, 16), (1, 896, 1) expected" % shapes)
        self._key = self._values[1].least(lambda level: sigmoid(level) >= self._least)

    def _found(self):
        boxes, scores = self._values
        found = []
        i = 0
        for side, each in _GRIDS:
            for cell in range(side * side):
                for _ in range(each):
                    if scores.key(i) >= self._key:
                        level = sigmoid(scores.at(i))
                        if level >= self._least:
                            found.append([level, 0] + self._face(boxes, 16 * i, cell, side))
                    i += 1
        return found

    def _face(self, boxes, at, cell, side):
        """Return the box and the points of the face at *at*."""
        middle = (
            (2 * (cell % side) + 1) * SIDE // (2 * side),
            (2 * (cell // side) + 1) * SIDE // (2 * side),
        )
        extents = self._width, self._height
        places = [boxes.at(at + k) * SIDE // (extents[k % 2] * ONE) for k in range(16)]
        for k in range(16):
            if k not in (2, 3):  # width and height
                places[k] += middle[k % 2]
        x, y, width, height = places[:4]
        x0, y0 = x - width // 2, y - height // 2
        return [x0, y0, x0 + width, y0 + height] + places[4:]
