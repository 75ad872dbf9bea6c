"""Read pictures, sounds, tables and raw bytes as the bytes of a model's input.

Numbers become elements by the rule of `tflm.Tensor.quantize`, which boards have, too.
"""

from math import isqrt
from pathlib import Path

import numpy as np

from tflm.run.tensor import Tensor

from .files import InputError
from .sound_fronts import input_of
from .sounds import read_sound
from .tensor_io import NUMPY_TYPES, read_tensor

PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp")
TABLES = (".csv", ".txt")
SUFFIXES = (*PICTURES, *TABLES, ".wav", ".npy", ".bin", ".raw")
PIXEL = 255.0
CHANNELS = {1: "L", 3: "RGB"}  # of a picture: the mode of Pillow


class _Owner:
    """Stands for the interpreter of a Tensor that has none: no run ever begins."""

    @staticmethod
    def _runs():
        return 0


def tensor_of(info, data=None):
    """Return a `tflm.Tensor` of *info* in memory of its own, with the bytes *data* or zeros."""
    return Tensor(info, memoryview(bytearray(info.nbytes if data is None else data)), _Owner())


def read_sample(path, info, limits=None, rate=None, front=None):
    """Return (bytes for the input *info*, a note on changes of the file, or "").

    limits  (low, high): the numbers that black and white, or silence's two ends, stand for. None:
            the whole range of an integer input, 0 and 1 of a float32 one; -1 and 1 of sounds
    rate    samples a second of the sounds that *info* takes; None: as of sounds.RATE, where it is
            an input of samples at all
    front   what makes features of a sound, see sound_fronts; None: the sound is the input
    Raises InputError where the file does not fit.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    if suffix in PICTURES:
        return _picture(path, info, limits)
    if suffix == ".wav" and front:
        return input_of(front, path, info)
    if suffix == ".wav":
        return _sound(path, info, limits or (-1.0, 1.0), rate)
    if suffix in TABLES:
        return _numbers(path, read_table(path), info), ""
    if suffix == ".npy":
        array = _array(path)
        if array.dtype != NUMPY_TYPES.get(info.type_name):
            return _numbers(path, array, info), ""
    return read_tensor(path, info), ""


def _array(path):
    try:
        return np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise InputError(f"{path}: {error}") from error


def read_table(path):
    try:
        text = path.read_text(encoding="utf-8-sig").replace(",", " ").replace(";", " ")
        return np.array([float(word) for word in text.split()])
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error


def _numbers(path, values, info):
    """Return the bytes of *info* for real *values*; of integers without a scale, for integers."""
    if values.size != info.elements or values.dtype.kind not in "fiub":
        raise InputError(
            f"{path}: {values.dtype} {list(values.shape)}, input '{info.name}' takes"
            f" {info.elements:,} numbers ({info.type_name} {list(info.shape)})"
        )
    tensor = tensor_of(info)
    flat = values.ravel()
    try:
        if tensor.scales:
            tensor.quantize(flat.astype(float).tolist())
        elif info.type_name == "float32":
            tensor.assign(flat.astype(float).tolist())
        else:
            tensor.assign(_integers(path, flat))
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{path}: input '{info.name}': {error}") from error
    return bytes(tensor.data)


def _integers(path, flat):
    if np.any(flat != np.rint(flat)):
        raise InputError(f"{path}: the input has no scale, so it takes only integers")
    return [int(value) for value in flat]


def picture_shape(info):
    """Return (height, width, channels) of the pictures that the input *info* takes, or None.

    A vector is a square picture, row by row.
    """
    shape = tuple(info.shape)
    if len(shape) == 4 and shape[0] == 1:
        shape = shape[1:]
    elif len(shape) == 3 and shape[2] not in CHANNELS and shape[0] == 1:
        shape = (*shape[1:], 1)
    elif len(shape) == 2 and shape[0] != 1:
        shape = (*shape, 1)
    elif len(shape) in (1, 2):
        side = isqrt(info.elements)
        channels = 1
        if side * side != info.elements:
            side, channels = isqrt(info.elements // 3), 3
        shape = (side, side, channels)
    known = len(shape) == 3 and shape[2] in CHANNELS
    return shape if known and np.prod(shape) == info.elements else None


def _picture(path, info, limits):
    try:
        from PIL import Image, UnidentifiedImageError  # an extra
    except ImportError:
        message = f"{path}: pictures need Pillow: pip install pillow"
        raise InputError(message) from None
    shape = picture_shape(info)
    if shape is None:
        raise InputError(
            f"{path}: a picture does not fit input '{info.name}',"
            f" {info.type_name} {list(info.shape)}"
        )
    height, width, channels = shape
    try:
        with Image.open(path) as image:
            size = image.size
            image = image.convert(CHANNELS[channels])  # noqa: PLW2901
            if size != (width, height):
                image = image.resize((width, height), Image.Resampling.BILINEAR)  # noqa: PLW2901
            pixels = np.asarray(image)
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError) as error:
        raise InputError(f"{path}: {error}") from None
    note = f"{size[0]}x{size[1]} to {width}x{height} {'grey' if channels == 1 else 'RGB'}"
    data, rule = _pixels(path, pixels, info, limits)
    return data, f"{note}, 0..255 as {rule}"


def _pixels(path, pixels, info, limits):
    """Return (bytes, what 0..255 became)."""
    kind = info.type_name
    if limits is None and kind in ("int8", "uint8"):
        low = -128 if kind == "int8" else 0
        data = (pixels.astype(np.int16) + low).astype(NUMPY_TYPES[kind])
        return data.tobytes(), f"{low}..{low + 255}"
    low, high = limits or (0.0, 1.0)
    values = pixels.astype(np.float64) / PIXEL * (high - low) + low
    return _numbers(path, values, info), f"{low:g}..{high:g}"


def _sound(path, info, limits, rate):
    samples, full, rate = read_sound(path, info, rate)
    note = f"{len(samples):,} samples at {rate:,} Hz"
    if not tensor_of(info).scales and info.type_name == "int16":
        samples = np.rint(samples * ((1 << 15) / full))
        return _numbers(path, np.clip(samples, -(1 << 15), (1 << 15) - 1), info), note
    low, high = limits
    values = (samples / full + 1) / 2 * (high - low) + low
    return _numbers(path, values, info), f"{note}, as {low:g}..{high:g}"
