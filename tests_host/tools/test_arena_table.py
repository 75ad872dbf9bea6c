"""`make arena`: every model's arena in one table; targets must need the same bytes."""

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
