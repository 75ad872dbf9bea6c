"""Makes opencv_resize.npz: pictures as OpenCV resizes them, with which tests compare tflm.image.

    pip install opencv-python-headless    # in an environment of its own: the project needs it not
    python tests_host/support/reference/opencv_golden.py

The file has "KIND WAY HEIGHTxWIDTH HEIGHTxWIDTH" for the sizes before and after, uint8 of
[height, width]. It was made with OpenCV 5.0.0; picture() draws what goes in.
"""

from itertools import product
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("opencv_resize.npz")
WAYS = ("bilinear", "area")
# Heights and widths before and after: down, up, odd, one side up and the other one down.
SIZES = (
    ((120, 160), (96, 96)),
    ((120, 160), (48, 48)),
    ((120, 160), (40, 53)),
    ((97, 131), (31, 77)),
    ((61, 33), (60, 32)),
    ((24, 32), (96, 96)),
    ((17, 23), (40, 51)),
    ((13, 90), (29, 31)),
    ((64, 64), (64, 64)),
    ((7, 5), (1, 1)),
)

KINDS = ("soft", "noise")
OF_NOISE = SIZES[3], SIZES[5], SIZES[6]


def picture(kind, height, width):
    """Return a picture, uint8 of [height, width]: soft, with edges and some noise, or noise."""
    place = np.arange(height * width, dtype=np.uint64)
    noise = (place * 2654435761 ^ place >> 3) * 2246822519 >> 24 & 255
    noise = noise.reshape(height, width)
    if kind == "noise":
        return noise.astype(np.uint8)
    y, x = np.mgrid[:height, :width].astype(np.uint64)
    smooth = (3 * x + 2 * y + (x // 9 + y // 7) % 2 * 90) % 256
    return ((3 * smooth + noise) // 4).astype(np.uint8)


def key_of(kind, way, before, after):
    return f"{kind} {way} {before[0]}x{before[1]} {after[0]}x{after[1]}"


def cases():
    """Yield (kind, way, size before, size after) of each picture in the file.

    OpenCV's area is a mean only where both sides shrink.
    """
    for kind, (before, after), way in product(KINDS, SIZES, WAYS):
        if kind == "noise" and (before, after) not in OF_NOISE:
            continue
        if way == "bilinear" or min(b - a for b, a in zip(before, after, strict=True)) >= 0:
            yield kind, way, before, after


def main():
    import cv2  # only who makes the file has it

    how = {"bilinear": cv2.INTER_LINEAR, "area": cv2.INTER_AREA}
    pictures = {}
    for case in cases():
        kind, way, before, after = case
        drawn = picture(kind, *before)
        pictures[key_of(*case)] = cv2.resize(drawn, after[::-1], interpolation=how[way])
    np.savez_compressed(FILE, **pictures)
    print(f"{FILE.name}: {len(pictures)} pictures of OpenCV {cv2.__version__}")


if __name__ == "__main__":
    main()
