"""Frames of a camera: from pictures or files of raw bytes, and how they and an input look.

Raw frames become pictures by tflm.image.Fit itself, so what is shown is what a model gets.
"""

import re
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace

import numpy as np

from tflm.image import Fit
from tflm.schema import UINT8

from .files import InputError
from .samples import PICTURES, picture_shape
from .tensor_io import NUMPY_TYPES

NBYTES = {"rgb565": 2, "rgb888": 3, "grey": 1, "yuv422": 2, "bayer": 1}  # of a pixel
PLAIN = (".pgm", ".ppm")  # pictures that need no Pillow
PIXEL = 255
_HEAD = re.compile(rb"P([56])\s+(?:#.*\n\s*)*(\d+)\s+(\d+)\s+255\s")


@dataclass(frozen=True)
class Form:
    """Size and format of frames, as tflm.image.Fit takes them."""

    width: int
    height: int
    format: str
    order: str | None = None

    @property
    def nbytes(self):
        return self.width * self.height * NBYTES[self.format]

    @property
    def row_bytes(self):
        return self.width * NBYTES[self.format]

    def __str__(self):
        return f"{self.width}x{self.height} {self.format}"


@dataclass
class Frame:
    """A frame, and the name to show it with."""

    name: str
    form: Form
    data: bytes


def frames_in(paths, form=None):
    """Yield the Frames in *paths*, files and folders, whose files come by their names.

    form  of raw frames, of which a file has one or several; None: the files are pictures
    Raises InputError for files that are neither, and where there are none.
    """
    for path in paths:
        for file in _files(path, form):
            if form is None:
                yield _picture(file)
            else:
                yield from _raw(file, form)


def _files(path, form):
    if not path.exists():
        raise InputError(f"{path}: no such file")
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if file.is_file() and file.name[0] != ".")
    if form is None:
        found = [file for file in found if file.suffix.lower() in (*PICTURES, *PLAIN)]
    if not found:
        known = f"file in it ends in one of {', '.join((*PICTURES, *PLAIN))}"
        raise InputError(f"{path}: no {'file in it' if form else known}")
    return found


def _raw(path, form):
    data = path.read_bytes()
    if not data or len(data) % form.nbytes:
        raise InputError(
            f"{path}: {len(data):,} bytes are no whole frames of {form.nbytes:,} bytes, {form}"
        )
    count = len(data) // form.nbytes
    for i in range(count):
        name = f"{path.name} {i}" if count > 1 else path.name
        yield Frame(name, form, data[i * form.nbytes : (i + 1) * form.nbytes])


def _picture(path):
    suffix = path.suffix.lower()
    if suffix in PLAIN:
        return _plain(path)
    if suffix not in PICTURES:
        raise InputError(
            f"{path}: a picture ends in {', '.join((*PICTURES, *PLAIN))}; raw frames need --size"
        )
    try:
        from PIL import Image  # an extra
    except ImportError:
        raise InputError(f"{path}: it needs Pillow; pip install pillow") from None
    try:
        with Image.open(path) as image:
            is_grey = image.mode in ("1", "L")
            image = image.convert("L" if is_grey else "RGB")  # noqa: PLW2901
            form = Form(*image.size, "grey" if is_grey else "rgb888")
            return Frame(path.name, form, image.tobytes())
    except (OSError, Image.DecompressionBombError) as error:
        raise InputError(f"{path}: {error}") from None


def _plain(path):
    data = path.read_bytes()
    head = _HEAD.match(data)
    if head is None:
        raise InputError(f"{path}: no binary PGM or PPM file of 255 levels")
    form = Form(int(head[2]), int(head[3]), "grey" if head[1] == b"5" else "rgb888")
    data = data[head.end() :]
    if len(data) != form.nbytes:
        raise InputError(f"{path}: {len(data):,} bytes of pixels, {form} takes {form.nbytes:,}")
    return Frame(path.name, form, data)


def colours(form, data):
    """Return how a frame looks: uint8 of its height, width and 3."""
    fit, pixels = _screen_of(form)
    fit(data)
    return pixels.copy()


@cache
def _screen_of(form):
    """Return (the Fit of frames of *form*, the pixels that it writes)."""
    pixels = np.zeros((form.height, form.width, 3), np.uint8)
    tensor = SimpleNamespace(name="picture", type=UINT8, dtype="uint8", scale=0)
    tensor.shape, tensor.data = (1, *pixels.shape), memoryview(pixels).cast("B")
    screen = SimpleNamespace(inputs=[tensor], context=True)
    fit = Fit(
        screen, form.width, form.height, form.format, form.order, fit="squash", resize="nearest"
    )
    return fit, pixels


def as_seen(info, data, limits=None):
    """Return how the bytes *data* of the input *info* look: uint8 of height, width, 1 or 3.

    The levels of an integer input are shown as they are, from the lowest one as black.
    limits  numbers of a float32 input that are black and white; None: 0 and 1
    """
    pixels = np.frombuffer(data, NUMPY_TYPES[info.type_name]).reshape(picture_shape(info))
    if info.type_name == "float32":
        low, high = limits or (0, 1)
        levels = (np.nan_to_num(pixels) - low) * (PIXEL / (high - low or 1))
        return np.clip(np.rint(levels), 0, PIXEL).astype(np.uint8)
    if info.type_name == "int8":
        return pixels.view(np.uint8) ^ 0x80
    return pixels
