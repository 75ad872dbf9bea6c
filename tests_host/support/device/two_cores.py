"""The emulated Pico with both cores, and what a test asks it."""

import random
import subprocess
from contextlib import contextmanager
from functools import cache

from tflm import Interpreter, Model
from tflm_host.generate.inputs import ARM
from tflm_host.prepare import prepare
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build
from tflm_host.targets.open_target import open_target
from tflm_host.targets.rp2040 import STOPWATCH, TWO_CORES

NAME = "RPI_PICO"
NM = ARM.replace("gcc", "nm")
WORDS = 5  # of tflm_second, in split.h: those that order the cores stand first
SECONDS = 600

# run(path, cores): the outputs of one invoke with the inputs of the file path + ".in", as hex
# digits; split sections and races are counted.
DEVICE = f"""
import binascii, gc, machine, micropython, os, time, tflm
RACES, SECOND = {STOPWATCH + 8:#x}, {{second:#x}}
def load(path):
    interp = tflm.Interpreter("/rom/" + path)
    fill(interp, path)
    return interp
def fill(interp, path):
    with open("/rom/" + path + ".in", "rb") as file:
        for tensor in interp.inputs:
            tensor.assign(file.read(tensor.nbytes))
def outputs(interp):
    return "".join([binascii.hexlify(tensor.data).decode() for tensor in interp.outputs])
def run(path, cores):
    interp = load(path)
    tflm.cores(cores)
    interp.invoke()
    print(outputs(interp), machine.mem32[RACES])
"""


def address_of_words():
    """Return the address of tflm_second in the Pico's firmware."""
    done = subprocess.run([NM, build(NAME)], capture_output=True, text=True, check=True)
    (line,) = (line for line in done.stdout.splitlines() if line.endswith(" tflm_second"))
    return int(line.split()[0], 16)


@cache
def judged(path, is_prepared=False):
    """Return a model for the Pico, the bytes of random inputs, its outputs in hex digits."""
    model = path.read_bytes()
    graph = Model(model).subgraphs[0]
    rng = random.Random(path.name)
    inputs = [rng.randbytes(graph.tensor(i).nbytes) for i in graph.inputs]
    interp = Interpreter(model)
    for tensor, data in zip(interp.inputs, inputs, strict=True):
        tensor.data[:] = data
    interp.invoke()
    wanted = "".join(bytes(tensor.data).hex() for tensor in interp.outputs)
    if is_prepared:
        model = prepare(model, load_board(NAME).isa)
    return model, b"".join(inputs), wanted


def cases_of(paths, is_prepared=False):
    """Return what open_two_cores() takes, and {name: outputs in hex digits}."""
    found = {path.name: judged(path, is_prepared) for path in paths}
    cases = {name: (model, inputs) for name, (model, inputs, _) in found.items()}
    return cases, {name: wanted for name, (_, _, wanted) in found.items()}


@contextmanager
def open_two_cores(cases, miss=None, sync=None, jitter=None, seed=1):
    """Start a Pico with two cores and *cases*, {name: (model, inputs as one bytes)}.

    miss     cycles of a missed line of flash
    sync     addresses of the words that order the cores, to look for races; True: the firmware's
    jitter   cycles by which the cores' times may differ, drawn from seed
    """
    words = address_of_words()
    options = list(TWO_CORES)
    if miss is not None:
        options += ["--miss", str(miss)]
    if sync is not None:
        chosen = [words + 4 * i for i in range(WORDS)] if sync is True else sync
        options += ["--sync", ",".join(map(str, chosen))]
    if jitter is not None:
        options += ["--jitter", str(jitter), "--seed", str(seed)]
    files = [(name, model) for name, (model, _) in cases.items()]
    files += [(f"{name}.in", inputs) for name, (_, inputs) in cases.items()]
    with open_target(NAME, models=files, options=options) as target:
        target.log = target._emulator._log
        target.link = target._emulator.link  # for a Ctrl-C in between
        target.device = DEVICE.format(second=words)
        target.exec(target.device)
        yield target


def sections(target):
    """Return how often kernels have given core 1 work, or both met in it, since it started."""
    return int(target.exec("print(machine.mem32[SECOND + 4] + machine.mem32[SECOND + 12])"))
