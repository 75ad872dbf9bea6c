"""What the camera of an emulated Pico sees: pictures, as RGB565 of the wire's byte order."""

import numpy as np

from .boards import RP2_EMULATORS, folder_of
from .repl import TargetError

WIDTH, HEIGHT = 160, 120


def rgb565(pixels):
    """Return the bytes of *pixels*, uint8 of height, width and 3 channels, high byte first."""
    red, green, blue = np.moveaxis(pixels.astype(np.uint16), -1, 0)
    return (red >> 3 << 11 | green >> 2 << 5 | blue >> 3).astype(">u2").tobytes()


def frames_of(paths, target, width=WIDTH, height=HEIGHT):
    """Return what a camera of *target* sends of the pictures at *paths*, scaled to its size.

    The result is (frames behind each other, bytes of a row, rows of a frame).
    Raises TargetError where *target* has no camera, Pillow is absent or a file is no picture.
    """
    if folder_of(target) not in RP2_EMULATORS:
        able = ", ".join(sorted(RP2_EMULATORS))
        raise TargetError(f"{target} has no emulated camera; boards with one: {able}")
    try:
        from PIL import Image
    except ImportError:
        raise TargetError("pictures for a camera need Pillow: pip install pillow") from None
    frames = []
    for path in paths:
        try:
            with Image.open(path) as picture:
                frames.append(rgb565(np.asarray(picture.convert("RGB").resize((width, height)))))
        except OSError as error:
            raise TargetError(f"{path}: {error}") from None
    return b"".join(frames), 2 * width, height
