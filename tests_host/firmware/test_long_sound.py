"""Fifteen minutes of sound through both front ends of each board, against this machine's lines.

tests_host/runtime/test_audio.py compares those with TFLM's and pymicro-features' own.
"""

import zlib

import pytest

from support.reference.drawn_sound import CHUNKS, RATE, minutes_of_noise
from tflm.audio import Features
from tflm_host.targets.open_target import open_target

MINUTES = 15
SLICE = 20 * RATE - 63  # samples that a board holds at a time: its end is in mid-window
SLOW = {1: 1, 7: 4}  # seconds of a slice that come in chunks of so many samples; then 481
SECONDS = 1800
FRONTS = ("micro", "micro_speech")
TARGETS = ("unix", "MPS2_AN386", "M0PLUS", "RPI_PICO")

SCRIPT = """
from binascii import crc32, hexlify, unhexlify
import tflm.audio
def view_of(path):
    file = open(path, "rb")
    try:
        return memoryview(file)  # where it lies, in flash
    except TypeError:
        return memoryview(file.read())
def hear(path, name, state, chunk, slow):
    features = tflm.audio.Features(name, "raw")
    if state:
        features.load_state(unhexlify(state))
    sound, total, start = view_of(path), 0, 0
    while start < len(sound):
        if slow and start >= slow:
            chunk = 2 * 481
        part = sound[start : start + chunk]
        start += chunk
        at = features.feed(part)
        while features.ready:
            total = crc32(features.line, total)
            at = features.feed(part, at)
    print(total, hexlify(features.save_state()).decode())
"""


def slices():
    """Yield (samples, size of a chunk): each chunk size in turn."""
    sound = minutes_of_noise(MINUTES)
    for number, start in enumerate(range(0, len(sound), SLICE)):
        yield sound[start : start + SLICE], CHUNKS[number % len(CHUNKS)]


@pytest.mark.long
@pytest.mark.parametrize("target", TARGETS)
def test_board_makes_the_lines_of_this_machine(target):
    here = {name: Features(name, "raw") for name in FRONTS}
    states = dict.fromkeys(FRONTS, "")
    for number, (samples, chunk) in enumerate(slices()):
        with open_target(target, [("sound.pcm", samples.tobytes())]) as device:
            device.exec(SCRIPT)
            for name in FRONTS:
                slow = 2 * RATE * SLOW.get(chunk, 0)
                arguments = (device.path("sound.pcm"), name, states[name], 2 * chunk, slow)
                printed = device.exec(f"hear{arguments!r}", SECONDS).split()
                total = 0
                for line in here[name].lines(samples):
                    total = zlib.crc32(line, total)
                state = here[name].save_state().hex()
                assert printed == [str(total), state], f"{name}, slice {number} in {chunk}"
                states[name] = state
