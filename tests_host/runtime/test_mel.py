"""tflm.mel on CPython: errors against real numbers are bounded, bits are those of boards."""

import importlib
import importlib.util
import os
import subprocess
import sys
import wave
from base64 import b64decode

import numpy as np
import pytest

import tflm.mel
from support.models.mel_tables import tables
from support.native.each_isa import with_each_isa
from support.reference import feature_model
from tflm.mel import Features
from tflm_host.model import edge_impulse, front_ends, native
from tflm_host.model.log_mel import LogMel
from tflm_host.model.mel_file import mel_file
from tflm_host.places import ROOT

SCRIPT = ROOT / "tests_device" / "test_mel.py"
VOICE = LogMel(scale=0.39, zero_point=89, n_fft=512, win_length=480, fmin=20)
MACHINE = LogMel(scale=0.39, zero_point=89, n_fft=1024, n_mels=128)
HTK = LogMel(scale=0.39, zero_point=89, n_fft=480, n_mels=20, htk=True, norm=None, fmax=4000)
HOP = 400


def script():
    """Return tests_device/test_mel.py as a module."""
    spec = importlib.util.spec_from_file_location("mel_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def board_script(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    return script()


def test_script_for_boards_has_the_tables(board_script):
    assert {name: b64decode(text) for name, text in board_script.TABLES.items()} == tables()


def test_script_for_boards_runs_here(board_script):
    importlib.import_module("tflm_tests").main(board_script)


test_script_runs_with_each_isa = with_each_isa(test_script_for_boards_runs_here)


@pytest.mark.slow
def test_script_runs_under_sanitizers():
    """Forged tables, too: no read or write outside of them, of a state or of a line."""
    env = {"TFLM_CHECKED": "1", "LD_PRELOAD": native.sanitizer_runtime()}
    env |= {"PYTHONMALLOC": "malloc", "ASAN_OPTIONS": "detect_leaks=0"}
    folders = [str(ROOT / name) for name in ("mp_modules", "host_tools", "tests_device")]
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        env=os.environ | env | {"PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 skipped, 0 failed" in done.stdout


def read_sound(shared, name):
    with wave.open(str(shared / "sense" / "data" / f"{name}.wav")) as sound:
        return np.frombuffer(sound.readframes(sound.getnframes()), np.int16)


# Mean error of bands above -60 and -20 dB, in dB. 16 bits of MACHINE lose what is quiet.
@pytest.mark.parametrize(
    ("settings", "bits", "bounds"),
    [
        (VOICE, 16, (0.2, 0.03)),
        (MACHINE, 16, (0.6, 0.06)),
        (HTK, 16, (0.2, 0.05)),
        (VOICE, 32, (0.002, 0.002)),
        (MACHINE, 32, (0.002, 0.002)),
        (HTK, 32, (0.002, 0.002)),
    ],
)
def test_decibels_are_librosas(shared, settings, bits, bounds):
    pcm = read_sound(shared, "speech")
    right = feature_model.decibels(settings, feature_model.frames(pcm, settings.n_fft, HOP))
    features = Features(mel_file(front_ends.log_mel(settings, HOP, fine=True), bits))
    errors = abs(features.of(pcm) * features.scale - right)
    for level, bound in zip((-60, -20), bounds, strict=True):
        bands = right > level
        assert bands.sum() > 1000
        assert errors[bands].mean() < bound
    if bits == 32:
        assert errors[right > -60].max() < 0.2


def test_every_band_of_32_bits_is_near(shared):
    """All of them, down to the -100 dB at which librosa's logarithm ends."""
    pcm = read_sound(shared, "speech")
    right = feature_model.decibels(VOICE, feature_model.frames(pcm, VOICE.n_fft, HOP))
    features = Features(mel_file(front_ends.log_mel(VOICE, HOP, fine=True)))
    errors = abs(features.of(pcm) * features.scale - right)
    assert errors.mean() < 0.002
    assert errors.max() < 0.15


def rounded(real, scale, zero_point):
    """Return what an int8 tensor of this scale holds of real numbers."""
    quotient = real / np.float32(scale)
    return np.clip(np.trunc(quotient + np.copysign(0.5, quotient)) + zero_point, -128, 127)


def differences(features, pcm, right):
    """Return the share of equal int8 values, and the largest difference."""
    found = features.of(pcm).astype(int)
    apart = abs(found - rounded(right, features.scale, features.zero_point)[: len(found)])
    return (apart == 0).mean(), apart.max()


def test_int8_lines_are_rounded_once(shared):
    pcm = read_sound(shared, "speech")
    right = feature_model.decibels(VOICE, feature_model.frames(pcm, VOICE.n_fft, HOP))
    features = Features(mel_file(front_ends.log_mel(VOICE, HOP)))
    equal, most = differences(features, pcm, right)
    assert equal > 0.99
    assert most <= 1


@pytest.mark.parametrize(("count", "lifter"), [(13, 0), (20, 22), (40, 0)])
def test_mfcc_are_librosas(shared, count, lifter):
    pcm = read_sound(shared, "speech")
    windows = feature_model.frames(pcm, VOICE.n_fft, HOP)
    right = feature_model.librosa_mfcc(VOICE, windows, count, lifter)
    fine = Features(mel_file(front_ends.mfcc(VOICE, HOP, count, lifter, fine=True)))
    errors = abs(fine.of(pcm) * fine.scale - right)
    # Half a step of int16 is the most that rounding makes; a quarter is its mean.
    assert errors.mean() < 0.3 * fine.scale
    assert errors.max() < 6 * fine.scale
    settings = LogMel(**{**vars(VOICE), "scale": 5, "zero_point": 20})
    equal, most = differences(
        Features(mel_file(front_ends.mfcc(settings, HOP, count, lifter))), pcm, right
    )
    assert equal > 0.99
    assert most <= 1


BLOCKS = [
    {"num_filters": 40, "fft_length": 512, "frame_length": 0.02, "frame_stride": 0.01},
    {"num_filters": 32, "fft_length": 256, "frame_length": 0.02, "frame_stride": 0.02},
    {"num_filters": 41, "fft_length": 1024, "frame_length": 0.05, "frame_stride": 0.06},
    {"num_filters": 16, "fft_length": 512, "low_frequency": 100, "high_frequency": 6000},
]


def block(facts, version, **more):
    facts = dict(facts, implementation_version=version, **more)
    if version < 4:
        facts["num_filters"] = max(16, facts["num_filters"] // 2)  # fewer of them have bins
    return edge_impulse.Block(**facts)


@pytest.mark.parametrize("version", [3, 4])
@pytest.mark.parametrize("facts", BLOCKS)
def test_mfe_is_edge_impulses(shared, facts, version):
    pcm = read_sound(shared, "speech")
    given = block(facts, version, scale=1 / 256, zero_point=-128)
    for floor in (-52, -90):
        right = feature_model.edge_mfe(given, pcm, floor)
        equal, most = differences(Features(mel_file(edge_impulse.mfe(given, floor))), pcm, right)
        assert equal > 0.99
        assert most <= 1
    other = block(facts, version, scale=0.01, zero_point=-100)
    right = feature_model.edge_mfe(other, pcm, -52)
    _, most = differences(Features(mel_file(edge_impulse.mfe(other))), pcm, right)
    assert most <= 1


@pytest.mark.parametrize("version", [1, 2, 4])
@pytest.mark.parametrize("facts", BLOCKS)
def test_mfcc_block_is_edge_impulses(shared, facts, version):
    given = block(facts, version, scale=1 / 24, zero_point=3)
    for sound, window, shift in (("speech", 101, 1), ("speech", 31, 3), ("yes_1000ms", 301, 1)):
        pcm = read_sound(shared, sound)[:48000]
        lines = feature_model.edge_cepstra(given, pcm, 13, shift, 0.97)
        front = edge_impulse.mfcc(given, 13, window, 0.97, shift)
        features = Features(mel_file(front))
        found = features.of(pcm)
        assert abs(found / 256 - lines).max() < 0.02
        right = rounded(feature_model.edge_normalized(lines, window), 1 / 24, 3)
        apart = abs(np.array(features.normalize(found)) - right.ravel())
        assert (apart == 0).mean() > 0.95
        assert apart.max() <= 1


def test_mfcc_block_without_normalising(shared):
    given = block(BLOCKS[1], 4, scale=0.25, zero_point=-10)
    pcm = read_sound(shared, "speech")[:48000]
    right = feature_model.edge_cepstra(given, pcm, 13, 1, 0.98)
    features = Features(mel_file(edge_impulse.mfcc(given, win_size=0)))
    assert not features.is_normalized
    equal, most = differences(features, pcm, right)
    assert equal > 0.98
    assert most <= 1


def test_normalising_a_column_without_deviation_gives_the_zero_point():
    given = block(BLOCKS[1], 4, scale=0.25, zero_point=-10)
    features = Features(mel_file(edge_impulse.mfcc(given)))
    lines = np.full((49, 13), -32768, np.int16)
    lines[:, 1] = 32767
    lines[::2, 2] = 32767  # as far apart as can be
    found = np.array(features.normalize(lines)).reshape(49, 13)
    assert (np.delete(found, 2, axis=1) == -10).all()
    right = feature_model.edge_normalized(lines / 256, 101)[:, 2]
    assert np.array_equal(found[:, 2], rounded(right, 0.25, -10))


def test_emphasis_of_0_is_none():
    given = block(BLOCKS[1], 4, scale=0.25, zero_point=-10)
    assert edge_impulse.mfcc(given, pre_cof=0).lag == 0


def test_loudest_sounds_do_not_overflow():
    """Of all square waves, whose windows are not tapered and whose bins are full."""
    given = block(BLOCKS[1], 4, scale=1 / 256, zero_point=-128)
    features = Features(mel_file(edge_impulse.mfe(given, -20)))
    for period in range(2, 130):
        wave_of = np.where(np.arange(1600) % period < period / 2, 32767, -32768).astype(np.int16)
        right = feature_model.edge_mfe(given, wave_of, -20)
        assert differences(features, wave_of, right)[1] <= 1


def test_buffers_of_other_forms(shared):
    samples = read_sound(shared, "speech")[:4000]
    for name in ("narrow", "ei-mfe", "ei-mfcc"):
        features = Features(tables()[name])
        lines = features.of(samples)
        assert lines.shape[1] == features.values
        assert np.array_equal(features.of(samples.tobytes()), lines)
        stereo = np.stack([samples, samples], axis=1)
        assert np.array_equal(features.of(stereo[:, 0].copy()), lines)
        assert features.of(samples[:0]).shape == (0, features.values)
        with pytest.raises(TypeError, match="int16 expected, float32 given"):
            features.of(samples.astype(np.float32))


def test_a_file_is_a_source(tmp_path):
    path = tmp_path / "a.features"
    path.write_bytes(tables()["narrow"])
    assert Features(str(path)).values == 8
    path.write_bytes(tables()["narrow"][:-4])
    with pytest.raises(ValueError, match=r"a\.features: no file of `tflm features`"):
        Features(str(path))
    data = bytearray(tables()["narrow"])
    data[-1] ^= 1
    with pytest.raises(ValueError, match="tables: damaged, its checksum is wrong"):
        Features(data)


def test_a_build_without_it_says_so(monkeypatch):
    monkeypatch.setattr(tflm.mel, "_tflm", None)
    with pytest.raises(ImportError, match="computes no log-mel features"):
        Features(tables()["narrow"])
