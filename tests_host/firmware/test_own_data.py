"""Record, train, measure: the loop of docs/own-data.md by its commands, on an emulated Pico."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from support.models.tones import RATE, tone
from tflm.hearing import listen as tflm_listen
from tflm.sources import Samples
from tflm_host.__main__ import main
from tools.test_json_keys import undocumented

PICO = "RPI_PICO"
COUNT = 4  # sounds of a class
MOVED = 10  # movements of a class
SECONDS = 0.2
LINES = 9  # of 480 samples, a new one each 320
# What the accelerometer of a board feels, a function of the number of the call.
MOVES = {
    "still": "0.02 * ((calls * 7) % 5), 9.81, 0.01 * ((calls * 3) % 4)",
    "shake": "8 * sin(calls * 1.1), 9.81 + 3 * sin(calls * 1.7), 0.1 * (calls % 3)",
    "turn": "3 * sin(calls / 9), 9.81 * cos(calls / 9), 9.81 * sin(calls / 9)",
}
DRIVER = """
from math import cos, sin
calls = {start}
def read():
    global calls
    calls += 1
    return {values}
"""


def tflm(*arguments):
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def measured(folder, classes, count):
    """Train from the folder data and measure on the Pico; check both, return what was printed."""
    model = folder / "model.tflite"
    trained = json.loads(tflm("train", folder / "data", "-o", model, "--json"))
    assert undocumented("train", trained) == (set(), set())
    assert (trained["classes"], trained["files"]) == (classes, count * len(classes))
    held = -(-count // 5) * len(classes)
    assert (trained["held_out"], trained["right"]) == (held, held)
    options = ["accuracy", model, "--input", folder / "data"]
    there = json.loads(tflm(*options, "--port", PICO, "--json"))
    assert there["confusion"] == {name: {name: count} for name in classes}
    here = json.loads(tflm(*options, "--json"))
    assert (here["files"], here["arena_used_bytes"]) == (there["files"], there["arena_used_bytes"])
    return tflm(*options, "--port", PICO)


def test_sounds_of_the_microphone_are_learned_and_told_apart_on_the_board(tmp_path):
    noise = np.random.default_rng(1).normal(0, 3000, RATE).astype("<i2").tobytes()
    sounds = {"high": tone(2500, RATE), "low": tone(500, RATE), "noise": noise}
    for label, samples in sounds.items():
        mic = tmp_path / f"{label}.wav"
        Samples(samples).save(str(mic))
        options = ["--port", PICO, "--mic", mic, "--seconds", SECONDS, "--pause", 0]
        tflm("record", *options, "--count", COUNT, "-o", tmp_path / "data" / label)
    printed = measured(tmp_path, list(sounds), COUNT)
    assert "files by class (row) and answer (column)" in printed
    assert f"{3 * COUNT} of {3 * COUNT} right: 100.0 %" in printed
    # The model says itself which features it reads, and what its classes are called.
    shown = tflm("run", tmp_path / "model.tflite", "--input", tmp_path / "data/low/low-001.wav")
    assert f"{LINES} lines of features" in shown
    assert "  low " in shown


def test_movements_of_an_accelerometer_are_learned_and_told_apart_on_the_board(tmp_path):
    for start, (label, values) in enumerate(MOVES.items()):
        driver = tmp_path / "imu.py"
        driver.write_text(DRIVER.format(start=13 * start, values=values))
        options = ["--port", PICO, "--source", "imu", "--driver", driver, "--seconds", 0.4]
        options += ["--count", MOVED, "--pause", 0]
        tflm("record", *options, "-o", tmp_path / "data" / label)
    printed = measured(tmp_path, sorted(MOVES), MOVED)
    assert f"{3 * MOVED} of {3 * MOVED} right: 100.0 %" in printed


def heard(rng, hertz, before, seconds=1):
    """Return *seconds* of faint noise with a tone of 0.4 s in it, *before* seconds after begin."""
    sound = rng.normal(0, 30, int(seconds * RATE))
    if hertz:
        part = np.frombuffer(tone(hertz, 2 * RATE // 5, phase=rng.uniform(0, 6)), "<i2")
        start = int(before * RATE)
        sound[start : start + len(part)] += part
    return np.clip(sound, -32768, 32767).astype("<i2").tobytes()


@pytest.mark.parametrize("front", ["micro", "micro_speech"])
def test_trained_model_hears_its_classes_in_sound_that_goes_on(tmp_path, front):
    rng = np.random.default_rng(1)
    for label, hertz in {"_noise_": None, "high": 2500, "low": 500}.items():
        for i in range(MOVED):
            path = tmp_path / "data" / label / f"{i}.wav"
            path.parent.mkdir(parents=True, exist_ok=True)
            Samples(heard(rng, hertz, rng.uniform(0.1, 0.5))).save(str(path))
    model = tmp_path / "tones.tflite"
    tflm("train", tmp_path / "data", "-o", model, "--front", front)
    ear = tflm_listen(str(model), front=front, labels=("_noise_", "high", "low"))
    for label, hertz in {"high": 2500, "low": 500}.items():
        ear.reset()
        sound = Samples(heard(rng, hertz, 2, seconds=5))
        events = [(event.label, event.time) for event in ear(sound)]
        assert [label for label, _ in events] == [label]
        assert 2.4 < events[0][1] < 3.4
