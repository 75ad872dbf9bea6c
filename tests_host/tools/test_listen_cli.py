"""`tflm listen`: events, the scores around a moment, and wrong files."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from tflm.sources import Samples
from tflm_host.__main__ import main
from tflm_host.places import ROOT

SINE = ROOT / "models" / "sine.tflite"


def tflm(*args, status=0):
    result = CliRunner().invoke(main, ["listen", *map(str, args)])
    assert result.exit_code == status, result.output
    return result.output


@pytest.fixture
def words(shared, tmp_path):
    """The arguments of TFLM's micro_speech."""
    (tmp_path / "labels.txt").write_text("silence\nunknown\nyes\nno\n")
    model = next(shared.rglob("micro_speech_quantized.tflite"))
    return model, "--labels", tmp_path / "labels.txt", "--wav"


def test_words_of_tflms_sounds(words, shared):
    folder = shared / "sense" / "data"
    assert tflm(*words, folder / "yes_1000ms.wav") == "    0.99 s  yes  1.00\n"
    assert tflm(*words, folder / "noise_1000ms.wav").startswith("nothing heard: the mean came to ")
    facts = json.loads(tflm(*words, folder / "no_1000ms.wav", "--json", "--why", 1))
    assert facts["events"] == [{"label": "no", "score": 0.949, "time": 0.99, "lost": 0}]
    assert facts["seconds"] == 1
    assert [run["scores"] for run in facts["runs"]] == [[0, 14, 0, 242]]


def test_why_shows_bands_and_scores(words, shared):
    shown = tflm(*words, shared / "sense" / "data" / "yes_1000ms.wav", "--why", 1)
    assert "micro_speech_quantized.tflite: silence, unknown, yes, no\n" in shown
    assert shown.endswith("| 0.00 0.00 1.00 0.00  mean 1.00\n")


def test_wrong_files_are_one_line(tmp_path):
    sound = tmp_path / "a.wav"
    Samples(np.zeros(1000, np.int16)).save(str(sound))
    said = tflm(SINE, "--wav", sound, status=1)
    assert said.startswith("Error: sine.tflite takes int8 (1, 1) and gives int8 (1, 1)")
    assert json.loads(tflm(SINE, "--wav", sound, "--json", status=1))["error"] in said
    (tmp_path / "w.json").write_text("{}")
    said = tflm(tmp_path / "w.json", "--wav", sound, status=1)
    assert said == 'Error: w.json: no key "version"\n'
    assert "No such file" in tflm(tmp_path / "x.json", "--wav", sound, status=1)


def test_sound_of_another_rate_is_refused(words, tmp_path):
    path = tmp_path / "fast.wav"
    Samples(np.zeros(44100, np.int16), 44100).save(str(path))
    said = tflm(*words, path, status=1)
    assert "has 44,100 samples a second, the model takes 16,000: sox " in said
    short = tmp_path / "short.wav"
    Samples(np.zeros(1000, np.int16)).save(str(short))
    assert "shorter than one run" in tflm(*words, short)
