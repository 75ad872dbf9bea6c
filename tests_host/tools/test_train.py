"""`tflm train`: models of labelled sounds and tables, their files, and what is refused."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from support.models.tones import RATE, tone
from tflm.audio import BANDS, Features
from tflm.interpreter import Interpreter
from tflm.model import Model
from tflm.sources import Samples
from tflm_host.__main__ import main
from tflm_host.model import network
from tflm_host.model.labels import labels_inside
from tflm_host.model.recordings import SCALE, ZERO_POINT, read_recordings

HERTZ = {"high": 3000, "low": 500}
COUNT = 6
LENGTH = 4000  # samples, 12 lines


def tflm(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def sounds(tmp_path):
    for label, hertz in HERTZ.items():
        (tmp_path / "data" / label).mkdir(parents=True)
        for i in range(COUNT):
            path = tmp_path / "data" / label / f"{label}-{i:03}.wav"
            Samples(tone(hertz, LENGTH, phase=i)).save(str(path))
    return tmp_path


@pytest.fixture
def tables(tmp_path):
    rng = np.random.default_rng(1)
    for place, label in enumerate(("down", "flat", "up")):
        (tmp_path / "data" / label).mkdir(parents=True)
        for i in range(COUNT):
            rows = rng.normal(4 * (place - 1), 0.5, (8, 3))
            text = "\n".join(",".join(f"{value:.4f}" for value in row) for row in rows)
            (tmp_path / "data" / label / f"{i}.csv").write_text(text + "\n")
    return tmp_path


def trained(folder, *more):
    path = folder / "model.tflite"
    done = tflm("train", folder / "data", "-o", path, "--json", *more)
    assert done.exit_code == 0, done.output
    return path, json.loads(done.stdout)


def test_sounds_are_learned_from_their_features(sounds):
    path, facts = trained(sounds)
    assert (facts["held_out"], facts["right"], facts["front"]) == (4, 4, "micro_speech")
    assert facts["bytes"] == path.stat().st_size
    assert labels_inside(path) == facts["classes"] == ["high", "low"]
    model = Model(path.read_bytes())
    assert bytes(model.metadata["tflm_features"]) == b"micro_speech"
    tensor = Interpreter(model).inputs[0]
    assert (tensor.shape, tensor.scale, tensor.zero_point) == ((1, 12, 40, 1), SCALE, ZERO_POINT)
    answer = json.loads(tflm("accuracy", path, "--input", sounds / "data", "--json").stdout)
    assert answer["confusion"] == {"high": {"high": COUNT}, "low": {"low": COUNT}}


def test_input_of_the_model_is_just_the_features_of_a_board(sounds):
    path, _ = trained(sounds)
    wav = sounds / "data" / "low" / "low-003.wav"
    answer = json.loads(tflm("run", path, "--input", wav, "--json").stdout)
    interp = Interpreter(path.read_bytes())
    lines = Features("micro_speech").of(tone(HERTZ["low"], LENGTH, phase=3))
    interp.inputs[0].data[:] = lines.tobytes()
    interp.invoke()
    assert answer["outputs"][0]["values"] == list(interp.outputs[0].dequantize())
    assert answer["outputs"][0]["labels"][0] == "low"


def test_tables_are_learned_in_the_range_of_their_numbers(tables):
    path, facts = trained(tables)
    assert (facts["held_out"], facts["right"], facts["front"]) == (6, 6, None)
    values = read_recordings(tables / "data").values
    tensor = Interpreter(path.read_bytes()).inputs[0]
    assert tensor.shape == (1, 8, 3, 1)
    assert (128 + 127) * tensor.scale <= 1.01 * (values.max() - values.min())
    answer = json.loads(tflm("accuracy", path, "--input", tables / "data", "--json").stdout)
    assert answer["right"] == answer["judged"] == 3 * COUNT


@pytest.mark.parametrize("data", ["sounds", "tables"])
def test_model_gives_the_bytes_of_tflm(data, request, oracle):
    path, _ = trained(request.getfixturevalue(data))
    oracle.load(path.read_bytes())
    interp = Interpreter(path.read_bytes())
    rng = np.random.default_rng(3)
    for _ in range(20):
        given = rng.bytes(interp.inputs[0].nbytes)
        interp.inputs[0].data[:] = given
        interp.invoke()
        assert bytes(interp.outputs[0].data) == bytes(oracle.invoke([given])[0])


def test_same_recordings_give_the_same_file_and_another_seed_another(sounds):
    first = trained(sounds)[0].read_bytes()
    assert trained(sounds)[0].read_bytes() == first
    assert trained(sounds, "--seed", 1)[0].read_bytes() != first


def test_held_out_files_are_a_fifth_of_each_class_and_not_trained_with(sounds):
    found = read_recordings(sounds / "data")
    kept, held = found.split()
    assert sorted(kept + held) == list(range(2 * COUNT))
    assert np.bincount(found.classes[held]).tolist() == [2, 2]
    assert found.split(1) != (kept, held)


def test_what_a_sound_gives_is_features_as_reals(sounds):
    found = read_recordings(sounds / "data", "micro")
    line = Features("micro").of(tone(HERTZ["high"], LENGTH))[0].astype(float)
    assert found.lines == 23
    assert found.values[0, :BANDS].tolist() == ((line + 128) * 26 / 256).tolist()


def rename(folder):
    (folder / "data" / "low").rename(folder / "low")


def shorten(folder):
    Samples(tone(500, LENGTH // 2)).save(str(folder / "data" / "low" / "low-002.wav"))


def empty(folder):
    for path in (folder / "data").rglob("*.wav"):
        Samples(tone(500, 100)).save(str(path))


def mix(folder):
    (folder / "data" / "low" / "a.csv").write_text("1,2,3\n")


def slow(folder):
    Samples(tone(500, LENGTH), RATE // 2).save(str(folder / "data" / "low" / "low-001.wav"))


@pytest.mark.parametrize(
    ("spoil", "wanted"),
    [
        (rename, "Two or more are needed, high found"),
        (shorten, "low-002.wav gives 200 numbers"),
        (empty, "it gives no numbers"),
        (mix, "the folder has sounds and tables"),
        (slow, "sox {}/data/low/low-001.wav -b 16 out.wav remix - rate 16000"),
    ],
)
def test_folders_that_cannot_be_learned_are_refused(spoil, wanted, sounds):
    spoil(sounds)
    done = tflm("train", sounds / "data", "-o", sounds / "model.tflite")
    assert (done.exit_code, wanted.format(sounds) in done.stderr) == (1, True), done.stderr
    assert not (sounds / "model.tflite").exists()


def test_a_missing_folder_and_few_files_are_said(sounds):
    done = tflm("train", sounds / "none", "-o", sounds / "model.tflite")
    assert (done.exit_code, "none: no such folder" in done.stderr) == (1, True)
    done = tflm("train", sounds / "data", "-o", sounds / "model.tflite")
    assert (done.exit_code, "low: only 6 files" in done.stderr) == (0, True)


def test_a_missing_folder_of_the_model_is_said_before_the_training(sounds, monkeypatch):
    monkeypatch.setattr(network, "train", None)
    done = tflm("train", sounds / "data", "-o", sounds / "none" / "model.tflite")
    assert done.exit_code == 1
    assert "none is no folder" in " ".join(done.stderr.split())


def test_features_of_another_model_are_an_option(sounds):
    """A model that names no front end, with one of tflm.audio and with a file of tables."""
    path, _ = trained(sounds)
    data = path.read_bytes().replace(b"tflm_features", b"tflm_featurez")
    path.write_bytes(data)
    arguments = ["accuracy", path, "--input", sounds / "data"]
    refused = tflm(*arguments)
    assert (refused.exit_code, "look like features" in refused.stderr) == (1, True)
    answer = json.loads(tflm(*arguments, "--features", "micro_speech", "--json").stdout)
    assert answer["right"] == 2 * COUNT
    wrong = tflm(*arguments, "--features", "micro")
    assert "23 lines of 40 features, input 'values' takes 480 numbers, 12 lines" in wrong.stderr
    unknown = tflm(*arguments, "--features", "mel.features")
    assert "micro_speech or micro expected, or a file of `tflm features`" in unknown.stderr
    made = sounds / "mel.features"
    options = ["--n-fft", 512, "--hop-length", 317, "-o", made]
    assert tflm("features", path, *options).exit_code == 0
    assert tflm(*arguments, "--features", made).exit_code == 0
