"""What two cores of a Pico gain: the figures of `make bench-cores`."""

import pytest

from tflm_host.measure import ledger
from tflm_host.measure.bench_cores import CORES_FILE, FIGURES, KEYS, MODELS

GAINS = {
    "digits_cnn": 1.5,
    "kws_ref_model": 1.9,
    "person_detect": 1.85,
    "pretrainedResnet_quant": 1.85,
    "vww_96_int8": 1.8,
}
WAITING_MOST = 28_000_000  # cycles of person_detect on two cores, where flash waits


@pytest.fixture(scope="module")
def rows():
    return ledger.parse(CORES_FILE.read_text(), KEYS)


def test_every_figure_of_every_model_is_there(rows):
    assert set(rows) == {(model, kind) for model in MODELS for kind in ("plain", "prepared")}
    assert all(row[name] > 0 for row in rows.values() for name in FIGURES)


@pytest.mark.parametrize("model", MODELS)
def test_gain_of_two_cores(rows, model):
    assert rows[model, "plain"]["one"] / rows[model, "plain"]["two"] >= GAINS[model]


def test_two_cores_are_never_slower(rows):
    for row in rows.values():
        assert row["two"] < row["one"]
        assert row["two_waiting"] < row["one_waiting"]


def test_person_detect_where_flash_waits(rows):
    assert rows["person_detect", "plain"]["two_waiting"] <= WAITING_MOST
