"""`tflm accuracy`: classes come from folders, and the matrix counts what the model answers."""

import json

import pytest
from click.testing import CliRunner

from support.models.tones import HERTZ, SAMPLES, tone, tones_model
from tflm.sources import Samples
from tflm_host.__main__ import main

from .test_json_keys import undocumented


@pytest.fixture
def folder(tmp_path):
    """Tones: three low ones, two high ones, and a high one that is called low; and the model."""
    (tmp_path / "model.tflite").write_bytes(tones_model())
    for label, kind, count in (("low", "low", 3), ("high", "high", 2), ("low", "high", 1)):
        (tmp_path / "data" / label).mkdir(parents=True, exist_ok=True)
        for i in range(count):
            sound = Samples(tone(HERTZ[kind], SAMPLES, phase=i))
            sound.save(str(tmp_path / "data" / label / f"{kind}{i}.wav"))
    return tmp_path


def accuracy(folder, *more):
    arguments = ["accuracy", folder / "model.tflite", "--input", folder / "data", *more]
    return CliRunner().invoke(main, list(map(str, arguments)))


def test_folders_in_alphabetical_order_name_the_classes(folder):
    answer = json.loads(accuracy(folder, "--json").stdout)
    assert answer["confusion"] == {"high": {"high": 2}, "low": {"high": 1, "low": 3}}
    assert (answer["judged"], answer["right"]) == (6, 5)
    assert answer["accuracy"] == 5 / 6
    assert undocumented("accuracy", answer) == (set(), set())
    shown = accuracy(folder)
    assert (shown.exit_code, "5 of 6 right: 83.3 %" in shown.stdout) == (0, True)
    assert "files by class (row) and answer (column)" in shown.stdout


def test_labels_say_which_class_is_which(folder):
    (folder / "names.txt").write_text("low\nhigh\n")
    answer = json.loads(accuracy(folder, "--labels", folder / "names.txt", "--json").stdout)
    assert answer["right"] == 1


def test_files_of_no_class_and_no_folder_are_an_error(folder):
    (folder / "data" / "low").rename(folder / "data" / "other")
    (folder / "names.txt").write_text("one\ntwo\n")
    refused = accuracy(folder, "--labels", folder / "names.txt")
    assert (refused.exit_code, "the classes are one, two" in refused.stderr) == (1, True)
    arguments = ["accuracy", str(folder / "model.tflite"), "--input", str(folder / "none")]
    refused = CliRunner().invoke(main, arguments)
    assert (refused.exit_code, "none: no such folder" in refused.stderr) == (1, True)
