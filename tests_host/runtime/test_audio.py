"""tflm.audio on CPython: the bits of both oracles and of a model in Python; numpy's arrays."""

import importlib
import importlib.util
import threading
import wave
from zlib import crc32

import numpy as np
import pytest

import tflm
from support.native.each_isa import with_each_isa
from support.reference import wake_judges
from support.reference.audio_model import Model, as_output
from support.reference.drawn_sound import CHUNKS, minutes_of_noise
from tflm.audio import Features
from tflm_host.places import ROOT

SCRIPT = ROOT / "tests_device" / "test_audio.py"
FRONTS = ("micro_speech", "micro")
OUTPUTS = ("raw", "esphome", "pymicro")
SOUNDS = ("hard", "tones", "speech", "trap", "onset", "nabu")
SOUNDS += ("yes_1000ms", "no_1000ms", "noise_1000ms", "silence_1000ms")
SECONDS = 3  # of a random sound: a model in Python takes a tenth of it
MINUTES = 15


def script():
    """Return tests_device/test_audio.py, which has sounds that front ends get wrong first."""
    spec = importlib.util.spec_from_file_location("audio_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def hard_sound(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    return np.array(script().hard_sound())


def drawn(seed, count):
    """Return a sound whose loudness goes over all 16 bits, with clipping now and then."""
    rng = np.random.default_rng(seed)
    loudness = 2.0 ** np.repeat(rng.uniform(-1, 17, count // 800 + 1), 800)[:count]
    return np.clip(rng.normal(0, 1, count) * loudness, -32768, 32767).astype(np.int16)


def in_chunks(features, samples, chunk):
    """Return all lines of *samples*, fed *chunk* at a time."""
    lines = []
    for start in range(0, len(samples), chunk):
        lines += [np.array(line) for line in features.lines(samples[start : start + chunk])]
    return np.array(lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", FRONTS)
def test_lines_equal_a_model_in_plain_python(name, hard_sound):
    samples = np.concatenate([hard_sound, drawn(1, 16000 * SECONDS)])
    raw = Model(name).lines(samples)
    assert len(np.unique(raw)) > 200
    for output in OUTPUTS:
        assert np.array_equal(Features(name, output).of(samples), as_output(raw, output))


test_lines_of_each_isa = with_each_isa(test_lines_equal_a_model_in_plain_python)


def test_checksums_of_the_script_for_boards_are_the_models(hard_sound):
    found = {}
    for name in FRONTS:
        raw = Model(name).lines(hard_sound)
        for output in OUTPUTS:
            found[name, output] = crc32(as_output(raw, output).tobytes())
    assert found == script().CHECKSUMS


@pytest.mark.slow
def test_script_for_boards_runs_here(hard_sound):
    assert len(hard_sound) == 6400
    importlib.import_module("tflm_tests").main(script())


def read_sound(shared, name):
    with wave.open(str(shared / "sense" / "data" / f"{name}.wav")) as file:
        return np.frombuffer(file.readframes(file.getnframes()), np.int16)


@pytest.mark.parametrize("sound", SOUNDS)
def test_lines_equal_both_oracles(shared, sound):
    samples = read_sound(shared, sound)
    folder = shared / "sense" / "data"
    micro = np.fromfile(folder / f"{sound}.b.uint16.bin", np.uint16).reshape(-1, 40)
    speech = np.fromfile(folder / f"{sound}.a.int8.bin", np.int8).reshape(-1, 40)
    for chunk in CHUNKS[1:]:
        assert np.array_equal(in_chunks(Features("micro", "raw"), samples, chunk), micro)
        assert np.array_equal(in_chunks(Features("micro_speech"), samples, chunk), speech)


def test_lines_equal_tflms_model(shared, oracle):
    """The front end of micro_speech is TFLM's audio_preprocessor, run by TFLM itself."""
    model = (shared / "models" / "audio_preprocessor_int8.tflite").read_bytes()
    samples = drawn(2, 16000 * SECONDS)
    samples[4000:4800] = -32768
    frames = [samples[i : i + 480].tobytes() for i in range(0, len(samples) - 479, 320)]
    oracle.load(model)
    lines = [np.frombuffer(oracle.invoke([frame])[0], np.int8) for frame in frames]
    assert np.array_equal(Features("micro_speech").of(samples), np.array(lines))


@pytest.mark.slow
@pytest.mark.parametrize("minutes", [1, pytest.param(MINUTES, marks=pytest.mark.long)])
def test_minutes_equal_tflm_and_pymicro_features(shared, minutes):
    """In chunks of each size, and saved and loaded in mid-window between two of them."""
    if wake_judges.missing():
        pytest.skip(wake_judges.missing())
    samples = minutes_of_noise(minutes)
    model = (shared / "models" / "audio_preprocessor_int8.tflite").read_bytes()
    micro = wake_judges.lines_of_pymicro(samples)
    speech = wake_judges.lines_of_tflm(model, samples)
    for name, output, expected in (("micro", "raw", micro), ("micro_speech", "esphome", speech)):
        for chunk in CHUNKS[1:]:
            lines = in_chunks(Features(name, output), samples, chunk)
            assert np.array_equal(lines, expected), f"{name} in {chunk}"
        assert np.array_equal(in_turns(name, output, samples), expected)


def in_turns(name, output, samples):
    """Return all lines: a second in chunks of each size, then a state that another one loads."""
    lines, features = [], Features(name, output)
    for number, start in enumerate(range(0, len(samples), 16001)):
        part = samples[start : start + 16001]
        lines.append(in_chunks(features, part, CHUNKS[number % len(CHUNKS)]))
        data = features.save_state()
        features = Features(name, output)
        features.load_state(data)
    return np.concatenate([some for some in lines if len(some)])


def test_buffers_of_other_forms():
    samples = drawn(3, 1600)
    lines = Features("micro").of(samples)
    assert lines.shape == (8, 40)
    assert lines.dtype == np.int8
    assert Features("micro", "raw").of(samples).dtype == np.uint16
    assert np.array_equal(Features("micro").of(samples.tobytes()), lines)
    stereo = np.stack([samples, samples], axis=1)
    assert np.array_equal(Features("micro").of(stereo[:, 0]), lines)
    with pytest.raises(ValueError, match="one channel expected"):
        Features("micro").of(stereo)
    with pytest.raises(TypeError, match="int16 expected, float32 given"):
        Features("micro").of(samples.astype(np.float32))
    assert Features("micro").of(samples[:479]).shape == (0, 40)


def test_one_of_many_threads_feeds_at_a_time():
    samples = drawn(4, 160000)
    features = Features("micro")
    outcomes = []

    def feed():
        try:
            outcomes.append(sum(1 for _ in features.lines(samples)))
        except tflm.StateError:
            outcomes.append(None)

    threads = [threading.Thread(target=feed) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 4
    features.reset()  # nobody has left it busy
    assert len(features.of(samples)) == 998


def test_a_build_without_the_front_end_says_so(monkeypatch):
    monkeypatch.setattr(tflm.audio, "_tflm", None)
    with pytest.raises(ImportError, match="no audio front end"):
        Features("micro")
