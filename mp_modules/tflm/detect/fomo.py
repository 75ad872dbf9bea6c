"""FOMO of Edge Impulse: a cell for each 8 pixels, and for each cell a score of each class."""

from array import array

from .boxes import ONE, SIDE, Detector


class Fomo(Detector):
    """Things of a FOMO model, by Edge Impulse's rule, in the order in which it finds them.

    look       the Interpreter; its output is (1, rows, columns, classes + 1), background first
    threshold  a cell counts where its float32 score is at least this
    labels, fit, most  see tflm.detect.boxes.Detector

    Row by row, a cell joins the first box of its class that it touches, also at a corner, or
    begins one. Then a box that touches an earlier one of its class is dropped. Two details are
    Edge Impulse's: a box that grows to the left moves its right side, too. A dropped box widens
    the area that later boxes are compared with, not the thing that stays.
    """

    def __init__(self, look, labels=None, threshold=0.5, fit=None, most=20):
        super().__init__(look, labels, threshold, fit, most)
        shape = self._shapes[0]
        if len(shape) != 4 or shape[3] < 2:
            raise ValueError(
                "output of shape %s: (1, rows, columns, classes + 1) expected" % (shape,)
            )
        _, self._rows, self._columns, self._channels = shape
        values = self._values[0]
        self._bar = array("f", (threshold,))[0]  # compared as Edge Impulse does
        if values.is_real:
            self._key = values.least(lambda level: level >= self._least)
        else:
            self._key = values.least_real(self._bar)

    def _found(self):
        values, key = self._values[0], self._key
        cubes = []
        at = 0
        for y in range(self._rows):
            for x in range(self._columns):
                for kind in range(1, self._channels):
                    i = at + kind
                    if values.key(i) < key or values.is_real and not values.real(i) >= self._bar:
                        continue
                    cube = [values.at(i), kind - 1, x, y, 1, 1]
                    if not _joins(cubes, cube):
                        cubes.append(cube)
                at += self._channels
        kept, found = [], []
        for cube in cubes:
            if not _joins(kept, cube):
                kept.append(cube)
                found.append(self._box(cube))
        return found

    def _suppressed(self, found):
        return found[: self._most]

    def _box(self, cube):
        level, kind, x, y, width, height = cube
        columns, rows = self._columns, self._rows
        return [
            min(level, ONE),
            kind,
            (x * SIDE + columns // 2) // columns,
            (y * SIDE + rows // 2) // rows,
            ((x + width) * SIDE + columns // 2) // columns,
            ((y + height) * SIDE + rows // 2) // rows,
        ]


def _joins(cubes, new):
    """Return whether *new* touches one of its class in *cubes*, the first of which grows then."""
    level, kind, x, y, width, height = new
    for cube in cubes:
        if cube[1] != kind or cube[2] + cube[4] < x or cube[3] + cube[5] < y:
            continue
        if cube[2] > x + width or cube[3] > y + height:
            continue
        cube[2] = min(cube[2], x)
        cube[3] = min(cube[3], y)
        cube[4] = max(cube[4], x + width - cube[2])
        cube[5] = max(cube[5], y + height - cube[3])
        cube[0] = max(cube[0], level)
        return True
    return False
