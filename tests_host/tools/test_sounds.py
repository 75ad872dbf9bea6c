"""`tflm run --input x.wav`: a sound that the model takes, or the line that makes it one."""

import struct
import wave
from contextlib import suppress

import numpy as np
import pytest
from click.testing import CliRunner

from tflm_host.__main__ import main
from tflm_host.model.files import InputError
from tflm_host.model.samples import read_sample
from tflm_host.model.sounds import takes_samples
from tools.test_run_inputs import input_of, reshape

LONG = "pad 0 16000s trim 0 16000s"


def write(path, samples, rate=16000, channels=1, width=2):
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(width)
        sound.setframerate(rate)
        sound.writeframes(samples)
    return path


def refused(path, info, **options):
    with pytest.raises(InputError) as caught:
        read_sample(path, info, **options)
    return str(caught.value)


def ramp(count, dtype="<i2"):
    return np.arange(count).astype(dtype).tobytes()


def test_samples_keep_their_numbers(tmp_path):
    samples = np.array([0, 16384, -32768], "<i2")
    path = write(tmp_path / "word.wav", samples.tobytes())
    data, note = read_sample(path, input_of(reshape("INT16", [1, 3])), rate=16000)
    assert list(np.frombuffer(data, "<i2")) == [0, 16384, -32768]
    assert note == "3 samples at 16,000 Hz"
    data, note = read_sample(path, input_of(reshape("FLOAT32", [3])), rate=16000)
    assert list(np.frombuffer(data, "<f4")) == [0, 0.5, -1]
    assert note == "3 samples at 16,000 Hz, as -1..1"
    data, _ = read_sample(path, input_of(reshape("INT8", [3], 1 / 128)), rate=16000)
    assert list(np.frombuffer(data, np.int8)) == [0, 64, -128]
    for width, dtype, values in ((1, np.uint8, [128, 192, 0]), (4, "<i4", [0, 1 << 30, -1 << 31])):
        data = np.array(values, np.int64).astype(dtype).tobytes()
        write(path, data, width=width)
        data, _ = read_sample(path, input_of(reshape("INT16", [1, 3])), rate=16000)
        assert list(np.frombuffer(data, "<i2")) == [0, 16384, -32768], width


@pytest.mark.parametrize(
    ("rate", "channels", "count", "problems", "effects"),
    [
        (44100, 1, 44100, ["44,100 samples a second, the model takes 16,000"], "rate 16000 "),
        (8000, 1, 8000, ["8,000 samples a second, the model takes 16,000"], "rate 16000 "),
        (16000, 2, 16000, ["2 channels, the model takes one"], "remix - "),
        (16000, 1, 15999, ["15,999 samples, 1 s, the model takes 16,000, 1 s"], ""),
        (16000, 1, 40000, ["40,000 samples, 2.5 s, the model takes 16,000, 1 s"], ""),
        (
            44100,
            2,
            11025,
            ["2 channels", "44,100 samples a second", "11,025 samples, 0.25 s"],
            "remix - rate 16000 ",
        ),
    ],
)
@pytest.mark.parametrize("kind", ["INT16", "FLOAT32"])
def test_one_line_cures_all_that_is_wrong(
    tmp_path, kind, rate, channels, count, problems, effects
):
    path = write(tmp_path / "a b.wav", ramp(count * channels), rate, channels)
    message = refused(path, input_of(reshape(kind, [1, 16000])))
    assert all(problem in message for problem in problems), message
    assert message.endswith(f": sox '{path}' out.wav {effects}{LONG}")
    assert message.count(";") == len(problems) - 1


def test_rate_that_is_said_counts(tmp_path):
    info = input_of(reshape("INT16", [1, 8000]))
    path = write(tmp_path / "a.wav", ramp(8000), 8000)
    assert "--rate says another" in refused(path, info)
    assert read_sample(path, info, rate=8000)[0] == ramp(8000)
    message = refused(path, info, rate=44100)
    assert "the model takes 44,100;" in message
    assert message.endswith("rate 44100 pad 0 8000s trim 0 8000s")


@pytest.mark.parametrize(
    ("kind", "shape", "takes"),
    [
        ("INT8", [1, 40], False),
        ("INT8", [1, 1960], False),  # micro_speech: 49 lines of 40
        ("INT8", [1, 640], False),
        ("INT8", [1, 49, 40, 1], False),
        ("FLOAT32", [1, 40], False),
        ("FLOAT32", [1, 160, 160], False),
        ("INT32", [1, 16000], False),
        ("INT16", [1, 96], False),
        ("INT16", [1, 480], True),
        ("FLOAT32", [15600], True),
        ("FLOAT32", [1, 16000, 1], True),
        ("INT8", [1, 16000], True),
    ],
)
def test_input_of_features_takes_no_sound(tmp_path, kind, shape, takes):
    info = input_of(reshape(kind, shape, 0.5 if kind == "INT8" else None))
    assert takes_samples(info) is takes
    path = write(tmp_path / "a.wav", ramp(info.elements))
    if takes:
        assert len(read_sample(path, info)[0]) == info.nbytes
    else:
        message = refused(path, info)
        assert f"takes {info.elements:,} numbers ({kind.lower()} {shape})" in message
        assert "look like features" in message
        assert "--rate" in message


def test_empty_and_cut_off_sounds_are_refused(tmp_path):
    info = input_of(reshape("INT16", [1, 480]))
    path = write(tmp_path / "a.wav", b"")
    assert "no samples, input" in refused(path, info)
    data = write(path, ramp(480)).read_bytes()
    for cut in (*range(0, 60), *range(60, len(data), 97)):
        path.write_bytes(data[:cut])
        assert str(path) in refused(path, info)
    path.write_bytes(data[:-3])
    assert "478 samples of 480 are there" in refused(path, info)


@pytest.mark.parametrize(
    ("rate", "channels", "count", "problems", "effects"),
    [
        (16000, 1, 16000, 0, ""),
        (44100, 1, 44100, 1, f" rate 16000 {LONG}"),
        (44100, 2, 11025, 3, f" remix - rate 16000 {LONG}"),
    ],
)
def test_one_line_cures_24_bits_and_all_else(tmp_path, rate, channels, count, problems, effects):
    path = write(tmp_path / "a.wav", bytes(count * channels * 3), rate, channels, width=3)
    message = refused(path, input_of(reshape("INT16", [1, 16000])))
    assert message.startswith(f"{path}: samples of 24 bits, 8, 16 or 32 are read")
    assert message.endswith(f": sox {path} -b 16 out.wav{effects}")
    assert message.count(";") == problems


@pytest.mark.parametrize("rate", [16000, 44100])
def test_one_line_cures_floats_and_all_else(tmp_path, rate):
    info = input_of(reshape("INT16", [1, 480]))
    path = write(tmp_path / "a.wav", bytes(480 * 4), rate, width=4)
    data = bytearray(path.read_bytes())
    data[20:22] = struct.pack("<H", 3)  # floats
    path.write_bytes(data)
    cure = f"sox {path} -b 16 -e signed-integer out.wav remix - rate 16000 pad 0 480s trim 0 480s"
    assert refused(path, info).endswith(f"unknown format: 3, integers are read: {cure}")


def test_sound_without_a_rate_is_refused(tmp_path):
    path = write(tmp_path / "a.wav", bytes(480 * 2))
    data = bytearray(path.read_bytes())
    data[24:28] = bytes(4)
    path.write_bytes(data)
    assert "0 samples a second" in refused(path, input_of(reshape("INT16", [1, 480])))


def test_flipped_bytes_of_a_header_are_an_error_or_a_sound(tmp_path):
    info = input_of(reshape("INT16", [1, 480]))
    path = write(tmp_path / "a.wav", ramp(480))
    data = path.read_bytes()
    for at in range(44):
        for value in (0, 1, 127, 255, data[at] ^ 1):
            path.write_bytes(data[:at] + bytes([value]) + data[at + 1 :])
            with suppress(InputError):
                read_sample(path, info)


def test_command_refuses_and_takes_a_rate(tmp_path):
    model = tmp_path / "m.tflite"
    model.write_bytes(reshape("INT16", [1, 800]))
    path = write(tmp_path / "a.wav", ramp(800), 8000)

    def run(*options):
        return CliRunner().invoke(main, ["run", str(model), "--input", str(path), *options])

    done = run()
    assert (done.exit_code, "sox" in done.stderr) == (1, True)
    assert run("--rate", "8000").exit_code == 0
    (tmp_path / "sounds").mkdir()
    path = path.rename(tmp_path / "sounds" / "a.wav").parent
    assert "sox" in run().stderr
