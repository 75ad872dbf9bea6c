"""Speak MLPerf Tiny's serial protocol, so that its runner measures this board.

board        tflm deploy kws_ref_model.tflite --port /dev/ttyACM0
unattended   mpremote cp examples/mlperf_tiny.py :main.py
             then main.py of mlcommons/tiny, folder benchmark/runner, with this port

The model is one of the benchmark: kws_ref_model, pretrainedResnet_quant, vww_96_int8 or ad01_int8.
They are not part of tflm: they come from mlcommons/tiny, folder benchmark/training. The program
takes the first that it finds. It ends with a reset only, because Ctrl-C is switched off.
"""

import sys
from array import array
from binascii import hexlify, unhexlify
from time import ticks_diff, ticks_us  # type: ignore[attr-defined]

import tflm

# File: the benchmark's name of the model, and what the runner sends of each input.
MODELS = {
    "kws_ref_model.tflite": ("kws01", "int8"),
    "pretrainedResnet_quant.tflite": ("ic01", "uint8"),
    "vww_96_int8.tflite": ("vww01", "uint8"),
    "ad01_int8.tflite": ("ad01", "float32"),
}
FIRMWARE = "ULPMark for tinyML Firmware V0.0.1"
LONGEST = 80  # characters of a command
LARGEST = 96 * 96 * 3  # bytes that the runner may send
SHOWN = 8  # bytes in a line of "db print"
PERIOD = 0x3FFFFFFF  # microseconds until a board's count restarts: 18 minutes


class Device:
    """Answers the runner's commands with lines.

    name  of the model in the benchmark;  form  type of the numbers that are sent for its input
    """

    def __init__(self, interp: tflm.Interpreter, name: str, form: str) -> None:
        self.interp = interp
        self.name = name
        self.form = form
        self.sent = bytearray()
        self.count = 0  # bytes of it that have come
        self.ready = bytearray(interp.inputs[0].nbytes)  # the input of each run
        self.last = ticks_us()
        self.us = 0  # until then: it never falls, however long nobody asks

    def start(self) -> None:
        print("m-timestamp-mode-performance")
        self.stamp()
        print("m-init-done")
        print("m-ready")

    def stamp(self) -> None:
        now = ticks_us()
        self.us += ticks_diff(now, self.last) & PERIOD
        self.last = now
        print("m-lap-us-%d" % self.us)

    def obey(self, command: str) -> None:
        words = command.split()
        name = words[0] if words else ""
        if name == "name":
            print("m-name-dut-[tflm]")
        elif name == "timestamp":
            self.stamp()
        elif name == "profile":
            print("m-profile-[%s]" % FIRMWARE)
            print("m-model-[%s]" % self.name)
        elif name == "db":
            self.data(words[1:])
        elif name == "infer":
            self.infer(words[1:])
        elif name == "results":
            self.results()
        else:
            print("e-[Unknown command: %s]" % name)
        print("m-ready")

    def data(self, words: list[str]) -> None:
        """Take bytes of an input, or show them: "load N", hex digits, "print"."""
        if not words:
            print("e-[Command 'db' requires a subcommand]")
        elif words[0] == "load":
            count = number(words, 1, 0)
            if count <= 0:
                print("e-[Command 'db load' must be >0 bytes]")
            elif count > LARGEST:
                print("e-[%d bytes, at most %d expected]" % (count, LARGEST))
            else:
                self.sent = bytearray(count)
                self.count = 0
                print("m-[Expecting %d bytes]" % count)
        elif words[0] == "print":
            for i in range(0, len(self.sent), SHOWN):
                print("m-buffer-" + hexlify(self.sent[i : i + SHOWN], "-").decode())
        else:
            self.take(words[0])

    def take(self, digits: str) -> None:
        try:
            part = unhexlify(digits)
        except ValueError:
            print("e-[%s is no even number of hex digits]" % digits)
            return
        left = len(self.sent) - self.count
        if left == 0:
            print("e-[Command 'db load' must come first]")
            return
        part = part[:left]
        self.sent[self.count : self.count + len(part)] = part
        self.count += len(part)
        if len(part) == left:
            print("m-load-done")

    def infer(self, words: list[str]) -> None:
        count, warm_up = number(words, 0, 1), number(words, 1, 10)
        if count <= 0:
            print("e-[Inference iterations must be >0]")
            return
        if warm_up < 0:
            print("e-[Inference warmup must be >=0]")
            return
        if not self.load():
            return
        print("m-warmup-start-%d" % warm_up)
        self.run(warm_up)
        print("m-warmup-done")
        print("m-infer-start-%d" % count)
        self.stamp()
        self.run(count)
        self.stamp()
        print("m-infer-done")
        self.results()

    def load(self) -> bool:
        """Make `ready` of what was sent; return whether that is a whole input."""
        tensor, sent = self.interp.inputs[0], self.sent
        need = len(self.ready) * (4 if self.form == "float32" else 1)
        if self.count != need:
            print("e-[Input db has %d bytes, expected %d]" % (self.count, need))
            return False
        if self.form == "float32":
            tensor.quantize(array("f", sent))
            self.ready[:] = tensor.data
        else:
            flip = 0x80 if self.form == "uint8" else 0
            for i in range(need):
                self.ready[i] = sent[i] ^ flip
        return True

    def run(self, count: int) -> None:
        interp, ready = self.interp, self.ready
        data = interp.inputs[0].data
        for _ in range(count):
            data[:] = ready  # each run overwrites its input
            interp.invoke()

    def results(self) -> None:
        """Print the outputs; of a model that draws its input again, the mean squared error."""
        values = self.interp.outputs[0].dequantize()
        if self.form == "float32":
            total = 0
            for value, right in zip(values, array("f", self.sent)):
                total += (value - right) * (value - right)
            values = [total / len(values)]
        print("m-results-[%s]" % ",".join(["%.3f" % value for value in values]))


def number(words: list[str], place: int, default: int) -> int:
    """Return the number at *place*, -1 where it is none; *default* without one."""
    if place >= len(words):
        return default
    try:
        return int(words[place])
    except ValueError:
        return -1


def find() -> tuple[tflm.Interpreter, str, str] | None:
    """Return (interpreter, name, form) of the first model that is there, or None."""
    for file, (name, form) in MODELS.items():
        for place in ("/rom/" + file, file):
            try:
                return tflm.Interpreter(place), name, form
            except OSError:
                pass
    return None


def serve(device: Device) -> None:
    """Obey the commands of stdin, each with % at its end, until stdin ends."""
    device.start()
    command = ""
    while True:
        letter = sys.stdin.read(1)
        if not letter:
            return
        if letter == "%":
            device.obey(command)
            command = ""
        elif letter >= " " and len(command) < LONGEST:
            command += letter


def main() -> None:
    found = find()
    if found is None:
        print("no model in /rom: deploy one of " + ", ".join(MODELS))
        return
    try:
        from micropython import kbd_intr  # type: ignore[import-not-found]

        kbd_intr(-1)  # the runner's bytes are no Ctrl-C
    except ImportError:
        pass
    serve(Device(*found))


if __name__ == "__main__":
    main()
