"""`tflm listen` on boards: a sound played there, and an emulated Pico's microphone."""

import json
import signal
import subprocess
import sys
import wave

import pytest
from click.testing import CliRunner

from support.device.rp2040js import require_rp2040js
from tflm_host.__main__ import main
from tflm_host.prepare import prepare
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build
from tflm_host.targets.open_target import open_target
from tflm_host.targets.romfs import build_romfs
from tflm_host.targets.rp2040 import Rp2040Emulator

pytestmark = pytest.mark.firmware

PICO = "RPI_PICO"
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


def tflm(*args, status=0):
    result = CliRunner().invoke(main, ["listen", *map(str, args)])
    assert result.exit_code == status, result.output
    return result


def heard(*args):
    return json.loads(tflm(*args, "--json").stdout)


@pytest.fixture
def node():
    require_rp2040js()


@pytest.fixture
def wake_word(shared, tmp_path):
    """The path of the JSON beside ESPHome's okay_nabu."""
    model = next((shared / "zoo").rglob("okay_nabu-0689ab.tflite")).read_bytes()
    (tmp_path / "okay_nabu.tflite").write_bytes(model)
    path = tmp_path / "okay_nabu.json"
    path.write_text(json.dumps(WAKE))
    return path


@pytest.fixture
def nabu(shared):
    return shared / "sense" / "data" / "nabu.wav"


def frames(path, count=None):
    with wave.open(str(path)) as sound:
        return sound.readframes(sound.getnframes() if count is None else count)


@pytest.mark.parametrize("board", ["unix", "MPS2_AN386"])
def test_sound_played_to_a_board_is_heard_as_here(wake_word, nabu, tmp_path, board):
    asked = wake_word, "--wav", nabu, "--why", 2, "--seconds", 4, "--vad", wake_word
    kept = tmp_path / "kept.wav"
    there = heard(*asked, "--port", board, "--record", kept)
    assert there == heard(*asked)
    assert [event["label"] for event in there["events"]] == ["okay nabu"]
    assert len(there["runs"]) > 60
    assert frames(kept) == frames(nabu, 64000)


def test_long_sound_is_sent_in_pieces(wake_word, nabu, monkeypatch):
    monkeypatch.setattr("tflm_host.targets.listening._fits", lambda *_: False)
    asked = wake_word, "--wav", nabu, "--why", 1.9, "--seconds", 2.2
    there = heard(*asked, "--port", "unix")
    assert there == heard(*asked)
    assert there["events"]


@pytest.mark.usefixtures("node")
def test_picos_microphone_is_heard_and_recorded(wake_word, nabu, tmp_path):
    kept = tmp_path / "kept.wav"
    asked = wake_word, "--seconds", 2.2, "--why", 2
    result = tflm(*asked, "--port", PICO, "--mic", nabu, "--record", kept, "--live")
    here = tflm(*asked, "--wav", nabu, "--live").stdout
    assert result.stdout == here
    assert "s  okay nabu  0.98\n" in here
    assert "only zeros for a second: SD or L/R pin?" in result.stderr
    assert frames(kept) == frames(nabu, 35200)


@pytest.mark.usefixtures("node")
@pytest.mark.parametrize("microphone", [("--adc", 26), ("--pdm", 14, "GPIO15")])
def test_picos_other_microphones_hear_the_word(wake_word, nabu, microphone):
    asked = wake_word, "--seconds", 2.4, "--port", PICO, "--mic", nabu
    (event,) = heard(*asked, *microphone)["events"]
    (here,) = heard(wake_word, "--seconds", 2.4, "--wav", nabu)["events"]
    assert event["label"] == here["label"] == "okay nabu"
    assert abs(event["time"] - here["time"]) <= 0.12  # PDM leaves out the first 62 ms
    assert event["lost"] == 0


@pytest.mark.usefixtures("node")
def test_port_wants_deployed_models_and_ctrl_c_ends_it(wake_word, nabu):
    model = prepare((wake_word.parent / "okay_nabu.tflite").read_bytes(), "armv6m")
    (wake_word.parent / "okay_nabu.tflite").write_bytes(model)
    build(PICO)
    image = build_romfs([(wake_word.name, wake_word.read_bytes()), ("okay_nabu.tflite", model)])
    sound = frames(nabu)[32000:]  # it begins with silence
    with Rp2040Emulator(load_board(PICO), image, pty=True, mic=sound) as emulator:
        command = [sys.executable, "-m", "tflm_host", "listen", str(wake_word), "--live"]
        command += ["--port", emulator.port]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            shown = process.stdout.readline()
            process.send_signal(signal.SIGINT)
            shown += process.stdout.read()
        assert process.returncode == 0, shown
        assert "s  |" in shown
        assert "nothing heard: the mean came to 0." in shown
        other = {**WAKE, "wake_word": "alexa"}
        wake_word.write_text(json.dumps(other))
        said = tflm(wake_word, "--port", emulator.port, status=1).output
    assert said == (
        f"Error: {emulator.port} does not have okay_nabu.json in /rom, or another one:"
        f" `tflm deploy okay_nabu.json --port {emulator.port}` writes it\n"
    )


def test_board_without_microphone_says_so(wake_word, nabu):
    said = tflm(wake_word, "--port", "MPS2_AN386", status=1).output
    assert said == "Error: MPS2_AN386: this board's MicroPython has no machine.I2S\n"
    said = tflm(wake_word, "--port", "MPS2_AN386", "--adc", 26, status=1).output
    assert said.endswith("AdcMicrophone needs this firmware on an RP2040 or RP2350\n")
    said = tflm(wake_word, "--port", "MPS2_AN386", "--pdm", 14, 15, status=1).output
    assert said.endswith("PdmMicrophone needs this firmware on an RP2040 or RP2350\n")
    said = tflm(wake_word, "--port", "MPS2_AN386", "--mic", nabu, status=1).output
    assert said.startswith("Error: MPS2_AN386 has no emulated microphone")


WORDS = """
import tflm
from tflm.sources import Wav
labels = ("silence", "unknown", "yes", "no")
for name in ("yes", "no", "noise", "silence"):
    ear = tflm.listen("/rom/micro_speech_quantized.tflite", labels=labels)
    events = [str(event) for event in ear(Wav("/rom/%s_1000ms.wav" % name))]
    print(name, list(ear.words[0].interp.outputs[0][:]), events)
"""


@pytest.mark.parametrize("board", ["MPS2_AN386", PICO])
@pytest.mark.usefixtures("node")
def test_words_of_tflms_sounds(shared, board):
    files = [next(shared.rglob("micro_speech_quantized.tflite"))]
    for name in ("yes", "no", "noise", "silence"):
        files.append(shared / "sense" / "data" / f"{name}_1000ms.wav")
    with open_target(board, files) as target:
        printed = target.exec(WORDS, 600).splitlines()
    assert printed == [
        "yes [-128, -128, 127, -128] ['yes 1.00 at 0.99 s']",
        "no [-128, -114, -128, 114] ['no 0.95 at 0.99 s']",
        "noise [120, -125, -126, -125] []",
        "silence [-42, -68, -68, -78] []",
    ]
