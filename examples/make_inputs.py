"""Draw the inputs of the other examples: python examples/make_inputs.py [FOLDER].

scene.pgm  96x96 grey pixels: a figure with head, shoulders and legs in front of a bright wall
clip.pgm   40x49: loudness in 40 bands of pitch (to the right) for 49 moments (downwards), of a
           made-up second of "speech": a gliding voice, a hiss behind it, noise all the time
moves.csv  50 samples a second of an accelerometer, thousandths of g: still, a wave, a knock
activity.csv  32 samples a second of one: a made-up person stands, walks, runs, stands
balloons.rgb565   three frames of 80x60 pixels, the high byte first: green and purple balloons

Nobody was photographed and nothing was recorded: these files show that an example reads, runs and
reports, not how often a model is right. Anything that writes such files can take their place. In
a binary PGM file the pixels are the int8 input of the model plus 128.
"""

import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

SIDE = 96
BANDS, MOMENTS = 40, 49
WIDTH, HEIGHT = 80, 60
GREEN, PURPLE, WALL = (100, 180, 80), (140, 100, 180), (90, 90, 90)
# Of each frame: (x, y, radius, colour) of the balloons.
Flight = tuple[tuple[int, int, int, tuple[int, int, int]], ...]
FLIGHT: tuple[Flight, ...] = (
    (),
    ((24, 20, 5, GREEN), (60, 40, 5, PURPLE)),
    ((30, 16, 5, GREEN), (60, 24, 5, PURPLE), (14, 44, 5, GREEN)),
)
# Of the movements: (what, from this sample, to that one).
MOVES = (("wave", 96, 208), ("knock", 288, 289), ("wave", 400, 496))
SAMPLES = 560
# Of a person: steps a second, g up and down, to the side, how sharp a step is; noise in 1/1000 g.
Gait = tuple[float, float, float, float, int]
STILL: Gait = (1.0, 0.0, 0.0, 0.0, 40)
GAITS: tuple[tuple[Gait, int], ...] = (  # and how many samples of it
    (STILL, 192),
    ((1.87, 0.34, 0.14, 0.4, 90), 256),
    ((2.81, 1.22, 0.33, 0.6, 160), 192),
    (STILL, 128),
)
PACE = 32  # samples a second of a person


def noise(seed: int) -> Iterator[int]:
    """Yield numbers in 0..255 for ever, the same for the same *seed*."""
    while True:
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        yield seed >> 16 & 255


def scene_pixel(x: int, y: int) -> int:
    """Return the grey of a place in the scene, without noise."""
    if (x - 48) ** 2 + (y - 24) ** 2 < 11**2:  # head
        return 150 if y > 20 else 60  # under dark hair
    if 34 <= y < 62 and abs(x - 48) < 20 - max(0, 42 - y):  # shoulders and arms
        return 70
    if 62 <= y < 90 and 2 < abs(x - 48) < 12:  # legs
        return 40
    return 190 - y // 2 if y < 80 else 110  # wall and floor


def clip_loudness(band: int, moment: int) -> int:
    """Return the loudness of a band at a moment of the clip, without noise."""
    if 12 <= moment < 26:  # the voice: three bands of resonance, gliding
        glide = (moment - 12) / 14
        centres = (6 + 4 * glide, 18 + 8 * glide, 30 - 2 * glide)
        return max(0, 215 - int(22 * min(abs(band - centre) for centre in centres)))
    if 26 <= moment < 34:  # the hiss
        return 60 + 3 * band
    return 25


def upward(moment: int) -> float:
    """Return the movement along z at a sample, in g, without noise and gravity."""
    for what, first, last in MOVES:
        if what == "knock":
            if abs(moment - first) < 4:
                return math.exp(-((moment - first) ** 2))
        elif first <= moment < last:
            return math.sin((moment - first) / 2)
    return 0.0


def movements(seed: int) -> str:
    """Return the table of an accelerometer that is moved up and down, with some noise."""
    values = noise(seed)
    lines = []
    for moment in range(SAMPLES):
        x, y, z = ((sum(next(values) for _ in range(4)) - 510) // 4 for _ in range(3))
        lines.append("%d,%d,%d\n" % (x, y, z + 1000 + round(1000 * upward(moment))))
    return "".join(lines)


def gait(own: Gait, count: int, seed: int, start: float = 0.0) -> list[tuple[int, int, int]]:
    """Return *count* samples of a person, in thousandths of g; *start* is a part of a step.

    z goes up and down at each step. x, forwards, follows it; y, sideways, takes two steps.
    """
    steps, up, side, sharp, grain = own
    values = noise(seed)
    samples = []
    for moment in range(count):
        phase = 2 * math.pi * (start + steps * moment / PACE)
        z = up * (math.sin(phase) + sharp * math.sin(2 * phase + 1))
        x = 0.4 * up * math.sin(phase + 0.8)
        y = side * math.sin(phase / 2)
        a, b, c = ((sum(next(values) for _ in range(4)) - 510) * grain // 300 for _ in range(3))
        moved = round(1000 * x) + a, round(1000 * y) + b, round(1000 * (1 + z)) + c
        samples.append(moved)
    return samples


def person(seed: int) -> str:
    """Return the table of a person who stands, walks, runs and stands again."""
    lines = []
    for i, (own, count) in enumerate(GAITS):
        lines += ["%d,%d,%d\n" % sample for sample in gait(own, count, seed + i)]
    return "".join(lines)


def frame(balloons: Flight, seed: int) -> bytes:
    """Return the bytes of a frame of RGB565 with *balloons* and some noise."""
    values = noise(seed)
    data = bytearray()
    for y in range(HEIGHT):
        for x in range(WIDTH):
            colour = WALL
            for left, top, radius, own in balloons:
                if (x - left) ** 2 + (y - top) ** 2 <= radius**2:
                    colour = own
            grain = (next(values) - 128) // 32
            red, green, blue = (part + grain for part in colour)
            data += (red >> 3 << 11 | green >> 2 << 5 | blue >> 3).to_bytes(2, "big")
    return bytes(data)


def picture(width: int, height: int, value: Callable[[int, int], int], seed: int) -> bytes:
    """Return the bytes of a binary PGM file of value(x, y) and some noise."""
    values = noise(seed)
    grain = ((next(values) - 128) // 16 for _ in range(width * height))
    places = ((x, y) for y in range(height) for x in range(width))
    pixels = bytes(min(255, max(0, value(x, y) + next(grain))) for x, y in places)
    return b"P5\n%d %d\n255\n" % (width, height) + pixels


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    (folder / "scene.pgm").write_bytes(picture(SIDE, SIDE, scene_pixel, 1))
    (folder / "clip.pgm").write_bytes(picture(BANDS, MOMENTS, clip_loudness, 2))
    (folder / "moves.csv").write_text(movements(3))
    (folder / "activity.csv").write_text(person(8))
    frames = [frame(balloons, 4 + i) for i, balloons in enumerate(FLIGHT)]
    (folder / "balloons.rgb565").write_bytes(b"".join(frames))


if __name__ == "__main__":
    main()
