"""Writes activity.tflite, without TensorFlow: python models/numpy/activity.py [FOLDER].

It draws 120 people who stand, walk or run (see examples/make_inputs.py), and takes spectral
features of two seconds of each. A layer of eight filters and one of three classes are trained by
the code of `tflm train`. The same seed gives the same bytes on one kind of processor.
"""

import random
import runpy
import sys
from pathlib import Path

import numpy as np

from tflm.stream import Spectral, Window
from tflm_host.model import network

HERE = Path(__file__).resolve().parent
GAIT = runpy.run_path(str(HERE.parents[1] / "examples" / "make_inputs.py"))["gait"]
PEOPLE, WINDOWS = 120, 2
SAMPLES, RATE = 64, 32
FILTERS, EPOCHS = 8, 60
# Of make_inputs.Gait, for each class: from, to.
KINDS = (
    ((1.0, 1.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (20, 80)),
    ((1.5, 2.2), (0.2, 0.5), (0.05, 0.25), (0.2, 0.6), (60, 150)),
    ((2.4, 3.2), (0.8, 1.6), (0.15, 0.5), (0.3, 0.8), (100, 250)),
)


def drawn(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return features of windows [n, size], and their classes [n]."""
    draw = random.Random(seed)
    spectral = Spectral(samples=SAMPLES, rate=RATE, axes=3, fft_length=16)
    window = Window(spectral.input, hop=SAMPLES, unit=0.001)
    features, classes = [], []
    for i in range(PEOPLE):
        kind = i % len(KINDS)
        *own, grain = (draw.uniform(*ends) for ends in KINDS[kind])
        count, start = SAMPLES * WINDOWS, draw.random()
        for sample in GAIT((*own, int(grain)), count, draw.randrange(1 << 30), start):
            if window.add(sample):
                spectral.write()
                features.append(list(spectral.output))
                classes.append(kind)
    return np.array(features), np.array(classes)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    values, classes = drawn(1)
    shape = 1, values.shape[1]
    net = network.train(values, classes, shape, len(KINDS), FILTERS, EPOCHS, seed=1)
    data = network.write(net, values, description="models/numpy/activity.py")
    (folder / "activity.tflite").write_bytes(data)


if __name__ == "__main__":
    main()
