"""Fit a camera's pictures into a model's input: formats, size, place, values, row by row.

    from tflm.image import Fit
    fit = Fit(look, 160, 120, "rgb565")
    fit(frame)
    look.invoke()

All arithmetic of pixels is integers, in C (firmware/tflm/image), the same on all cores and on
the PC. docs/camera.md has the definitions.
"""

from array import array

from .base.errors import StateError
from .base.port import const
from .schema import FLOAT32, INT8, UINT8

try:
    import _tflm
except ImportError:
    _tflm = None

# By number, as firmware/tflm/image/picture.h has them: names, bytes of a pixel, orders.
_FORMATS = ("rgb565", "rgb888", "grey", "yuv422", "bayer")
_PIXELS = b"\2\3\1\2\1"
_ORDERS = (
    ("big", "little"),
    ("rgb",),
    ("y",),
    ("yuyv", "uyvy"),
    ("rggb", "grbg", "gbrg", "bggr"),
)
_RESIZES = ("nearest", "bilinear", "edge", "area", "antialias")
_FITS = ("squash", "crop", "letterbox")
_TURNS = (0, 90, 180, 270)
_YUV422, _BAYER = const(3), const(4)
_MOST = const(4095)
# Bits of image_feed()'s mode: firmware/tflm/binding_image.h.
_FRAME, _ROW, _BEGINS = const(1), const(2), const(4)


class Fit:
    """Pictures of one size on their way into an input of *interp*.

    width, height  of a frame, in pixels, 1 to 4095
    format   "rgb565", "rgb888", "grey", "yuv422" or "bayer", one row after the other
    order    of its bytes: "big" or "little"; "yuyv" or "uyvy"; the square "rggb", "grbg", "gbrg"
             or "bggr". The first one of each if None
    fit      "crop" takes the largest part in the middle with the input's aspect. "squash" takes
             all. "letterbox" takes all, with *fill* around it.
    resize   "nearest", "bilinear" of two neighbours, "antialias" (Pillow's BILINEAR), "area" or
             "edge" (Edge Impulse's)
    rotate   degrees by which the input is turned clockwise: 0, 90, 180 or 270
    window   (x, y, width, height) of the frame, in place of all of it
    fill     pixel of letterbox: 0 to 255, or (red, green, blue)
    values   (real number of a pixel 0, of a pixel 255), of the model: (0, 1) if None
    mean, std  numbers, or one for each channel: (value - mean) / std is what the model takes
    input    number of the input: int8, uint8 or float32 of [1, height, width, 1 or 3]

    Without values, mean and std, an int8 input gets pixel - 128, a uint8 input the pixel. Takes
    no heap once it is made. Raises ValueError where a frame cannot be, or the input is no picture.
    """

    def __init__(
        self,
        interp,
        width,
        height,
        format,
        order=None,
        fit="crop",
        resize="bilinear",
        rotate=0,
        window=None,
        fill=0,
        values=None,
        mean=None,
        std=None,
        input=0,
    ):
        if not hasattr(_tflm, "image_feed"):
            raise ImportError("this build fits no pictures: tflm.image needs firmware with it")
        number = _number_of("format", format, _FORMATS)
        orders = _ORDERS[number]
        order = 0 if order is None else _number_of(format + " order", order, orders)
        _check_size(format, number, width, height)
        tensor = interp.inputs[input]
        rows, columns, channels = _shape_of(tensor)
        turns = _number_of("rotate", rotate, _TURNS)
        if turns & 1:
            rows, columns = columns, rows
        self._scale = 2 if number == _BAYER else 1
        part = self._part(window or (0, 0, width, height), width, height)
        fit = _FITS[_number_of("fit", fit, _FITS)]
        part, place = _placed(fit, part, columns, rows)
        flip, codes, tables = _codes_of(tensor, channels, values, mean, std)
        size = 4 if tensor.type == FLOAT32 else 1
        pixel = [fill] * 3 if isinstance(fill, int) else list(fill)
        if len(pixel) != 3 or min(pixel) < 0 or max(pixel) > 255:
            raise ValueError("fill %s: 0 to 255, or three such numbers expected" % (fill,))
        words = [number, order, _number_of("resize", resize, _RESIZES), turns, width, height]
        words += list(part) + [columns, rows] + list(place) + [channels, size, flip, tables]
        self._state = _tflm.image_fit(array("i", words + [p ^ flip for p in pixel]), codes)
        self._feed = _tflm.image_feed
        self._interp = interp
        self._tensor = tensor
        self._size = width, height, _PIXELS[number] * width
        self._format = format
        self._turns = turns
        self._part, self._place, self._whole = part, place, (columns, rows)
        self._count = 0  # rows that came
        self._line = None
        if interp.context is None and interp.model.snapshot.is_fed():
            if turns:
                raise ValueError("rotate %d: a model that is fed by rows takes 0" % rotate)
            self._line = bytearray(columns * channels * size)
            self._given = 0
        # Made before, because an interrupt may have no heap.
        self._busy = StateError("this Fit is being fed: feed it from one place only")

    def _part(self, window, width, height):
        """Return *window* in pixels of the picture, which are squares of four where Bayer."""
        x, y, columns, rows = window
        wrong = min(x, y) < 0 or min(columns, rows) <= 0
        if wrong or x + columns > width or y + rows > height:
            raise ValueError("window %s: outside of %d x %d pixels" % (window, width, height))
        if self._scale == 2 and (x | y | columns | rows) & 1:
            raise ValueError("window %s: even numbers expected, of bayer" % (window,))
        return [n // self._scale for n in window]

    def __call__(self, frame):
        """Set the input from *frame*, the bytes of a whole picture; rows that came are dropped.

        Raises ValueError where it has another size. A model that is fed by rows has run then.
        """
        self._count = 0
        self._take(frame, _FRAME | _BEGINS)

    def row(self, row, number=None):
        """Take the next row of the frame, as bytes; return how many are missing, 0: none.

        number  of the row, if it is known: 0 begins a frame, another one than the next raises
                StateError
        """
        count, height = self._count, self._size[1]
        if number is not None and number != count:
            if number:
                raise StateError(
                    "row %d of %d: row %d is next, 0 begins again" % (number, height, count)
                )
            count = 0
        self._take(row, 0 if count else _BEGINS)
        count += 1
        if count == height:
            count = 0
        self._count = count
        return height - count if count else 0

    def _take(self, rows, mode):
        line = self._line
        if line is None:
            done = self._feed(self._state, rows, 0, self._tensor.data, mode)
            if done < 0:
                self._refuse(done, rows, mode)
            return
        mode |= _ROW
        if mode & _BEGINS:
            self._given = 0
        done = self._feed(self._state, rows, 0, line, mode)
        while done & 1:
            if done < 0:
                break
            self._interp.feed(line, self._given)
            self._given += 1
            done = self._feed(self._state, rows, done >> 1, line, mode & ~_BEGINS)
        if done < 0:
            self._refuse(done, rows, mode)

    def _refuse(self, reason, rows, mode):
        if reason == -2:
            raise self._busy
        width, height, nbytes = self._size
        what = "row"
        if mode & _FRAME:
            what, nbytes = "frame", nbytes * height
        raise ValueError(
            "%s of %d bytes: %d expected, %s of %d x %d"
            % (what, len(bytes(memoryview(rows))), nbytes, self._format, width, height)
        )

    def to_frame(self, x0, y0, x1, y1):
        """Return the corners of a box of the input, 0 to 1, in pixels of the frame, as floats.

        What lies outside of the frame is cut off.
        """
        if self._turns == 1:
            x0, y0, x1, y1 = y0, 1 - x1, y1, 1 - x0
        elif self._turns == 2:
            x0, y0, x1, y1 = 1 - x1, 1 - y1, 1 - x0, 1 - y0
        elif self._turns == 3:
            x0, y0, x1, y1 = 1 - y1, x0, 1 - y0, x1
        return self._at(x0, 0), self._at(y0, 1), self._at(x1, 0), self._at(y1, 1)

    def _at(self, fraction, side):
        inside = fraction * self._whole[side] - self._place[side]
        at = self._part[side] + inside * self._part[2 + side] / self._place[2 + side]
        return min(max(self._scale * at, 0.0), float(self._size[side]))


def _number_of(what, name, names):
    if name not in names:
        names = ", ".join([str(known) for known in names])
        raise ValueError("%s %r: one of %s expected" % (what, name, names))
    return names.index(name)


def _check_size(format, number, width, height):
    if not (0 < width <= _MOST and 0 < height <= _MOST):
        raise ValueError("%s x %s pixels: 1 to 4095 expected" % (width, height))
    odd = width | height if number == _BAYER else width if number == _YUV422 else 0
    if odd & 1:
        raise ValueError(
            "%d x %d pixels, %s: an even width expected, of bayer an even height too"
            % (width, height, format)
        )


def _shape_of(tensor):
    """Return (height, width, channels) of an input that is a picture."""
    shape = tuple(tensor.shape)
    if len(shape) == 4 and shape[0] == 1:
        shape = shape[1:]
    wrong = len(shape) != 3 or shape[2] not in (1, 3) or min(shape) < 1 or max(shape) > _MOST
    if wrong or tensor.type not in (INT8, UINT8, FLOAT32):
        raise ValueError(
            "input %s is %s %s: a picture is int8, uint8 or float32 [1, height, width, 1 or 3]"
            % (tensor.name, tensor.dtype, list(tensor.shape))
        )
    return shape


def _placed(fit, part, columns, rows):
    """Return the part of the picture that is taken, and its place in the input."""
    x, y, width, height = part
    place = [0, 0, columns, rows]
    is_wide = width * rows > height * columns
    if fit == "crop":
        if is_wide:
            part[2] = max(height * columns // rows, 1)
            part[0] = x + (width - part[2]) // 2
        else:
            part[3] = max(width * rows // columns, 1)
            part[1] = y + (height - part[3]) // 2
    elif fit == "letterbox":
        if is_wide:
            place[3] = max((2 * height * columns + width) // (2 * width), 1)
            place[1] = (rows - place[3]) // 2
        else:
            place[2] = max((2 * width * rows + height) // (2 * height), 1)
            place[0] = (columns - place[2]) // 2
    return part, place


def _codes_of(tensor, channels, values, mean, std):
    """Return what is taken off each pixel, tables of values, and how many: 0, 1, or `channels`."""
    low = 0 if tensor.type == UINT8 else -128
    is_float = tensor.type == FLOAT32
    if not is_float and values is None and mean is None and std is None:
        return -low, b"", 0
    means, stds = _each(mean, channels, 0), _each(std, channels, 1)
    if not is_float and not tensor.scale:
        raise ValueError("input %s has no scale: it takes pixels as they are" % tensor.name)
    tables = []
    for c in range(channels):
        if not c or means[c] != means[0] or stds[c] != stds[0]:
            reals = _reals(values or (0, 1), means[c], stds[c])
            tables.append(reals if is_float else _quantized(reals, tensor, low))
        else:
            tables.append(tables[0])
    if all([table == tables[0] for table in tables]):
        tables = tables[:1]
    plain = bytes([p ^ -low for p in range(256)])
    if not is_float and len(tables) == 1 and tables[0] == plain:
        return -low, b"", 0
    return 0, b"".join([bytes(table) for table in tables]), len(tables)


def _each(numbers, channels, absent):
    if numbers is None:
        numbers = absent
    if isinstance(numbers, (int, float)):
        return [numbers] * channels
    if len(numbers) != channels:
        raise ValueError("mean or std of %d numbers: %d expected" % (len(numbers), channels))
    return numbers


def _reals(values, mean, std):
    """Return the real number of each pixel; each step is rounded to float32, as on boards."""
    reals = array("f", range(256))
    low, high = array("f", values)
    wide = array("f", (high - low,))[0]
    mean, std = array("f", (mean, std))
    for p in range(256):
        reals[p] *= wide
        reals[p] /= 255
        reals[p] += low
        reals[p] -= mean
        reals[p] /= std
    return reals


def _quantized(reals, tensor, low):
    """Return the bytes of *reals* in the input, as Tensor.quantize() rounds them."""
    scale, zero_point = tensor.scale, tensor.zero_point
    codes = bytearray(256)
    for p in range(256):
        reals[p] /= scale
        quotient = max(min(reals[p], 1e6), -1e6)
        whole = int(quotient)
        whole += (quotient - whole >= 0.5) - (quotient - whole <= -0.5)
        codes[p] = min(max(whole + zero_point, low), low + 255) & 255
    return codes
