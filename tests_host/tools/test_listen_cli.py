"""`tflm listen`: events, the scores around a moment, and wrong files."""

import json
import wave

import numpy as np
import pytest
from click.testing import CliRunner

from tflm.sources import Samples
from tflm_host.__main__ import main
from tflm_host.measure import picture_of_sound
from tflm_host.places import ROOT
from tflm_host.targets.repl import RawRepl

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


def test_page_has_the_live_picture(shared):
    text = picture_of_sound.PAGE.read_text()
    rows = picture_of_sound.picture(shared)
    assert rows.endswith("    2.09 s  okay nabu  0.98\n")
    assert picture_of_sound.with_picture(text, rows) == text, "run `make picture-of-sound`"


def test_why_shows_bands_and_scores(words, shared):
    shown = tflm(*words, shared / "sense" / "data" / "yes_1000ms.wav", "--why", 1)
    assert "micro_speech_quantized.tflite: silence, unknown, yes, no\n" in shown
    assert shown.endswith("| 0.00 0.00 1.00 0.00  mean 1.00\n")


def test_live_shows_a_row_for_each_tenth_of_a_second(words, shared, tmp_path):
    yes, kept = shared / "sense" / "data" / "yes_1000ms.wav", tmp_path / "kept.wav"
    sound = np.frombuffer(yes.read_bytes()[44:], np.int16)
    twice = tmp_path / "twice.wav"
    Samples(np.concatenate([sound, sound])).save(str(twice))
    shown = tflm(*words, twice, "--live", "--record", kept, "--seconds", 1.5).splitlines()
    rows = [line for line in shown if "|" in line]
    assert [row.split()[0] for row in rows] == ["0.9", "1.0", "1.1", "1.2", "1.3", "1.4"]
    assert all(len(row.split("|")[1]) == 40 for row in rows)
    assert rows[0].endswith("| yes 1.00 ##########")
    assert len({row.split("|")[1] for row in rows}) == 3
    assert shown.index(rows[0]) + 1 == shown.index("    0.99 s  yes  1.00")
    assert kept.read_bytes()[44:] == twice.read_bytes()[44 : 44 + 48000]


def test_sound_is_not_overwritten_by_its_record(words, shared, tmp_path):
    path = tmp_path / "yes.wav"
    path.write_bytes((shared / "sense" / "data" / "yes_1000ms.wav").read_bytes())
    before = path.read_bytes()
    said = tflm(*words, path, "--record", tmp_path / "." / "yes.wav", status=1)
    assert "it is the sound itself" in said
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--wav FILE or --port BOARD says where the sound comes from"),
        (["--mic", "a.wav"], "--wav FILE or --port BOARD"),
        (["--wav", "a.wav", "--pins", "1", "2", "3"], "there is no microphone to set"),
        (["--wav", "a.wav", "--adc", "26"], "there is no microphone to set"),
        (["--port", "unix", "--pins", "1", "2", "3", "--adc", "26"], "different microphones"),
        (["--port", "unix", "--pdm", "1", "2", "--adc", "26"], "different microphones"),
    ],
)
def test_sound_comes_from_one_place(arguments, message):
    assert message in tflm("a.json", *arguments, status=2)


def test_stereo_is_noted_beside_the_json(words, shared, tmp_path):
    path = tmp_path / "two.wav"
    yes = (shared / "sense" / "data" / "yes_1000ms.wav").read_bytes()
    data = np.frombuffer(yes[44:], np.int16)
    with wave.open(str(path), "wb") as sound:
        sound.setparams((2, 2, 16000, 0, "NONE", ""))
        sound.writeframes(np.stack([data, -data // 2], 1).tobytes())
    result = CliRunner().invoke(main, ["listen", *map(str, (*words, path)), "--json"])
    assert json.loads(result.stdout)["events"][0]["label"] == "yes"
    assert result.stderr.count("has two channels: the left one is taken") == 1


class Typist:
    """A link to a target on which Ctrl-C is typed while it prints; it stops then."""

    def __init__(self):
        self.parts = [b"OK", b"tflm:1\r\ntflm", None, b":2\r\n", b"\x04", b"\x04>"]
        self.written = b""

    def write(self, data):
        self.written += data

    def read(self, _seconds):
        part = self.parts.pop(0)
        if part is None:
            raise KeyboardInterrupt
        return part


def test_ctrl_c_goes_on_to_the_board_and_no_line_is_lost():
    link, lines = Typist(), []
    repl = RawRepl(link)
    link.parts[0] = b"R\x00>OK"
    repl.follow("x", lines.append, 1)
    assert lines == ["tflm:1", "tflm:2", ""]
    assert link.written.endswith(b"\x03")


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
