"""The examples of sound run unattended from the Pico's flash, and hear its microphone."""

import importlib.util
import json
import re
import time
from array import array

import numpy as np
import pytest

import tflm
from support.device.rp2040js import require_rp2040js
from tflm.sources import Samples
from tflm_host.model.log_mel import LogMel, log_mel_model
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build
from tflm_host.targets.links import SerialLink
from tflm_host.targets.microphone import samples_of
from tflm_host.targets.open_target import mpremote
from tflm_host.targets.romfs import build_romfs
from tflm_host.targets.rp2040 import Rp2040Emulator

EXAMPLES = ROOT / "examples"
PICO = "RPI_PICO"
LEAVE_RAW, SOFT_RESET = b"\2", b"\4"  # control characters of the REPL
SECONDS = 300
WAKE = {
    "wake_word": "okay nabu",
    "model": "okay_nabu.tflite",
    "version": 2,
    "micro": {
        "probability_cutoff": 0.97,
        "feature_step_size": 10,
        "sliding_window_size": 5,
    },
}


@pytest.fixture(scope="module", autouse=True)
def _node():
    require_rp2040js()


def unattended(name, sound, files, awaited):
    """Return what examples/*name* prints as main.py, up to what matches *awaited*."""
    build(PICO)
    image = build_romfs(files) if files else None
    with Rp2040Emulator(load_board(PICO), image, pty=True, mic=sound) as emulator:
        mpremote(emulator.port, "cp", str(EXAMPLES / name), ":main.py")
        link = SerialLink(emulator.port)
        link.write(LEAVE_RAW + SOFT_RESET)
        printed, end = b"", time.monotonic() + SECONDS
        while not re.search(awaited, printed) and time.monotonic() < end:
            printed += link.read(10)
        link.close()
    text = printed.decode()
    assert re.search(awaited.decode(), text), text
    return text


def test_level_shows_the_peaks(tmp_path):
    wave = [16384 if i % 32 < 16 else -16384 for i in range(8000)]
    quiet = [value // 32 for value in wave]
    path = tmp_path / "wave.wav"
    Samples(array("h", 2 * wave + 2 * quiet)).save(str(path))
    text = unattended("level.py", samples_of(path, PICO), [], rb"-36 dB #+\r?\n")
    bars = dict(re.findall(r"(-\d+) dB (#+)\r?\n", text))
    assert len(bars["-6"]) == 26
    assert len(bars["-36"]) == 11


def test_yes_switches_the_led_on(shared):
    model = next(shared.rglob("micro_speech_quantized.tflite"))
    # Without a pause the mean score of the repeated word is 195 to 205, and the threshold is 200.
    sound = samples_of(shared / "sense" / "data" / "yes_1000ms.wav", PICO) + bytes(64000)
    files = [("micro_speech_quantized.tflite", model.read_bytes())]
    text = unattended("yes_no.py", sound, files, rb" at \d+\.\d+ s")
    assert re.search(r"Hz, level -\d+ dB, 0 of 8,000 clipped", text)
    assert re.search(r"^yes 0\.\d+ at \d\.\d\d s", text, re.MULTILINE)


def test_wake_word_is_heard(shared):
    model = next((shared / "zoo").rglob("okay_nabu-0689ab.tflite")).read_bytes()
    sound = samples_of(shared / "sense" / "data" / "nabu.wav", PICO)
    files = [
        ("okay_nabu.tflite", prepare(model, "armv6m")),
        ("okay_nabu.json", json.dumps(WAKE).encode()),
    ]
    text = unattended("wake_word.py", sound, files, rb" at \d+\.\d+ s")
    assert re.search(r"^okay nabu 0\.9\d at \d\.\d\d s", text, re.MULTILINE)


def hum(seconds, knock):
    """Return the sound of a machine: tones and noise; with *knock* it is broken."""
    at = np.arange(round(16000 * seconds)) / 16000
    rng = np.random.default_rng(1)
    sound = sum(2000 / k * np.sin(2 * np.pi * 120 * k * at) for k in (1, 2, 5))
    sound += rng.normal(0, 1000, len(at))
    sound += knock * rng.normal(0, 1, len(at)) * (at * 16 % 1 < 0.2)
    return sound.clip(-32768, 32767).astype(np.int16)


@pytest.mark.parametrize("board", [None, pytest.param(PICO, marks=pytest.mark.long)])
def test_machine_that_sounds_otherwise_is_told(shared, tmp_path, capsys, board):
    """On this machine alone in `make test`: a Pico takes 100 seconds of a core."""
    sound = np.concatenate([hum(3, 0), hum(1, 8000)])
    path = tmp_path / "machine.wav"
    Samples(sound).save(str(path))
    ad01 = (shared / "models" / "ad01_int8.tflite").read_bytes()
    graph = tflm.Interpreter(ad01).inputs[0]
    settings = LogMel(scale=graph.scale, zero_point=graph.zero_point, n_fft=1024, n_mels=128)
    front = log_mel_model(settings)
    spec = importlib.util.spec_from_file_location("machine_example", EXAMPLES / "machine_sound.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    interps = tflm.Interpreter(front), tflm.Interpreter(ad01)
    shown = []
    example.watch(example.scores(Samples(sound), *interps), shown.append)
    here = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in here[:17]] == ["learning"] * 16 + ["usual"]
    assert not shown[0]
    assert all(shown[4:])
    if board is None:
        return
    files = [("ad01_int8.tflite", ad01), ("ad01_features.tflite", front)]
    there = unattended(
        "machine_sound.py", samples_of(path, board), files, rb"strange\r?\n"
    ).splitlines()
    form = r"\d+\.\d (learning|usual|strange)"
    scores = [line for line in there if re.fullmatch(form, line)]
    assert scores == here[: len(scores)]
    assert len(scores) > 16


@pytest.mark.parametrize(
    ("name", "place"), [("yes_no.py", "tflite-micro"), ("wake_word.py", "ESPHome")]
)
def test_example_without_model_says_where_it_comes_from(name, place):
    text = unattended(name, bytes(64), [], rb"is missing: .*\n")
    assert place in text
