"""What tflm.image.Fit computes, from its definitions in docs/camera.md: numpy, whole pictures."""

from fractions import Fraction

import numpy as np

BAYER = {"rggb": (0, 0), "grbg": (0, 1), "gbrg": (1, 0), "bggr": (1, 1)}  # where red is
ONE = 1 << 14


def bytes_of(name, width, height, rng):
    """Return a random frame, uint8 of [height, bytes of a row]."""
    size = {"rgb565": 2, "rgb888": 3, "grey": 1, "yuv422": 2, "bayer": 1}[name]
    return rng.integers(0, 256, (height, width * size), dtype=np.uint8)


def grey_of(rgb):
    r, g, b = np.moveaxis(rgb.astype(int), -1, 0)
    return (19595 * r + 38470 * g + 7471 * b + 32768 >> 16)[..., None]


def pixels(frame, name, order, channels):
    """Return ints of [height, width, channels]."""
    rows = frame.astype(int)
    if name == "grey":
        return np.repeat(rows[..., None], channels, -1)
    if name == "rgb565":
        first, second = rows[:, 0::2], rows[:, 1::2]
        word = first << 8 | second if order == "big" else second << 8 | first
        r, g, b = word >> 11, word >> 5 & 63, word & 31
        rgb = np.stack([r * 8 + r // 4, g * 4 + g // 16, b * 8 + b // 4], -1)
    elif name == "rgb888":
        rgb = rows.reshape(len(rows), -1, 3)
    elif name == "yuv422":
        luma = rows[:, 0::2] if order == "yuyv" else rows[:, 1::2]
        chroma = rows[:, 1::2] if order == "yuyv" else rows[:, 0::2]
        if channels == 1:
            return luma[..., None]
        u, v = (np.repeat(chroma[:, i::2], 2, 1) - 128 for i in (0, 1))
        rgb = [
            luma + (91881 * v + 32768 >> 16),
            luma - (22554 * u + 46802 * v + 32767 >> 16),
            luma + (116130 * u + 32768 >> 16),
        ]
        rgb = np.clip(np.stack(rgb, -1), 0, 255)
    else:
        y, x = BAYER[order]
        greens = rows[y::2, 1 - x :: 2] + rows[1 - y :: 2, x::2]
        rgb = np.stack([rows[y::2, x::2], greens + 1 >> 1, rows[1 - y :: 2, 1 - x :: 2]], -1)
    return grey_of(rgb) if channels == 1 else rgb


def taps(mode, before, after):
    """Return the matrix of weights [after, before], and what each of its rows adds up to."""
    weights = np.zeros((after, before), int)
    one = 256 if mode == "bilinear" else ONE
    for i in range(after):
        if mode == "nearest":
            weights[i, (2 * i + 1) * before // (2 * after)] = one
        elif mode in ("bilinear", "edge"):
            at = (2 * i + 1) * before * 128 // after - 128
            if mode == "edge":
                at = ONE // 2 + i * (before * ONE // after)
            k, part = divmod(min(max(at, 0), (before - 1) * one), one)
            weights[i, k] += one - part
            weights[i, min(k + 1, before - 1)] += part
        else:
            weights[i] = shares(mode, before, after, i)
    return weights, one


def shares(mode, before, after, i):
    """Return the weights of pixel i: shares of it, rounded half up; the largest takes the rest."""
    k = np.arange(before)
    if mode == "area":  # in units of 1 / after
        low, high = (
            np.maximum(i * before, k * after),
            np.minimum((i + 1) * before, (k + 1) * after),
        )
        real = np.maximum(high - low, 0)
    else:  # of a triangle around the middle, in units of 1 / (2 after)
        far = np.abs((2 * k + 1) * after - (2 * i + 1) * before)
        real = np.maximum(2 * max(before, after) - far, 0)
    found = (2 * ONE * real + real.sum()) // (2 * real.sum())
    found[real.argmax()] += ONE - found.sum()
    return found


def resized(picture, mode, height, width):
    """Return the picture with other sides: along rows first, each rounded half up."""
    for axis, after in ((1, width), (0, height)):
        weights, one = taps(mode, picture.shape[axis], after)
        sums = np.moveaxis(np.tensordot(weights, picture, ([1], [axis])), 0, axis)
        picture = sums + one // 2 >> one.bit_length() - 1
    return picture


def placed(fit, part, width, height):
    """Return the part (x, y, width, height) that is taken, and its place in the input."""
    x, y, w, h = part
    if fit == "crop":
        if w * height > h * width:
            w = max(h * width // height, 1)
        else:
            h = max(w * height // width, 1)
        return (x + (part[2] - w) // 2, y + (part[3] - h) // 2, w, h), (0, 0, width, height)
    if fit == "squash":
        return part, (0, 0, width, height)
    scale = min(Fraction(width, w), Fraction(height, h))
    inside = [max(int(n * scale + Fraction(1, 2)), 1) for n in (w, h)]
    return part, ((width - inside[0]) // 2, (height - inside[1]) // 2, *inside)


def fitted(frame, name, shape, order=None, fit="crop", resize="bilinear", rotate=0, **options):
    """Return the pixels of the input, ints of *shape* [height, width, channels]."""
    height, width, channels = shape
    if rotate % 180:
        height, width = width, height
    picture = pixels(frame, name, order, channels)
    scale = 2 if name == "bayer" else 1
    whole = 0, 0, scale * picture.shape[1], scale * picture.shape[0]
    part = [n // scale for n in options.get("window") or whole]
    (x, y, w, h), (left, top, columns, rows) = placed(fit, part, width, height)
    found = np.empty((height, width, channels), int)
    found[:] = options.get("fill", 0) if channels == 3 else np.ravel(options.get("fill", 0))[:1]
    found[top : top + rows, left : left + columns] = resized(
        picture[y : y + h, x : x + w], resize, rows, columns
    )
    return np.rot90(found, -(rotate // 90))


def values(pixels, dtype, span=None, mean=None, std=None, scale=0.0, zero_point=0):
    """Return pixels as the input's elements, each step in float32."""
    low = {"int8": -128, "uint8": 0}.get(dtype)
    if low is not None and span is None and mean is None and std is None:
        return (pixels + low).astype(dtype)
    f = np.float32
    bottom, top = (f(n) for n in span or (0, 1))
    real = pixels.astype(f) * (top - bottom) / f(255) + bottom
    real = (real - f(0 if mean is None else mean)) / f(1 if std is None else std)
    if low is None:
        return real
    quotient = (real / f(scale)).astype(float)
    whole = np.trunc(quotient + np.copysign(0.5, quotient))
    return np.clip(whole + zero_point, low, low + 255).astype(dtype)
