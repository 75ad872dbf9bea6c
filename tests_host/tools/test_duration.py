"""About how long a run takes: the estimate of `tflm arena`, beside an emulated board."""

import json

import pytest
from click.testing import CliRunner

from tflm.model import Model
from tflm_host.__main__ import main
from tflm_host.measure.bench import measure
from tflm_host.measure.rates import least_squares
from tflm_host.model.flash_cache import RP2_CACHE
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.report import duration
from tflm_host.targets.boards import TIMED, board_facts

MODELS = sorted((ROOT / "models").glob("digits*.tflite"))
TIMED_BY = {"M0PLUS": "RPI_PICO", "MPS2_AN386": "RPI_PICO2"}
LIMIT = 1.75  # that an estimate of such small models may be off by


def milliseconds(model, board):
    """Return the estimate for one *board*, a row of board_facts()."""
    return duration.milliseconds(model, [board])[board["name"]]


@pytest.mark.firmware
@pytest.mark.parametrize("is_prepared", [False, True])
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
@pytest.mark.parametrize(("target", "name"), TIMED_BY.items())
def test_estimate_is_near_what_an_emulated_board_takes(target, name, path, is_prepared):
    (board,) = board_facts([name])
    data = path.read_bytes()
    if is_prepared:
        data = prepare(data, board["isa"], flash_cache=RP2_CACHE)
    true = measure(target, path.name, data).waiting / board["mhz"] / 1000
    found = milliseconds(Model(data, prepared=True), board)
    assert true / LIMIT < found < true * LIMIT


def test_known_model_takes_as_long_as_it_was_measured_to_take(zoo):
    model = Model((zoo / "person_detect.tflite").read_bytes(), prepared=False)
    pico, pico2, nucleo = board_facts(["RPI_PICO", "RPI_PICO2", "NUCLEO_F446RE"])
    assert 330 < milliseconds(model, pico) < 410  # docs/figures.md: 368.8
    assert 100 < milliseconds(model, pico2) < 145  # 122.3
    assert 80 < milliseconds(model, nucleo) < 140


def test_boards_without_a_model_of_their_time_have_none():
    model = Model(MODELS[0].read_bytes())
    for board in board_facts():
        assert (milliseconds(model, board) is None) == (board["name"] not in TIMED)


def test_more_work_takes_longer():
    small, large = (
        Model((ROOT / "models" / f"{name}.tflite").read_bytes())
        for name in ("sine", "digits_ds_cnn")
    )
    (board,) = board_facts(["RPI_PICO"])
    assert milliseconds(small, board) * 5 < milliseconds(large, board)


def test_command_prints_it_and_json_has_the_number():
    path = str(MODELS[0])
    shown = CliRunner().invoke(main, ["arena", path]).stdout
    (board,) = board_facts(["RPI_PICO"])
    ms = milliseconds(Model(MODELS[0].read_bytes()), board)
    assert "a run takes about" in shown
    assert f"{duration.about(ms)} on a Raspberry Pi Pico," in shown
    answer = json.loads(CliRunner().invoke(main, ["arena", path, "--json"]).stdout)
    assert answer["milliseconds"]["RPI_PICO"] == pytest.approx(ms)
    assert answer["milliseconds"]["MICROBIT"] is None


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (None, ""),
        (0.44, "0.4 ms"),
        (9.96, "10.0 ms"),
        (12.3, "12 ms"),
        (368.8, "370 ms"),
        (1520, "1.5 s"),
    ],
)
def test_numbers_have_two_digits(ms, text):
    assert duration.about(ms) == text


def test_fit_finds_rates_and_none_is_negative():
    columns = [(1, 10, 0), (1, 20, 5), (1, 40, 1), (1, 80, 9)]
    sums = [100 + 7 * a + 3 * b for _, a, b in columns]
    assert least_squares(columns, sums, 1) == pytest.approx([100, 7, 3], rel=0.01)
    assert min(least_squares(columns, [1000, 900, 800, 700], 1)) >= 0
