"""Read handwritten digits from a picture file; print each one with the model's prediction.

CPython      python examples/digits.py
board        mpremote cp models/digits_cnn.tflite examples/digits.pgm : + run examples/digits.py

digits.pgm holds ten digits of 8x8 grey pixels, one below the other, that were not used in
training.
"""

import os

import tflm

FOLDERS = ("", "/rom/", "models/", "examples/", "../models/", "../examples/")
SHADES = " .:-=+*#%@"


def find(name: str) -> str:
    """Return the path of file *name*: beside us, in ROMFS, or in a clone of the repository."""
    for folder in FOLDERS:
        try:
            os.stat(folder + name)
            return folder + name
        except OSError:
            pass
    raise OSError("%s is in none of %s" % (name, FOLDERS))


def read_pgm(path: str) -> tuple[int, int, int, bytes]:
    """Return (width, height, white, pixels) of a plain text PGM picture."""
    numbers = []
    with open(path) as file:
        if file.readline().strip() != "P2":
            raise ValueError("%s is not a plain PGM file" % path)
        for line in file:
            numbers += [int(word) for word in line.split("#")[0].split()]
    return numbers[0], numbers[1], numbers[2], bytes(numbers[3:])


def show(pixels: bytes, width: int, white: int) -> None:
    """Print *pixels* as text, two characters each because characters are tall."""
    darkest = len(SHADES) - 1
    for row in range(0, len(pixels), width):
        print("".join([2 * SHADES[p * darkest // white] for p in pixels[row : row + width]]))


def main() -> None:
    """Classify every digit of the picture."""
    width, height, white, picture = read_pgm(find("digits.pgm"))
    interp = tflm.Interpreter(find("digits_cnn.tflite"))
    image, answer = interp.inputs[0], interp.outputs[0]
    size = width * width
    for start in range(0, width * height, size):
        pixels = picture[start : start + size]
        show(pixels, width, white)
        image.quantize([p / white for p in pixels])  # the model was trained on 0..1
        interp.invoke()
        digit = answer.argmax()
        print("this is a %d (%d %%)\n" % (digit, 100 * answer.dequantize()[digit] + 0.5))
    print("arena: %d bytes" % interp.arena_used_bytes())


main()
