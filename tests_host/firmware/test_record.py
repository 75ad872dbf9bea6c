"""`tflm record` on an emulated Pico, and `tflm accuracy` on what it wrote: the loop of data."""

import json
import wave

import numpy as np
import pytest
from click.testing import CliRunner

from support.models.tones import HERTZ, RATE, SAMPLES, tone, tones_model
from tflm.sources import Samples
from tflm_host.__main__ import main
from tflm_host.targets import recording
from tflm_host.targets.repl import TargetError
from tools.test_json_keys import undocumented

PICO = "RPI_PICO"
SECONDS = SAMPLES / RATE


def tflm(*arguments):
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def record(folder, mic, *more):
    options = ["--port", PICO, "--seconds", SECONDS, "--pause", 0, "--mic", mic, "-o", folder]
    return tflm("record", *options, *more)


def test_recorded_tones_are_told_apart_on_the_pc_and_on_the_board(tmp_path):
    for label, hertz in HERTZ.items():
        sound = tmp_path / f"{label}.wav"
        Samples(tone(hertz, RATE)).save(str(sound))
        answer = json.loads(record(tmp_path / "data" / label, sound, "--count", 2, "--json"))
        assert undocumented("record", answer) == (set(), set())
        assert [file["samples"] for file in answer["files"]] == [SAMPLES] * 2
    names = sorted(path.name for path in (tmp_path / "data").rglob("*.wav"))
    assert names == ["high-001.wav", "high-002.wav", "low-001.wav", "low-002.wav"]
    with wave.open(str(tmp_path / "data" / "low" / "low-001.wav")) as file:
        form = file.getframerate(), file.getnchannels(), file.getsampwidth(), file.getnframes()
        heard = np.frombuffer(file.readframes(SAMPLES), "<i2")
    assert form == (RATE, 1, 2, SAMPLES)
    spectrum = np.abs(np.fft.rfft(heard))
    assert spectrum.argmax() * RATE / SAMPLES == HERTZ["low"]
    model = tmp_path / "model.tflite"
    model.write_bytes(tones_model())
    arguments = ["accuracy", model, "--input", tmp_path / "data", "--json"]
    there = json.loads(tflm(*arguments, "--port", PICO))
    assert there["confusion"] == {"high": {"high": 2}, "low": {"low": 2}}
    assert json.loads(tflm(*arguments))["files"] == there["files"]
    assert "3: low-004.wav" not in record(tmp_path / "data" / "low", sound)
    assert (tmp_path / "data" / "low" / "low-003.wav").exists()


@pytest.mark.parametrize("microphone", [("--adc", 26), ("--pdm", 14, 15)])
def test_other_microphones_hear_the_same_tone(tmp_path, microphone):
    sound = tmp_path / "tone.wav"
    Samples(tone(HERTZ["low"], RATE)).save(str(sound))
    record(tmp_path / "data", sound, *microphone)
    with wave.open(str(tmp_path / "data" / "data-001.wav")) as file:
        heard = np.frombuffer(file.readframes(SAMPLES), "<i2").astype(float)
    spectrum = np.abs(np.fft.rfft(heard - heard.mean()))
    assert spectrum.argmax() * RATE / SAMPLES == HERTZ["low"]


def test_a_silent_microphone_is_an_error(tmp_path):
    Samples(bytes(2 * RATE)).save(str(tmp_path / "silence.wav"))
    options = ["--port", PICO, "--seconds", str(SECONDS), "--pause", "0"]
    options += ["--mic", str(tmp_path / "silence.wav"), "-o", str(tmp_path / "data")]
    refused = CliRunner().invoke(main, ["record", *options])
    assert (refused.exit_code, "the microphone is not heard" in refused.stderr) == (1, True)
    assert list((tmp_path / "data").iterdir()) == []


def test_a_recording_that_does_not_fit_the_heap_is_an_error(tmp_path):
    Samples(tone(440, RATE)).save(str(tmp_path / "tone.wav"))
    mic = str(tmp_path / "tone.wav")
    with (
        recording.Recorder(PICO, (16, 17, 18), mic) as recorder,
        pytest.raises(TargetError, match=r"960000 bytes of samples, \d+ of heap are free"),
    ):
        recorder.take(30)


def test_a_board_without_such_a_microphone_says_so():
    with pytest.raises(TargetError, match=r"no machine\.I2S|has no emulated microphone"):
        recording.Recorder("MPS2_AN386", (16, 17, 18))
