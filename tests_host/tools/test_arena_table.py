"""`make arena`: every model's arena in one table; targets must need the same bytes."""

import csv

import pytest
from click.testing import CliRunner

import tflm
from tflm_host.measure import arena_table
from tflm_host.measure.arena_table import GENERATED, GOALS, KINDS, arenas, asked, main
from tflm_host.measure.ledger import parse
from tflm_host.places import ROOT

SINE = ROOT / "models" / "sine.tflite"


def call(*arguments):
    return CliRunner().invoke(main, list(arguments))


def test_table_shows_what_each_kind_of_a_model_needs():
    found = arenas(SINE)
    assert tuple(found) == KINDS
    assert found["plain"] == tflm.Model(str(SINE)).arena_required()
    assert found["prepared"] < found["planned"] <= found["plain"]
    done = call("--model", "sine")
    assert done.exit_code == 0
    assert f"{found['plain']:,}" in done.stdout


def test_a_model_is_named_or_a_file_and_what_is_neither_is_refused(tmp_path):
    path = tmp_path / "mine.tflite"
    path.write_bytes(SINE.read_bytes())
    for model in ("sine", str(SINE), str(path)):
        done = call("--model", model)
        assert done.exit_code == 0
        assert f"{arenas(SINE)['plain']:,}" in done.stdout
    for model in ("sin", str(tmp_path), str(tmp_path / "none.tflite")):
        done = call("--model", model)
        assert done.exit_code == 1
        assert f"{model}: no file, and none of the models " in done.stderr
    assert "mobilenet_v2" in call("--model", next(iter(GENERATED))).stdout


def arenas_of_tflm(text, head):
    """Return {model: bytes of TFLM's arena} of the table in *text* whose first line has *head*."""
    lines = text.partition(head)[2].partition("\n\n")[0].splitlines()[2:]
    rows = [line.strip("| ").split("|") for line in lines if line.startswith("|")]
    return {row[0].strip(): row[3].replace(",", "").strip() for row in rows}


def test_tables_have_the_arena_that_bench_has_of_tflm():
    of_tflm = {row["model"]: row["tflm"] for row in csv.DictReader(GOALS.open())}
    shown = arenas_of_tflm((ROOT / "docs" / "figures.md").read_text(), "| TFLM's smallest |")
    assert len(shown) > len(of_tflm) / 2
    few = arenas_of_tflm((ROOT / "README.md").read_text(), "| model | arena | prepared | TFLM |")
    assert set(few) < set(shown)
    for model, nbytes in [*shown.items(), *few.items()]:
        assert nbytes == of_tflm.get(model, ""), model


def test_every_goal_is_met_and_far_below_tflm(zoo):
    goals = parse(GOALS.read_text(), ("model",))
    for (name,), goal in goals.items():
        if name in GENERATED:
            continue  # see test_mobilenet.py
        found = arenas(zoo / f"{name}.tflite")
        assert found["plain"] <= goal["plain"] < goal["tflm"]
        assert found["planned"] <= found["plain"]
        assert found["prepared"] <= goal["prepared"]


@pytest.mark.firmware
def test_target_agrees_and_sixteen_bytes_less_raise():
    assert asked("unix", SINE) == arenas(SINE)


def test_target_that_differs_is_named_and_fails(monkeypatch):
    monkeypatch.setattr(arena_table, "asked", lambda *_: dict.fromkeys(KINDS, 48))
    done = call("--model", "sine", "unix")
    assert done.exit_code == 1
    assert "sine plain: 48 on unix" in done.stdout


def test_missed_goal_fails(monkeypatch, tmp_path):
    goals = tmp_path / "arena.csv"
    goals.write_text("model,tflm,plain,prepared\nsine,1072,16,16\n")
    monkeypatch.setattr(arena_table, "GOALS", goals)
    done = call("--model", "sine")
    assert done.exit_code == 1
    assert "2 goals are missed: sine plain, sine prepared" in done.stdout


@pytest.mark.firmware
@pytest.mark.parametrize("target", ["MPS2_AN386", "MICROBIT"])
def test_emulated_boards_need_what_the_host_says(target):
    assert asked(target, SINE) == arenas(SINE)
