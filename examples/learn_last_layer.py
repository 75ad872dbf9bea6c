"""Learn the last layer of digits_cnn again, on the board: digits that lie on their side.

CPython      python examples/learn_last_layer.py
board        mpremote cp models/digits_cnn.tflite examples/digits.pgm : + run \\
                 examples/learn_last_layer.py

The layers before it make 64 features of a picture; only the weights of the dense layer change. A
perceptron learns in integers: where the model is wrong, the features are added to the weights of
the right digit and taken from those of the wrong one. What it learned goes into a new
interpreter; a program of yours may keep it in a file. The lessons are pictures with noise, the
exam has none.
"""

import os

import tflm

FOLDERS = ("", "/rom/", "models/", "examples/", "../models/", "../examples/")
SIDE, DIGITS = 8, 10
NOISE = 3  # of 16 levels of grey
COPIES = 2  # of each picture, in a round
ROUNDS = 30
SHIFT = 5  # a feature of 0..255 moves a weight by 0..7


def find(name: str) -> str:
    """Return the path of file *name*: beside us, in ROMFS, or in a clone of the repository."""
    for folder in FOLDERS:
        try:
            os.stat(folder + name)
            return folder + name
        except OSError:
            pass
    raise OSError("%s is in none of %s" % (name, FOLDERS))


def read_pixels(path: str) -> bytes:
    """Return the pixels, 0 to 16, of a plain text PGM picture."""
    numbers: list[int] = []
    with open(path) as file:
        file.readline()  # P2
        for line in file:
            numbers += [int(word) for word in line.split("#")[0].split()]
    return bytes(numbers[3:])


def turned(pixels: bytes) -> bytes:
    """Return a picture of SIDE x SIDE pixels, turned by a quarter."""
    return bytes([pixels[SIDE * (SIDE - 1 - x) + y] for y in range(SIDE) for x in range(SIDE)])


def noisy(pixels: bytes, seed: int) -> bytes:
    """Return the picture with noise that depends on *seed*."""
    found = bytearray(pixels)
    for i in range(len(found)):
        seed = (seed * 75 + 74) % 65537
        found[i] = min(max(found[i] + seed % (2 * NOISE + 1) - NOISE, 0), 16)
    return bytes(found)


def move(weights: bytearray, row: int, features: bytes, sign: int) -> None:
    """Add int8 *features* to a row of int8 weights, or take them from it."""
    at = row * len(features)
    for i in range(len(features)):
        value = (weights[at + i] ^ 128) - 128 + sign * ((features[i] ^ 128) >> SHIFT)
        weights[at + i] = max(min(value, 127), -127) & 0xFF


class Digits:
    """The model, and the tensors of its last dense layer."""

    def __init__(self) -> None:
        model = tflm.Model(find("digits_cnn.tflite"), prepared=False)
        dense = [op for op in model.operators() if op.name == "FULLY_CONNECTED"][-1]
        self.features, self.weights = dense.inputs[:2]
        self.interp = tflm.Interpreter(model, constants=(self.weights,), preserve_all_tensors=True)

    def guess(self, pixels: bytes) -> int:
        """Return the digit that the model sees."""
        self.interp.inputs[0].quantize([p / 16 for p in pixels])
        self.interp.invoke()
        return self.interp.outputs[0].argmax()

    def right(self, pictures: list[bytes]) -> int:
        """Return how many of the pictures, one of each digit, the model knows."""
        return sum([self.guess(pictures[i]) == i for i in range(len(pictures))])


def learn(digits: Digits, pictures: list[bytes]) -> bytearray:
    """Return the weights after a round of lessons without a fault."""
    interp = digits.interp
    weights = bytearray(interp.tensor(digits.weights).data)
    for lesson in range(ROUNDS):
        faults = 0
        for i in range(COPIES * DIGITS):
            digit = i % DIGITS
            guess = digits.guess(noisy(pictures[digit], lesson * COPIES * DIGITS + i))
            if guess != digit:
                features = bytes(interp.tensor(digits.features).data)
                move(weights, digit, features, 1)
                move(weights, guess, features, -1)
                interp.set_constant(digits.weights, weights)
                faults += 1
        print("round %d: %d of %d wrong" % (lesson, faults, COPIES * DIGITS))
        if not faults:
            break
    return weights


def main() -> None:
    picture = read_pixels(find("digits.pgm"))
    size = SIDE * SIDE
    pictures = [turned(picture[i * size : (i + 1) * size]) for i in range(DIGITS)]
    digits = Digits()
    print("before: %d of %d" % (digits.right(pictures), DIGITS))
    weights = learn(digits, pictures)
    digits = Digits()
    digits.interp.set_constant(digits.weights, weights)
    print("after: %d of %d" % (digits.right(pictures), DIGITS))
    print("arena: %d bytes" % digits.interp.arena_used_bytes())


main()
