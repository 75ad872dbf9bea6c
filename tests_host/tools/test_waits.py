"""`make bench-waits`: prepared models are no slower where flash waits."""

import re
from statistics import median

import pytest

from tflm_host.measure import ledger, waits
from tflm_host.measure.figures_page import MODELS
from tflm_host.places import ROOT
from tflm_host.targets.boards import TIMED

PAGE = ROOT / "docs" / "prepared.md"
# A trifle is no more than this part of an unprepared model's cycles, or so many cycles.
PART, FEW = 1.005, 20 * 110
# Prepared models that take more: the estimate is a mean over addresses, see docs/prepared.md.
SLOWER = {
    ("STM32F4", "audio_preprocessor_int8"): 1.015,  # reads parameters from flash, for less arena
    # By addresses: 0.3 % where the file lies 200 bytes further on.
    ("RP2350", "keras_lstm_mnist_ptq-ac718e"): 1.039,
}
NO_SLOWER = {"RP2040": 44, "RP2350": 42, "STM32F4": 42}  # of 49 models, at least


@pytest.fixture(scope="module")
def rows():
    return ledger.parse(waits.WAITS.read_text(), waits.KEYS)


def test_models_of_readme_and_many_of_others_are_there(rows):
    models = {model for _, model in rows}
    assert set(rows) == {(chip, model) for chip in waits.CHIPS for model in models}
    assert set(MODELS) < models and len(models) >= 42


def test_models_of_readme_are_no_slower_prepared_but_by_addresses(rows):
    parts = [part for (_, model), part in waits.longer(rows).items() if model in MODELS]
    assert max(parts, default=1) < PART + 0.001


def test_no_model_is_slower_prepared_by_more_than_a_trifle_but_these(rows):
    slower = {
        key: part
        for key, part in waits.longer(rows).items()
        if part > PART and rows[key]["prepared_waiting"] - rows[key]["plain_waiting"] > FEW
    }
    assert set(slower) <= set(SLOWER)
    assert all(part < SLOWER[key] for key, part in slower.items())


@pytest.mark.parametrize("chip", NO_SLOWER)
def test_most_models_are_no_slower_at_all(rows, chip):
    slower = sum(key[0] == chip for key in waits.longer(rows))
    assert len([key for key in rows if key[0] == chip]) - slower >= NO_SLOWER[chip]


def test_flash_costs_cycles_on_each_chip(rows):
    for row in rows.values():
        for kind in ("plain", "prepared"):
            assert row[f"{kind}_cycles"] < row[f"{kind}_waiting"]


def test_estimates_count_the_middle_of_what_the_flash_of_an_stm32f4_costs(rows):
    parts = [
        row[f"{kind}_waiting"] / row[f"{kind}_cycles"]
        for (chip, _), row in rows.items()
        for kind in ("plain", "prepared")
        if chip == "STM32F4" and row["plain_cycles"] > 100_000
    ]
    for board in ("NUCLEO_F446RE", "PYBV11", "STM32F4DISC"):
        assert TIMED[board][2] == pytest.approx(median(parts), abs=0.02)


@pytest.mark.parametrize("chip", ["STM32F4", "RP2350", "RP2040"])
def test_goals_of_a_chip_that_are_missed_are_those_of_the_page(rows, chip):
    text = (waits.FOLDER / "goals.csv").read_text()
    missed = {
        model
        for (target, model), goal in ledger.parse(text, ("target", "model")).items()
        if target == chip and rows[chip, model]["prepared_waiting"] > goal["most"]
    }
    page = (waits.FOLDER.parent / "docs" / "figures.md").read_text()
    named = page.partition(f"* on an {chip}:")[2].partition("\n")[0]
    assert missed == {name for name in MODELS if name in named}


def test_no_prepared_model_needs_more_arena(rows):
    assert all(row["prepared_arena"] <= row["plain_arena"] for row in rows.values())


def test_page_has_the_table(rows):
    page, longer = PAGE.read_text(), waits.longer(rows)
    assert (
        f"The table counts {len(rows) // len(waits.CHIPS)} models, {len(MODELS)} of them" in page
    )
    counts = {"no slower than unprepared": [], "slower by a trifle": []}
    more, middle = [], []
    for chip in waits.CHIPS:
        of_chip = {model: row for (name, model), row in rows.items() if name == chip}
        slower = [model for name, model in longer if name == chip]
        beyond = [model for model in slower if (chip, model) in SLOWER]
        counts["no slower than unprepared"].append(str(len(of_chip) - len(slower)))
        counts["slower by a trifle"].append(str(len(slower) - len(beyond)))
        more += [f"{model}, {percent(longer[chip, model] - 1)}" for model in beyond] or ["none"]
        parts = [row["prepared_waiting"] / row["plain_waiting"] for row in of_chip.values()]
        middle.append(f"{percent(1 - median(parts))} faster")
    for name, cells in counts.items():
        assert cells_of(page, name) == cells
    assert [text.removesuffix(", for less arena") for text in cells_of(page, "more")] == more
    assert cells_of(page, "the model in the middle") == middle


def test_page_names_the_models_of_readme_that_are_slower(rows):
    longer = {key: part for key, part in waits.longer(rows).items() if key[1] in MODELS}
    said = re.search(
        r"^Of the 12, (.+?)\. In these runs", PAGE.read_text(), re.DOTALL | re.MULTILINE
    )
    names = {name for name in MODELS if name in said[1]}
    assert names == {model for _, model in longer}
    assert {chip for chip in waits.CHIPS if chip in said[1]} == {chip for chip, _ in longer}
    assert set(re.findall(r"[\d.]+&nbsp;%", said[1])) == {
        percent(part - 1, 2) for part in longer.values()
    }


def percent(part, places=1):
    return f"{100 * part:.{places}f}&nbsp;%"


def cells_of(page, name):
    """Return the cells behind *name* in a row of a table of *page*."""
    (row,) = re.findall(rf"^\| {name} \| (.+) \|$", page, re.MULTILINE)
    return row.split(" | ")


def test_longer_says_which_models_are_slower_prepared():
    rows = {
        ("RP2040", name): {"plain_waiting": 100, "prepared_waiting": cycles}
        for name, cycles in (("same", 100), ("faster", 99), ("slower", 103))
    }
    assert waits.longer(rows) == {("RP2040", "slower"): 1.03}


def test_names_files_and_folders_are_models(tmp_path):
    model = waits.paths_of(["sine"])[0]
    inside = tmp_path / "inside"
    inside.mkdir()
    copy = inside / "copy.tflite"
    copy.write_bytes(model.read_bytes())
    assert waits.paths_of([str(tmp_path), "sine", str(copy)]) == [copy, model, copy]
    assert model in waits.paths_of([])
