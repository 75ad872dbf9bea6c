"""tflm.listen: the events of real models on golden sounds, and what it says of wrong files."""

import importlib
import importlib.util
import json
import sys
import wave
from array import array
from pathlib import Path

import numpy as np
import pytest

import tflm
from support.reference.audio_model import STEPS
from tflm.ear import Ear
from tflm.sources import AdcMicrophone, I2SMicrophone, Pcm, PdmMicrophone, Samples, Wav
from tflm.stream import WakeWord
from tflm_host.places import ROOT

SCRIPT = ROOT / "tests_device" / "test_listen.py"
LABELS = ("silence", "unknown", "yes", "no")
WAKE = {
    "type": "micro",
    "wake_word": "okay nabu",
    "model": "okay_nabu.tflite",
    "version": 2,
    "micro": {
        "probability_cutoff": 0.97,
        "feature_step_size": 10,
        "sliding_window_size": 5,
        "tensor_arena_size": 22860,
    },
}
FIRST = {
    **WAKE,
    "version": 1,
    "micro": {"probability_cutoff": 0.5, "sliding_window_average_size": 10},
}


@pytest.fixture
def sounds(shared):
    return shared / "sense" / "data"


@pytest.fixture
def wake_word(shared, tmp_path):
    """The path of the JSON beside ESPHome's okay_nabu."""
    found = next((shared / "zoo").rglob("okay_nabu-0689ab.tflite"))
    (tmp_path / "okay_nabu.tflite").write_bytes(found.read_bytes())
    path = tmp_path / "okay_nabu.json"
    path.write_text(json.dumps(WAKE))
    return path


@pytest.fixture
def micro_speech(shared):
    return str(next(shared.rglob("micro_speech_quantized.tflite")))


@pytest.mark.slow
def test_script_for_boards_runs_here(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("listen_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    importlib.import_module("tflm_tests").main(module)


def frame_of(event):
    return round((event.time * 16000 - 480) / STEPS["micro"]) + 1


def test_wake_word_is_heard_where_pymicro_wakeword_hears_it(wake_word, sounds):
    trace = json.loads((sounds / "wake_traces.json").read_text())["okay_nabu_v2"]
    fires = trace["pymicro_fires_at_frames"]
    firsts = [frame for frame in fires if frame - trace["stride"] not in fires]
    ear = tflm.listen(str(wake_word))
    found = []
    for event in ear(str(sounds / "nabu.wav")):
        assert event.label == "okay nabu"
        assert event.score > 0.97 or event.level == 247
        found.append(frame_of(event))
    assert len(found) == len(firsts) == 2
    assert all(
        abs(here - there) <= trace["stride"] for here, there in zip(found, firsts, strict=True)
    )


def test_scores_of_the_wake_word_are_tflms(wake_word, sounds):
    trace = json.loads((sounds / "wake_traces.json").read_text())["okay_nabu_v2"]
    ear = tflm.listen(str(wake_word))
    word, scores = ear.words[0], []
    note = word.rule.note
    word.rule.note = lambda found, ms, is_open: scores.append(found[0]) or note(found, ms, is_open)
    ear.run(Wav(str(sounds / "nabu.wav")))
    assert scores == trace["raw_tflm_esphome_quantised"]


@pytest.mark.parametrize(
    ("sound", "scores", "events"),
    [
        ("yes", (-128, -128, 127, -128), ["yes 1.00 at 0.99 s"]),
        ("no", (-128, -114, -128, 114), ["no 0.95 at 0.99 s"]),
        ("noise", (120, -125, -126, -125), []),
        ("silence", (-42, -68, -68, -78), []),
    ],
)
def test_words_of_tflms_sounds(micro_speech, sounds, sound, scores, events):
    ear = tflm.listen(micro_speech, labels=LABELS)
    samples = Wav(str(sounds / f"{sound}_1000ms.wav"))
    assert [str(event) for event in ear(samples)] == events
    assert ear.words[0].interp.outputs[0][:] == list(scores)


def test_several_models_share_a_front_end(wake_word, sounds):
    ear = tflm.listen(str(wake_word), str(wake_word), warm_up=0, cool_down=0)
    assert len(list(ear(str(sounds / "nabu.wav")))) > 4
    ear = tflm.listen(str(wake_word), vad=str(wake_word))
    assert len(ear.words) == 1
    assert ear.labels == ["okay nabu"]
    rule = WakeWord(5, 0.5)
    ear = tflm.listen(str(wake_word), vad=str(wake_word), rule=rule)
    assert ear.words[0].rule is rule
    assert ear.vad.rule is not rule
    with pytest.raises(ValueError, match="rule= is for one model, 2 given"):
        tflm.listen(str(wake_word), str(wake_word), rule=rule)
    with pytest.raises(ValueError, match=r"one front end has one step"):
        (wake_word.parent / "old.json").write_text(json.dumps(FIRST))
        tflm.listen(str(wake_word), str(wake_word.parent / "old.json"))


def changed(facts, key, value):
    """Return *facts* with another value of *key*; without it where that is None."""
    facts = json.loads(json.dumps(facts))
    place = facts if key in facts else facts["micro"]
    if value is None:
        del place[key]
    else:
        place[key] = value
    return facts


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        (changed(WAKE, "micro", None), 'wrong.json: no key "micro"'),
        (changed(WAKE, "version", 3), 'wrong.json: "version" is 3, one of (1, 2) expected'),
        (changed(WAKE, "model", None), 'wrong.json: no key "model"'),
        (
            changed(WAKE, "probability_cutoff", 1.5),
            'wrong.json: "probability_cutoff" is 1.5, 0 to 1 expected',
        ),
        (
            changed(WAKE, "sliding_window_size", 0),
            'wrong.json: "sliding_window_size" is 0, 1 to 255 expected',
        ),
        (
            changed(FIRST, "sliding_window_average_size", 256),
            'wrong.json: "sliding_window_average_size" is 256, 1 to 255 expected',
        ),
        (
            changed(WAKE, "feature_step_size", 15),
            'wrong.json: "feature_step_size" is 15, one of (10, 20, 30) expected',
        ),
        ([], 'wrong.json: no key "version"'),
        (changed(WAKE, "version", True), 'wrong.json: "version" is True, one of (1, 2) expected'),
        (changed(WAKE, "model", 5), 'wrong.json: "model" is 5, a name expected'),
        (changed(WAKE, "wake_word", ""), "wrong.json: \"wake_word\" is '', a name expected"),
        (
            changed(WAKE, "probability_cutoff", -0.1),
            'wrong.json: "probability_cutoff" is -0.1, 0 to 1 expected',
        ),
        (
            changed(WAKE, "sliding_window_size", True),
            'wrong.json: "sliding_window_size" is True, 1 to 255 expected',
        ),
        (
            changed(WAKE, "feature_step_size", 10.0),
            'wrong.json: "feature_step_size" is 10.0, one of (10, 20, 30) expected',
        ),
        (None, "wrong.json is no JSON file"),
    ],
)
def test_wrong_key_is_named(tmp_path, facts, message):
    path = tmp_path / "wrong.json"
    path.write_text("{" if facts is None else json.dumps(facts))
    with pytest.raises(ValueError) as caught:
        tflm.listen(str(path))
    assert str(caught.value) == message


def test_json_of_version_1_has_a_step_of_20_ms(wake_word):
    wake_word.write_text(json.dumps(FIRST))
    assert tflm.listen(wake_word).features.step == 320  # a Path


EXPECTED = ": int8 lines of 40 numbers and 8-bit scores expected"


@pytest.mark.parametrize(
    ("name", "forms", "hint"),
    [
        ("kws_ref_model", "takes int8 (1, 49, 10, 1) and gives int8 (1, 12)", ""),
        (
            "hello_world_float",
            "takes float32 (1, 1) and gives float32 (1, 1)",
            "; quantize it to int8",
        ),
        (
            "audio_preprocessor_int8",
            "takes int16 (1, 480) and gives int8 (40,)",
            "; it takes sound, as a front end does",
        ),
    ],
)
def test_model_of_another_form_is_shown(shared, name, forms, hint):
    path = shared / "models" / f"{name}.tflite"
    with pytest.raises(ValueError) as caught:
        tflm.listen(str(path), front="micro")
    assert str(caught.value) == f"{name}.tflite {forms}{EXPECTED}{hint}"


def test_json_of_a_model_with_classes_is_told_its_front_end(wake_word, micro_speech):
    (wake_word.parent / "okay_nabu.tflite").write_bytes(Path(micro_speech).read_bytes())
    with pytest.raises(ValueError) as caught:
        tflm.listen(wake_word)
    assert str(caught.value) == (
        f"okay_nabu.json takes int8 (1, 1960) and gives int8 (1, 4){EXPECTED}"
        "; it looks like front='micro_speech'"
    )


def test_labels_must_fit_the_scores(micro_speech):
    with pytest.raises(ValueError, match=r"gives 4 scores: labels=\(\.\.\.\) with so many names"):
        tflm.listen(micro_speech)


def test_samples_save_what_wav_reads(tmp_path, capsys):
    samples = np.arange(-500, 500, dtype=np.int16)
    Samples(samples).save(str(tmp_path / "a.wav"))
    buffer = bytearray(4000)
    wav = Wav(str(tmp_path / "a.wav"))
    assert wav.readinto(buffer) == 2000
    wav.close()
    assert bytes(buffer[:2000]) == samples.tobytes()
    (tmp_path / "a.pcm").write_bytes(samples.tobytes())
    assert Pcm(str(tmp_path / "a.pcm")).readinto(buffer) == 2000
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("channels", [1, 2])
def test_wave_file_that_ends_early_ends(tmp_path, channels):
    """After its header was read; a header that says too much is refused, as on boards."""
    path = tmp_path / "a.wav"
    values = np.arange(1, 1001, dtype=np.int16)
    with wave.open(str(path), "wb") as file:
        file.setparams((channels, 2, 16000, 0, "NONE", ""))
        file.writeframes(np.repeat(values, channels).tobytes())
    whole = path.read_bytes()
    sound = Wav(path.open("rb", buffering=0))
    path.write_bytes(whole[: 44 + 2 * channels * 700 + channels])  # in the middle of a sample
    buffer, heard = bytearray(64), b""
    for _ in range(100):
        count = sound.readinto(buffer)
        if not count:
            break
        heard += buffer[:count]
    assert count == 0
    sound.close()
    assert np.frombuffer(heard[:1400], np.int16).tolist() == values[:700].tolist()
    assert len(heard) // 2 == 700
    with pytest.raises(ValueError, match=r"a\.wav: byte 40 says that .* follow, but there are"):
        Wav(str(path))


def test_samples_of_other_types_are_refused():
    sound = np.zeros(1000, np.int16)
    Samples(memoryview(sound))
    Samples(memoryview(sound.tobytes()))
    floats = sound.astype(np.float32)
    for wrong in (floats, memoryview(floats), [0, 1], "a", array("f", [1.0])):
        with pytest.raises(TypeError, match="a buffer of int16 values expected"):
            Samples(wrong)
    with pytest.raises(ValueError, match="one channel expected"):
        Samples(sound.reshape(500, 2))


class Wire:
    """Stands in for a port's machine.I2S: a ring that takes 16 frames at a time, or drops them.

    samples  what comes, again and again;  clock  microseconds
    """

    RX, MONO = 1, 0
    BLOCK_US = 1000
    samples = np.zeros(16, np.int16)
    clock = 0

    def __init__(self, _number, **settings):
        type(self).settings = settings
        self.room = (settings["ibuf"] - 1) // 8
        self.ring = []
        self.blocks = 0  # so far
        self.dropped = 0  # samples
        self.start = Wire.clock

    def _take_blocks(self):
        while self.start + (self.blocks + 1) * self.BLOCK_US <= Wire.clock:
            if len(self.ring) + 16 <= self.room:
                at = np.arange(16 * self.blocks, 16 * self.blocks + 16)
                self.ring += Wire.samples[at % len(Wire.samples)].tolist()
            else:
                self.dropped += 16
            self.blocks += 1

    def readinto(self, buffer):
        view = memoryview(buffer).cast("B")
        count = len(view) // 2
        got = []
        while len(got) < count:
            self._take_blocks()
            part = self.ring[: count - len(got)]
            del self.ring[: len(part)]
            got += part
            Wire.clock += 3 * len(part) if part else 50
        view[:] = np.array(got, np.int16).tobytes()
        return len(view)

    def deinit(self):
        pass


@pytest.fixture
def wire(monkeypatch):
    class machine:
        I2S = Wire
        Pin = staticmethod(lambda number: f"pin {number}")

    monkeypatch.setitem(sys.modules, "machine", machine)
    monkeypatch.setattr(tflm.sources, "ticks_us", lambda: Wire.clock)
    return Wire


def test_microphone_says_whether_it_works(wire):
    mic = I2SMicrophone(sck=16, ws=17, sd=18)
    assert wire.settings["sck"] == "pin 16"
    assert wire.settings["ibuf"] == 25600
    assert mic.check() == "only zeros: SD or L/R pin?"
    wire.samples = np.tile(np.array([-292, 292], np.int16), 8)
    wire.clock += 1000000  # what waited does not count
    rate, level = mic.check().split(" Hz, ")
    assert abs(int(rate.replace(",", "")) - 16000) < 50
    assert level == "level -41 dB, 0 of 8,000 clipped"
    wire.samples = np.full(16, 77, np.int16)
    assert mic.check() == "only the value 77: SD or L/R pin?"


def test_microphone_records_from_now_on(wire):
    mic = I2SMicrophone(sck=16, ws=17, sd=18)
    wire.samples = np.arange(65536).astype(np.int16)
    wire.clock += 1000000
    recorded = np.frombuffer(mic.record(2).samples, np.int16)
    assert recorded.size == 32000
    assert 16000 < recorded[0] < 16800  # what had waited was read before
    assert np.all(np.diff(recorded) == 1)
    assert mic.lost == 0


@pytest.mark.parametrize("size", [2, 160, 320, 1000])
def test_microphone_counts_what_is_lost(wire, size):
    mic = I2SMicrophone(sck=16, ws=17, sd=18)
    wire.samples = np.arange(65536).astype(np.int16)
    buffer = np.zeros(size, np.int16)
    gaps, last = 0, None
    for i in range(64000 // size):
        if i in (16000 // size, 40000 // size):
            wire.clock += 300000  # a pause of 300 ms: 199 are kept
        mic.readinto(buffer)
        joined = buffer if last is None else np.append(last, buffer)
        gaps += int((np.diff(joined.astype(np.int64)) - 1).sum() % 65536)
        last = buffer[-1]
    assert 3000 < gaps < 3400
    assert mic.lost == gaps


def test_microphone_counts_the_losses_of_a_reader_that_never_waits(wire):
    mic = I2SMicrophone(sck=16, ws=17, sd=18)
    buffer = np.zeros(320, np.int16)
    wire.clock += 1000000  # before the first call nothing is lost: nobody listens yet
    mic.readinto(buffer)
    assert mic.lost == 0
    before = mic._unit.dropped
    for _ in range(100):
        wire.clock += 30000
        mic.readinto(buffer)
    assert abs(mic.lost - (mic._unit.dropped - before)) <= 16
    assert mic.lost > 15000


@pytest.mark.parametrize(("value", "what"), [(0, "zeros"), (-9, "the value -9")])
def test_source_of_one_value_is_told_once(capsys, value, what):
    class Source:
        left = 120

        def readinto(self, buffer):
            self.left -= 1
            buffer[:] = np.full(len(buffer) // 2, value, np.int16).tobytes()
            return len(buffer) if self.left else 0

    Ear([], tflm.audio.Features("micro")).run(Source())
    assert capsys.readouterr().out == f"only {what} for a second: is it connected?\n"


def test_board_without_i2s_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "machine", None)
    with pytest.raises(ImportError, match=r"no machine.I2S"):
        I2SMicrophone(1, 2, 3)


class Silent:
    """Stands in for a type of `_tflm`: a second and a half of zeros; 16 samples were lost."""

    def __init__(self, *options):
        assert options in [(27, 200), (15, 14, 16000, 8, 200)]
        self.left = 24000
        self.skip = self.left

    def read(self, buffer):
        buffer[:] = bytes(len(buffer))
        self.left -= len(buffer) // 2
        return len(buffer) if self.left >= 0 else 0

    def lost(self):
        return 16


@pytest.mark.parametrize(
    ("kind", "start", "hint"),
    [
        ("Adc", lambda: AdcMicrophone(27), "OUT to pin 27?"),
        ("Pdm", lambda: PdmMicrophone(clk=14, data=15), "DAT to pin 15, SEL to GND?"),
    ],
)
def test_microphone_without_a_signal_names_its_pin_once(monkeypatch, capsys, kind, start, hint):
    monkeypatch.setattr(f"_tflm.{kind}", Silent, raising=False)
    mic = start()
    Ear([], tflm.audio.Features("micro")).run(mic)
    assert capsys.readouterr().out == f"only zeros for a second: {hint}\n"
    assert mic.lost == 16


def test_board_without_adc_and_dma_says_so():
    with pytest.raises(ImportError, match=r"AdcMicrophone needs this firmware on an RP2040"):
        AdcMicrophone(26)
    with pytest.raises(ImportError, match=r"PdmMicrophone needs this firmware on an RP2040"):
        PdmMicrophone(14, 15)
