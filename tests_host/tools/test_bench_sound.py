"""What `make bench-sound` counts, and what it says of goals and of the last commit."""

import shutil

import pytest

from tflm.sources import Samples
from tflm_host.measure import bench_sound
from tflm_host.model.files import InputError
from tflm_host.targets.emulator import QEMU

KEY = ("RPI_PICO", "front", "micro", "noise")
ROW = {"unit": "cycles", "second": 9_000_000, "load": 1000, "heap": 2400, "models_heap": 0}


@pytest.mark.firmware
@pytest.mark.parametrize("board", ["MPS2_AN386", "RPI_PICO"])
def test_front_ends_cost_what_they_may(board):
    for program in (QEMU,) if board == "MPS2_AN386" else ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: nothing here runs {board}")
    rows = bench_sound.measure(board, [], *bench_sound.sound_of(None))
    assert bench_sound.show(rows) == []
    micro, speech = (rows[board, "front", name, "noise"] for name in ("micro", "micro_speech"))
    assert 1.8 < micro["second"] / speech["second"] < 2.1  # 100 lines, and 50
    assert 2160 < micro["heap"] == speech["heap"] < 3072


@pytest.mark.firmware
def test_wake_words_leave_a_pico_the_time_that_was_promised(shared):
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: nothing here runs rp2040js")
    (path,) = (shared / "zoo").rglob("okay_nabu-0689ab.tflite")
    rows = bench_sound.measure("RPI_PICO", [[path]], *bench_sound.sound_of(None))
    assert bench_sound.show(rows) == []
    row = rows["RPI_PICO", "ear", path.stem, "noise"]
    assert row["second"] > 20_000_000
    assert row["models_heap"] > 8000


def test_missed_goals_and_rises_are_named(monkeypatch, tmp_path, capsys):
    assert bench_sound.show({KEY: ROW}) == []
    assert bench_sound.show({KEY: {**ROW, "heap": 3073}}) == ["RPI_PICO front micro noise heap"]
    figures = tmp_path / "sound.csv"
    bench_sound.ledger.write(figures, bench_sound.KEYS, {KEY: ROW})
    monkeypatch.setattr(bench_sound.ledger, "committed", lambda path: path.read_text())
    monkeypatch.setattr(bench_sound, "FIGURES", figures)
    assert bench_sound.compare({KEY: {**ROW, "second": 9_080_000}})
    assert not bench_sound.compare({KEY: {**ROW, "second": 9_100_000}})
    assert "1 of 4 figures have risen by more than 1 %" in capsys.readouterr().out


def test_sound_must_be_long_enough(tmp_path):
    path = tmp_path / "short.wav"
    Samples(bytes(32000)).save(str(path))
    with pytest.raises(InputError, match="2 seconds of sound are needed"):
        bench_sound.sound_of(path)
    Samples(bytes(64000)).save(str(path))
    assert bench_sound.sound_of(path) == ("short", bytes(64000))
