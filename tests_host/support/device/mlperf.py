"""What the runner of MLPerf Tiny types to a device, how it reads the replies, and inputs for it.

Source: mlcommons/tiny benchmark/runner/device_under_test.py, serial_device.py and script.py
@1afd2c9.
"""

import time

import numpy as np

import tflm

END, READY = b"%", "m-ready"
PART = 31  # bytes in a command
SECONDS = 120  # of silence, after which the device is given up
REPLIES = 3  # until a program that is there has said its name
# The benchmark's name of a model: its file, the type of what the runner sends for its input.
FORMS = {
    "kws01": ("kws_ref_model", np.int8),
    "ic01": ("pretrainedResnet_quant", np.uint8),
    "vww01": ("vww_96_int8", np.uint8),
    "ad01": ("ad01_int8", np.float32),
}


class Runner:
    """Talks to a device over *link*, which has write() and read(seconds)."""

    def __init__(self, link):
        self._link = link
        self._text = ""

    def command(self, text):
        """Return the lines of the reply, without the last one, "m-ready"."""
        assert len(text) <= 80
        self._link.write(text.encode() + END)
        return self.replies()

    def replies(self):
        lines = []
        while True:
            lines.append(self._line())
            if lines[-1] == READY:
                return lines[:-1]

    def _line(self):
        end = time.monotonic() + SECONDS
        while "\n" not in self._text:
            assert time.monotonic() < end, f"the device is silent behind {self._text!r}"
            self._text += self._link.read(1).decode()
        line, _, self._text = self._text.partition("\n")
        return line.rstrip("\r")

    def load(self, data):
        """Send an input, and return the reply to its last part."""
        assert self.command(f"db load {len(data)}") == [f"m-[Expecting {len(data)} bytes]"]
        for start in range(0, len(data), PART):
            reply = self.command("db " + data[start : start + PART].hex())
            assert reply in ([], ["m-load-done"]), reply
        return reply

    def infer(self, count, warm_up):
        """Return (microseconds of *count* runs, the results)."""
        lines = self.command(f"infer {count} {warm_up}")
        laps = [int(line.removeprefix("m-lap-us-")) for line in lines if "m-lap-us-" in line]
        names = [line for line in lines if "m-lap-us-" not in line]
        assert names[:4] == [
            f"m-warmup-start-{warm_up}",
            "m-warmup-done",
            f"m-infer-start-{count}",
            "m-infer-done",
        ]
        assert [lines.index(line) for line in names[:4]] == [0, 1, 2, 5]
        assert len(names) == 5
        return laps[1] - laps[0], results(names[4])


LOOPS, LEAST_SECONDS = 5, 10  # what the runner asks of its performance mode


def performance(runner, inputs, count, warm_up):
    """Measure as the runner does: return (inferences a second, what it would complain of).

    inputs  of each window. The rate is the median of the windows
    """
    rates, start = [], time.monotonic()
    for data in inputs:
        assert runner.load(data) == ["m-load-done"]
        micros, _ = runner.infer(count, warm_up)
        rates.append(1e6 * count / micros)
    complaints = []
    if len(rates) != LOOPS:
        complaints.append("ERROR 1")
    if time.monotonic() - start < LEAST_SECONDS:
        complaints.append("ERROR 2")
    return float(np.median(rates)), complaints


def accuracy(runner, files):
    """Return the percent of *files*, (bytes, class) each, whose class is right, and the results.

    The largest result is the class that is found; the first one of equal ones.
    """
    found = []
    for data, _ in files:
        assert runner.load(data) == ["m-load-done"]
        found.append(runner.infer(1, 0)[1])
    right = [
        int(np.argmax(np.array(values, float))) == name
        for values, (_, name) in zip(found, files, strict=True)
    ]
    return 100 * sum(right) / len(right), found


def results(line):
    """Return the numbers of a line of results, as they are written."""
    assert line.startswith("m-results-["), line
    assert line.endswith("]"), line
    return line[len("m-results-[") : -1].split(",")


def booted(link):
    """Return a Runner of the program on a board, which may be starting."""
    runner = Runner(link)
    link.write(b"name%")
    for _ in range(REPLIES):  # it may still say that it starts
        if "m-name-dut-[tflm]" in runner.replies():
            return runner
    raise AssertionError("the program has not started")


def drawn(name, seed, more=0):
    """Return an input of the model *name* as the runner's files have them, and *more* values."""
    _, dtype = FORMS[name]
    rng = np.random.default_rng(seed)
    size = {"kws01": 490, "ic01": 32 * 32 * 3, "vww01": 96 * 96 * 3, "ad01": 640}[name] + more
    if dtype is np.float32:
        return rng.normal(-40, 15, size).astype(np.float32)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max + 1, size).astype(dtype)


def expected(model, name, values, real=float):
    """Return the results of *values*, from this machine's interpreter.

    real  type of the device's floats: numpy.float32 on boards
    """
    interp = tflm.Interpreter(str(model))
    tensor = interp.inputs[0]
    if name == "ad01":
        tensor.quantize(values)
    elif name == "kws01":
        tensor.data[:] = values.tobytes()
    else:
        tensor.data[:] = (values.astype(int) - 128).astype(np.int8).tobytes()
    interp.invoke()
    found = np.array(interp.outputs[0].dequantize()).ravel()
    if name == "ad01":
        found = [mean_squared_error(found.astype(real), values.astype(real), real)]
    return [f"{value:.3f}" for value in found]


def mean_squared_error(found, values, real):
    """Return it as the program computes it, one after the other."""
    total = real(0)
    for difference in found - values:
        total += difference * difference
    return total / real(len(found))
