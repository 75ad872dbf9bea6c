"""`tflm compare`: which layer of an int8 model is far from its float32 form, and why."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from support.models.model_builder import ModelBuilder, Quant
from tflm.model import Model
from tflm_host.__main__ import main
from tflm_host.model.paired import pairs_of
from tflm_host.report.layers import compared, histograms

SIZES = (12, 16, 16, 8)
RNG = np.random.default_rng(5)
WEIGHTS = [RNG.normal(0, 0.4, shape[::-1]) for shape in zip(SIZES, SIZES[1:], strict=False)]
SAMPLES = RNG.uniform(-1, 1, (50, SIZES[0]))
DENSE = {"activation": 0}
INPUT = Quant(1 / 127, 0)


def ranges():
    """Return the largest magnitude behind each layer."""
    values, found = SAMPLES, []
    for weights in WEIGHTS:
        values = values @ weights.T
        found.append(float(np.abs(values).max()))
    return found


def floats():
    b = ModelBuilder()
    x = first = b.tensor([1, SIZES[0]], "FLOAT32")
    for i, weights in enumerate(WEIGHTS):
        w = b.tensor(weights.shape, "FLOAT32", data=weights.astype("<f4").tobytes())
        y = b.tensor([1, SIZES[i + 1]], "FLOAT32", name=f"dense{i}")
        b.op("FULLY_CONNECTED", [x, w], [y], **DENSE)
        x = y
    return b.build([first], [x])


def quantized(factors=(1, 1, 1), name="dense", ends=False):
    """Return the int8 form; the scale of layer i is *factors[i]* times what its numbers need.

    ends  inputs and outputs are float32, with QUANTIZE and DEQUANTIZE
    """
    b = ModelBuilder()
    x = first = b.tensor([1, SIZES[0]], "FLOAT32" if ends else "INT8", None if ends else INPUT)
    if ends:
        x = b.tensor([1, SIZES[0]], "INT8", INPUT)
        b.op("QUANTIZE", [first], [x])
    for i, (weights, most) in enumerate(zip(WEIGHTS, ranges(), strict=True)):
        scale = float(np.abs(weights).max() / 127)
        data = np.rint(weights / scale).astype(np.int8).tobytes()
        w = b.tensor(weights.shape, "INT8", Quant(scale, 0), data)
        y = b.tensor([1, SIZES[i + 1]], "INT8", Quant(most / 127 * factors[i]), name=f"{name}{i}")
        b.op("FULLY_CONNECTED", [x, w], [y], **DENSE)
        x = y
    if ends:
        y = b.tensor([1, SIZES[-1]], "FLOAT32", name="result")
        b.op("DEQUANTIZE", [x], [y])
        x = y
    return b.build([first], [x])


@pytest.fixture
def compare(tmp_path):
    def run(first, second, *options):
        paths = [tmp_path / "first.tflite", tmp_path / "second.tflite"]
        for path, data in zip(paths, (first, second), strict=True):
            path.write_bytes(data)
        return CliRunner().invoke(main, ["compare", *map(str, paths), *options])

    return run


def facts(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("ends", [False, True])
def test_good_form_is_near(compare, ends):
    report = facts(compare(floats(), quantized(ends=ends), "--json"))
    assert report["runs"] == 10
    assert report["outputs"][0]["decibels"] > 30
    assert all(layer["noise_added"] < 0.002 and not layer["why"] for layer in report["layers"])


@pytest.mark.parametrize("name", ["dense", "other"])
@pytest.mark.parametrize("ends", [False, True])
@pytest.mark.parametrize("bad", [0, 1, 2])
def test_layer_whose_scale_clips_comes_first(compare, bad, ends, name):
    factors = [0.2 if i == bad else 1 for i in range(3)]
    report = facts(compare(floats(), quantized(factors, name, ends), "--json"))
    worst = report["layers"][0]
    assert (worst["node"], worst["op"]) == (bad + ends, "FULLY_CONNECTED")
    assert worst["why"].startswith("clips: -")
    assert worst["noise_added"] > 0.05
    assert worst["clipped"] > 0.2


def test_layer_whose_scale_is_coarse_comes_first(compare):
    report = facts(compare(floats(), quantized((1, 20, 1)), "--json"))
    worst = report["layers"][0]
    assert worst["node"] == 1
    assert worst["why"].startswith("coarse: its numbers span ")


def test_form_with_itself_is_equal(compare):
    shown = compare(floats(), floats())
    assert shown.exit_code == 0
    assert "output 0: equal, largest difference 0" in shown.stdout


def test_table_names_the_worst_layer_first(compare):
    lines = compare(floats(), quantized((1, 0.2, 1))).stdout.splitlines()
    title = next(i for i, line in enumerate(lines) if line.split()[:2] == ["node", "op"])
    assert lines[title + 1].split()[:2] == ["1", "FULLY_CONNECTED"]
    assert "clips" in lines[title + 1]


def test_page_has_the_table_and_a_picture_of_each_of_the_worst_layers(compare, tmp_path):
    path = tmp_path / "page.html"
    shown = compare(floats(), quantized((1, 0.2, 1)), "--html", str(path))
    assert shown.exit_code == 0, shown.output
    page = path.read_text()
    rows = page.split("<tr>")[2:]
    assert "<td>1</td><td>FULLY_CONNECTED</td>" in rows[0]
    assert len(rows) == page.count("<figure>") == 3


def test_histograms_count_every_number():
    models = [Model(floats()), Model(quantized())]
    fed = [[[data.astype("<f4").tobytes()] for data in SAMPLES[:4]]]
    fed.append([[np.rint(data * 127).astype(np.int8).tobytes()] for data in SAMPLES[:4]])
    layers, _ = compared(models, fed)
    for layer, counts in zip(layers, histograms(models, fed, layers), strict=True):
        assert counts.sum(axis=1).tolist() == [4 * layer.second.elements] * 2


def test_files_are_the_inputs(compare, tmp_path):
    folder = tmp_path / "samples"
    folder.mkdir()
    for i in range(3):
        np.save(folder / f"{i}.npy", SAMPLES[i])
    report = facts(compare(floats(), quantized(), "--input", str(folder), "--json"))
    assert (report["runs"], report["random"]) == (3, False)
    assert report["outputs"][0]["decibels"] > 25


def test_models_of_other_outputs_are_refused(compare):
    b = ModelBuilder()
    x, y = b.tensor([1, 12], "FLOAT32"), b.tensor([1, 12], "FLOAT32")
    b.op("RELU", [x], [y])
    shown = compare(floats(), b.build([x], [y]))
    assert shown.exit_code == 1
    assert "the models differ in their outputs: [8] and [12] elements" in shown.stderr


def test_model_that_cannot_run_is_named(compare):
    b = ModelBuilder()
    x, y = b.tensor([1, 12], "FLOAT32"), b.tensor([1, 8], "FLOAT32")
    b.op("LOCAL_RESPONSE_NORMALIZATION", [x], [y])
    shown = compare(floats(), b.build([x], [y]))
    assert shown.exit_code == 1
    assert "second.tflite: this float32 model needs operators" in shown.stderr


def test_names_pair_layers_that_order_would_not():
    b = ModelBuilder()
    x, w = b.tensor([1, 4], "FLOAT32"), b.tensor([4, 4], "FLOAT32", data=bytes(64))
    named = [b.tensor([1, 4], "FLOAT32", name=f"n{i}") for i in (1, 0)]
    for y in named:
        b.op("FULLY_CONNECTED", [x, w], [y], **DENSE)
    swapped = b.build([x], named[::-1])
    b = ModelBuilder()
    x, w = b.tensor([1, 4], "FLOAT32"), b.tensor([4, 4], "FLOAT32", data=bytes(64))
    named = [b.tensor([1, 4], "FLOAT32", name=f"n{i}") for i in (0, 1)]
    for y in named:
        b.op("FULLY_CONNECTED", [x, w], [y], **DENSE)
    graphs = [Model(data).subgraphs[0] for data in (swapped, b.build([x], named))]
    assert all(one.name == other.name for one, other in pairs_of(*graphs))
