"""`make bench-waits`: prepared models are no slower where flash waits."""

import pytest

from tflm_host.measure import ledger, waits
from tflm_host.measure.figures_page import MODELS

WORST = 1.04  # of an unprepared model's cycles: addresses are others, see docs/cycles.md


@pytest.fixture(scope="module")
def rows():
    return ledger.parse(waits.WAITS.read_text(), waits.KEYS)


def test_models_of_readme_and_many_of_others_are_there(rows):
    models = {model for _, model in rows}
    assert set(rows) == {(chip, model) for chip in waits.CHIPS for model in models}
    assert set(MODELS) < models and len(models) >= 42


def test_models_of_readme_are_no_slower_prepared_but_by_addresses(rows):
    slower = {key: part for key, part in waits.longer(rows).items() if key[1] in MODELS}
    assert max(slower.values(), default=1) < 1.002


def test_few_others_are_slower_and_not_by_much(rows):
    slower = waits.longer(rows)
    assert max(slower.values()) < WORST
    assert sum(part > waits.LIMIT for part in slower.values()) <= len(rows) / 20


def test_no_prepared_model_needs_more_arena(rows):
    assert all(row["prepared_arena"] <= row["plain_arena"] for row in rows.values())


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
