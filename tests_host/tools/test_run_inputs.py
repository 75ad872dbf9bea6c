"""`tflm run`: pictures, sounds, tables and folders of them go in, names of classes come out."""

import json
import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from support.models.model_builder import ModelBuilder, Quant
from tflm import Interpreter, Model
from tflm_host.__main__ import main
from tflm_host.model.files import InputError
from tflm_host.model.labels import labels_inside
from tflm_host.model.samples import picture_shape, read_sample
from tflm_host.places import ROOT
from tflm_host.report.accuracy import class_of
from tflm_host.report.answers import are_shares, best, ranked

DIGITS = ROOT / "models" / "digits_cnn.tflite"
WORDS = ("nil", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def tflm(*args, status=0):
    result = CliRunner().invoke(main, [str(arg) for arg in args])
    assert result.exit_code == status, result.output
    return result


def facts(*args):
    return json.loads(tflm(*args, "--json").stdout)


def reshape(dtype, shape, scale=None, zero_point=0):
    """Return a model that gives its input back."""
    builder = ModelBuilder()
    quant = None if scale is None else Quant([scale], [zero_point])
    tensors = [builder.tensor(shape, dtype, quant) for _ in range(2)]
    builder.op("RESHAPE", [tensors[0]], [tensors[1]])
    return builder.build([tensors[0]], [tensors[1]])


def input_of(data):
    return Model(data).subgraphs[0].tensor(Model(data).subgraphs[0].inputs[0])


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """A folder of 40 digits as pictures of 8 x 8, in folders by class, and one of none."""
    folder = tmp_path_factory.mktemp("digits")
    file = Path(find_spec("sklearn").origin).parent / "datasets" / "data" / "digits.csv.gz"
    digits = np.loadtxt(file, delimiter=",", max_rows=40)  # importing scikit-learn takes a second
    for i, (*image, target) in enumerate(digits):
        part = folder / str(int(target))
        part.mkdir(exist_ok=True)
        pixels = np.minimum(np.reshape(image, (8, 8)) * 16, 255).astype(np.uint8)
        Image.fromarray(pixels).save(part / f"{i:02}.png")
    Image.new("L", (8, 8)).save(folder / "black.png")
    return folder


def answer_to(path):
    """Return the class that the model finds in the picture at *path*, without the tools."""
    interp = Interpreter(str(DIGITS))
    pixels = np.asarray(Image.open(path)).astype(np.int16) - 128
    interp.inputs[0].data[:] = pixels.astype(np.int8).tobytes()
    interp.invoke()
    return interp.outputs[0].argmax()


def test_folder_gives_accuracy_and_confusion_of_the_classes_that_folders_name(pictures):
    paths = sorted(pictures.rglob("*.png"))
    found = facts("run", DIGITS, "--input", pictures)
    wanted = {str(p.relative_to(pictures)): answer_to(p) for p in paths}
    assert {row["file"]: int(row["answer"]) for row in found["files"]} == wanted
    right = sum(p.parent.name == str(wanted[str(p.relative_to(pictures))]) for p in paths)
    assert (found["judged"], found["right"]) == (40, right)
    assert found["accuracy"] == right / 40
    assert right > 30  # the model is good
    assert sum(sum(row.values()) for row in found["confusion"].values()) == 40
    text = tflm("run", DIGITS, "--input", pictures).stdout
    assert f"{right} of 40 right: {100 * right / 40:.1f} %; 1 files are of no known class" in text


def test_labels_name_the_classes_of_folders_and_answers(pictures, tmp_path):
    labels = tmp_path / "labels.txt"
    labels.write_text("\n".join(WORDS) + "\n\n")
    picture = next(pictures.glob("3/*.png"))
    text = tflm("run", DIGITS, "--input", picture, "--labels", labels).stdout
    assert "8x8 to 8x8 grey, 0..255 as -128..127" in text
    assert f"{WORDS[answer_to(picture)]} " in text
    found = facts("run", DIGITS, "--input", picture, "--labels", labels)["outputs"][0]
    assert found["labels"][0] == WORDS[answer_to(picture)]
    (tmp_path / "of").mkdir()
    for name in ("Three-1.png", "cat.png"):
        (tmp_path / "of" / name).write_bytes(picture.read_bytes())
    rows = facts("run", DIGITS, "--input", tmp_path / "of", "--labels", labels)["files"]
    assert [row["class"] for row in rows] == ["three", None]


def test_labels_inside_the_model_are_found(tmp_path):
    model = tmp_path / "digits.tflite"
    model.write_bytes(DIGITS.read_bytes())
    assert labels_inside(model) is None
    with zipfile.ZipFile(model, "a") as archive:
        archive.writestr("labels.txt", "\n".join(WORDS))
    assert labels_inside(model) == list(WORDS)
    assert facts("run", model)["outputs"][0]["labels"][0] in WORDS


def test_values_are_real_numbers_and_each_output_goes_to_its_file(tmp_path):
    found = facts("run", DIGITS, "--output", tmp_path / "out.npy")["outputs"][0]
    raw = np.load(tmp_path / "out.npy").ravel()
    output = Interpreter(str(DIGITS)).outputs[0]
    real = (raw.astype(float) - output.zero_point) * output.scale
    assert np.array_equal(np.array(found["values"], np.float32), real.astype(np.float32))
    message = tflm("run", DIGITS, "--output", "a", "--output", "b", status=1).stderr
    assert "2 outputs named, the model has 1" in message


@pytest.mark.parametrize(
    ("shape", "wanted"),
    [
        ([1, 8, 6, 1], (8, 6, 1)),
        ([1, 8, 6, 3], (8, 6, 3)),
        ([1, 8, 6], (8, 6, 1)),
        ([8, 6, 3], (8, 6, 3)),
        ([8, 6], (8, 6, 1)),
        ([1, 64], (8, 8, 1)),
        ([192], (8, 8, 3)),
        ([1, 65], None),
        ([1, 8, 6, 2], None),
        ([2, 8, 6, 1], None),
    ],
)
def test_picture_shape_of_an_input(shape, wanted):
    assert picture_shape(input_of(reshape("INT8", shape))) == wanted


def test_pictures_are_resized_and_take_the_range_that_is_asked_for(tmp_path):
    path = tmp_path / "grey.png"
    Image.new("RGB", (20, 10), (51, 51, 51)).save(path)
    for dtype, scale, zero_point, limits, wanted in (
        ("INT8", 0.5, 0, None, 51 - 128),
        ("UINT8", 0.5, 0, None, 51),
        ("FLOAT32", None, 0, None, np.float32(0.2)),
        ("FLOAT32", None, 0, (-1, 1), np.float32(-0.6)),
        ("INT8", 0.25, 3, (0, 10), 11),
        ("INT16", 0.25, 0, (0, 10), 8),
    ):
        info = input_of(reshape(dtype, [1, 4, 4, 1], scale, zero_point))
        data, note = read_sample(path, info, limits)
        assert (np.frombuffer(data, dtype.lower()) == wanted).all()
        assert note.startswith("20x10 to 4x4 grey")


def test_tables_and_float_arrays_are_quantised(tmp_path):
    (tmp_path / "a.csv").write_text("\ufeff0.5, 1;-1\n", encoding="utf-8")  # as spreadsheets do
    np.save(tmp_path / "a.npy", np.array([[0.5, 1, -1]]))
    info = input_of(reshape("INT8", [1, 3], 0.5, 1))
    for name in ("a.csv", "a.npy"):
        data, _ = read_sample(tmp_path / name, info)
        assert list(np.frombuffer(data, np.int8)) == [2, 3, -1]
    info = input_of(reshape("INT32", [3]))
    with pytest.raises(InputError, match="no scale, so it takes only integers"):
        read_sample(tmp_path / "a.csv", info)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.png", b"no picture", "cannot identify"),
        ("a.wav", b"no sound", "RIFF"),
        ("a.csv", b"1,two", "could not convert"),
        ("a.csv", b"1,2", "takes 64 numbers"),
        ("a.csv", b"nan," * 63 + b"1", "nan"),
        ("a.npy", b"", "No data left"),
    ],
)
def test_file_that_does_not_fit_is_refused_by_name(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    error = tflm("run", DIGITS, "--input", path, status=1).stderr
    assert name in error
    assert message in error


def test_missing_file_and_empty_folder_are_refused(tmp_path):
    assert "no such file" in tflm("run", DIGITS, "--input", tmp_path / "a.png", status=1).stderr
    assert "no file in it" in tflm("run", DIGITS, "--input", tmp_path, status=1).stderr


def test_class_of_a_file_is_told_by_folder_then_name(tmp_path):
    labels = ["cat", "big dog", "7"]
    for path, wanted in (
        ("cat/7.png", 0),
        ("CAT/x.png", 0),
        ("other/big dog-3.png", 1),
        ("7_a.png", 2),
        ("1.png", 1),
        ("3.png", None),
        ("catalogue.png", None),
    ):
        assert class_of(tmp_path / path, tmp_path, labels, 3) == wanted, path


def test_order_of_classes_and_shares():
    assert ranked([1, 3, 3, 2]) == [1, 2, 3, 0]
    assert best([1, 3, 3, 2]) == 1
    assert are_shares([0.25, 0.75])
    assert not are_shares([0.25, 0.25])
    assert not are_shares([1.5, -0.5])


@pytest.mark.firmware
def test_folder_on_a_board_and_many_invokes_of_one_input(pictures):
    here, there = (
        facts("run", DIGITS, "--input", pictures, "--target", target)
        for target in ("host", "MPS2_AN386")
    )
    assert there["files"] == here["files"]
    # 40,000 inputs of 64 bytes would not go into the 1 MB that the board has for files.
    found = facts("run", DIGITS, "--target", "MPS2_AN386", "--count", "300")
    assert found["outputs"] == facts("run", DIGITS)["outputs"]
    assert len(found["microseconds"]) == 300
