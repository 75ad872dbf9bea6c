"""`make mlperf` takes the files of the runner that it was tried with, and no others."""

import csv
import importlib.util
import time

import pytest
from click.testing import CliRunner

import mlperf
import tflm
from tflm_host.places import ROOT


def test_time_never_falls_where_a_boards_count_restarts(monkeypatch, capsys):
    counts = iter([10, 2**29 + 20, 2**30 - 5, 7, 2**29 + 8])

    def difference(end, start):
        return (end - start + 2**29) % 2**30 - 2**29

    monkeypatch.setattr(time, "ticks_us", lambda: next(counts), raising=False)
    monkeypatch.setattr(time, "ticks_diff", difference, raising=False)
    spec = importlib.util.spec_from_file_location("mlperf_tiny", mlperf.PROGRAM)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    device = program.Device(
        tflm.Interpreter(str(ROOT / "models" / "sine.tflite")), "kws01", "int8"
    )
    for _ in range(4):
        device.stamp()
    laps = [int(line.removeprefix("m-lap-us-")) for line in capsys.readouterr().out.split()]
    assert laps == [2**29 + 10, 2**30 - 15, 2**30 - 3, 2**30 + 2**29 - 2]


@pytest.fixture
def closed(monkeypatch, tmp_path):
    """There is no network, and nothing in the cache."""
    monkeypatch.setattr(mlperf, "URL", "http://127.0.0.1:9/runner/")
    monkeypatch.setattr(mlperf, "WORK", tmp_path / "build")


def said(*arguments):
    result = CliRunner().invoke(mlperf.main, arguments)
    assert result.exit_code == 1
    return result.output


@pytest.mark.usefixtures("closed", "shared")
def test_without_network_it_says_how_to_name_a_checkout(tmp_path):
    text = said()
    assert "cannot be fetched: " in text
    assert f"mlcommons/tiny at commit {mlperf.COMMIT}: make mlperf TINY=FOLDER" in text
    assert not (tmp_path / "build").exists()


@pytest.mark.usefixtures("closed", "shared")
def test_a_checkout_with_other_files_is_refused(tmp_path):
    with mlperf.PINNED.open(newline="") as file:
        names = [row["file"] for row in csv.DictReader(file)]
    assert "main.py" in names
    folder = tmp_path / "tiny" / "benchmark" / "runner"
    text = said("--tiny", str(tmp_path))
    assert "is missing: TINY must be a checkout of mlcommons/tiny" in text
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("print('another')\n")
    text = said("--tiny", str(tmp_path / "tiny"))
    assert f"is not the file of mlcommons/tiny at commit {mlperf.COMMIT}" in text


def test_windows_are_long_enough_for_the_board_and_for_the_runner():
    assert mlperf.runs_of_a_window(100_000, 0.1) == 102  # ten seconds of the board
    assert mlperf.runs_of_a_window(1_000_000, 0.1) == 50  # five of this machine
    assert mlperf.runs_of_a_window(100_000, 1.0) == 12  # the runner would give it up
    assert mlperf.runs_of_a_window(100_000, 40.0) == 1


@pytest.mark.usefixtures("shared")
def test_files_of_a_model_name_each_class_and_cut_long_sounds(tmp_path):
    for name in mlperf.FORMS:
        folder = tmp_path / name
        results = mlperf.write_files(folder, name)
        with (folder / "y_labels.csv").open(newline="") as file:
            rows = list(csv.reader(file))
        assert {int(row[2]) for row in rows} == set(range(mlperf.CLASSES[name]))
        assert [row[0] for row in rows] == list(results)
        parts = mlperf.SEGMENTS if name == "ad01" else 1
        assert {len(found) for found in results.values()} == {parts}
        size = (folder / rows[0][0]).stat().st_size
        if name == "ad01":
            assert (size - int(rows[0][3])) // int(rows[0][4]) + 1 == parts
