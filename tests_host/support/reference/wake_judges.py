"""What hears beside tflm: TFLM's models, pymicro-features, pymicro-wakeword."""

import importlib.util
import platform

import numpy as np

STEP, WINDOW = 160, 480
FRAMES_APART = 100  # runs that fire belong to one event up to so many lines
UNIT = 0.0390625  # of pymicro-features
LIBC = ("glibc", "2.36")  # whose log1pf makes the weights of tflm and of this package the same
PACKAGES = ("pymicro_features", "pymicro_wakeword", "tflite_micro")
MODELS = ("okay_nabu", "alexa", "hey_jarvis")


def missing():
    """Return why nothing can be compared here, "" where it can."""
    for name in PACKAGES:
        if importlib.util.find_spec(name) is None:
            return f"{name} is not installed"
    if platform.libc_ver() != LIBC:
        return "pymicro-features computes with this machine's C library: glibc 2.36 expected"
    return ""


def paths_of_models():
    """Return the paths of pymicro-wakeword's JSON files."""
    from pymicro_wakeword.microwakeword import _MODELS_DIR

    return [_MODELS_DIR / f"{name}.json" for name in MODELS]


class Tflm:
    """A model in TFLM itself, in this process; state stays from run to run."""

    def __init__(self, model):
        from tflite_micro.python.tflite_micro import runtime

        self._interp = runtime.Interpreter.from_bytes(model, arena_size=10 * len(model) + 65536)
        details = self._interp.get_input_details(0)
        self._shape, self._dtype = details["shape"], details["dtype"]

    def run(self, values):
        """Return the first output."""
        self._interp.set_input(values.astype(self._dtype, copy=False).reshape(self._shape), 0)
        self._interp.invoke()
        return self._interp.get_output(0).ravel()


def lines_of_tflm(preprocessor, samples, step=320):
    """Return the lines that TFLM's model *preprocessor* (bytes) makes of *samples*, int8."""
    model = Tflm(preprocessor)
    starts = range(0, len(samples) - WINDOW + 1, step)
    return np.array([model.run(samples[start : start + WINDOW]) for start in starts])


def lines_of_pymicro(samples):
    """Return the lines of pymicro-features, uint16 as tflm's "raw" has them."""
    from pymicro_features import MicroFrontend

    front, data, at, lines = MicroFrontend(), samples.tobytes(), 0, []
    while at + 2 * STEP <= len(data):
        done = front.process_samples(data[at : at + 2 * STEP])
        at += 2 * done.samples_read
        if done.features:
            lines.append(done.features)
    values = np.rint(np.array(lines) / UNIT)
    assert np.array_equal(values * UNIT, np.array(lines))
    return values.astype(np.uint16)


def scores_of_tflm(model, lines):
    """Return the score of each run of the wake word *model* (bytes) on int8 *lines* in TFLM."""
    judge = Tflm(model)
    stride = int(judge._shape[1])
    runs = lines[: len(lines) // stride * stride].reshape(-1, stride, lines.shape[1])
    return np.array([judge.run(run)[0] for run in runs])


def fires_of_pymicro(path, raw):
    """Return the first line, from 1 on, of each event of pymicro-wakeword on *raw* lines.

    Also the lines that it takes a run.
    """
    from pymicro_wakeword import MicroWakeWord

    word, fires = MicroWakeWord.from_config(path), []
    for number, line in enumerate(raw * UNIT, 1):
        if word.process_streaming(line.reshape(1, 1, -1).astype(np.float32)):
            fires.append(number)
    firsts, last = [], -FRAMES_APART
    for number in fires:
        if number - last > FRAMES_APART:
            firsts.append(number)
        last = number
    return firsts, word.stride
