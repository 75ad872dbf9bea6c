"""Every command names what a wrong file is, and what to do; before it builds anything."""

import io
import re
import zipfile

import pytest
from click.testing import CliRunner

from tflm_host.__main__ import main
from tflm_host.places import ROOT

MODEL = (ROOT / "models" / "digits_cnn.tflite").read_bytes()
CUT = "is cut off or damaged: compare its size"


def archive(**members):
    """Return a zip archive of *members*, whose names have "." for "__"."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, data in members.items():
            made.writestr(name.replace("__", "."), data)
    return file.getvalue()


WRONG = {
    "empty.tflite": (b"", "an empty one: copy or download it again"),
    "net.keras": (archive(config__json=b"{}", model__weights__h5=b""), "from_keras_model"),
    "net.h5": (b"\x89HDF\r\n\x1a\n" + bytes(100), "from_keras_model"),
    "net.onnx": (b"\x08\x08\x12\x07pytorch" + bytes(80), "an ONNX model"),
    "net.pb": (b"\x08\x01" + bytes(80), "from_saved_model"),
    "net.zip": (archive(net__tflite=MODEL), "a zip archive: unpack net.tflite"),
    "others.zip": (archive(a__txt=b"a"), "a zip archive without one in it"),
    "broken.zip": (archive(net__tflite=MODEL)[:900], "a broken zip archive"),
    "page.tflite": (b"\n<!DOCTYPE html><html></html>", "a page of HTML"),
    "lfs.tflite": (b"version https://git-lfs.github.com/spec/v1\noid", "`git lfs pull`"),
    "noise.tflite": (bytes(range(100, 200)), "bytes 4..7 must be b'TFL3'"),
    "begun.tflite": (MODEL[:20], CUT),
    "half.tflite": (MODEL[: len(MODEL) // 2], CUT),
    "most.tflite": (MODEL[:6000], CUT),
}
COMMANDS = {
    "arena": "arena {}",
    "inspect": "inspect {}",
    "run": "run {} --target NETDUINOPLUS2",
    "verify": "verify {} --target NETDUINOPLUS2",
    "bench": "bench {} --target NETDUINOPLUS2",
    "plan": "plan {} -o {}.out",
    "prepare": "prepare {} -o {}.out",
    "convert": "convert {} -o {}.out",
    "resize": "resize {} -o {}.out --input 0=1",
    "split": "split {} -o {}.out --after 1",
    "ops": "ops {}",
    "new": "new project --board MPS2_AN386 --model {}",
    "deploy": "deploy {} --port NETDUINOPLUS2 --yes",
}


def complaint(command, name):
    """Return the line that *command* prints on the file *name*."""
    done = CliRunner().invoke(main, COMMANDS[command].replace("{}", name).split())
    assert done.exit_code == 1, done.output
    return done.stderr


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """The folder of the files. No test is marked `firmware`, so one that builds any fails."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", WRONG)
def test_file_that_is_no_model_is_named_with_what_it_is(command, name, tmp_path):
    data, why = WRONG[name]
    (tmp_path / name).write_bytes(data)
    said = complaint(command, name)
    assert said.startswith(f"Error: {name}: ")
    assert why in said
    assert said.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("command", COMMANDS)
def test_missing_file_and_folder_are_named(command, tmp_path):
    assert "none.tflite: No such file" in complaint(command, "none.tflite")
    (tmp_path / "folder").mkdir()
    said = complaint(command, "folder")
    assert said.startswith("Error: folder: ")
    assert "one .tflite file is needed" in said or "no .tflite file in this folder" in said


def test_exit_status_of_a_missing_file_and_of_wrong_usage_is_that_of_the_document():
    text = (ROOT / "docs" / "commands.md").read_text()
    rows = re.findall(r"^\| (\d) \| (.*) \|$", text, re.MULTILINE)
    said = {int(status): meaning for status, meaning in rows}
    assert "a named file does not exist" in said[1]
    assert "an unknown option or value, or a missing argument" in said[2]
    for command in COMMANDS.values():
        line = command.replace("{}", "none.tflite").split()
        assert CliRunner().invoke(main, line).exit_code == 1, command
        for wrong in ([*line, "--none"], line[:1]):
            assert CliRunner().invoke(main, wrong).exit_code == 2, wrong


@pytest.mark.parametrize("command", ["arena", "ops"])
def test_one_of_several_is_named(command, tmp_path):
    (tmp_path / "good.tflite").write_bytes(MODEL)
    (tmp_path / "bad.tflite").write_bytes(b"")
    done = CliRunner().invoke(main, [command, "good.tflite", "bad.tflite"])
    assert done.exit_code == 1
    assert "bad.tflite: not a .tflite file but an empty one" in done.output


def test_port_that_is_not_there_leads_to_the_list_of_ports(tmp_path):
    (tmp_path / "good.tflite").write_bytes(MODEL)
    line = "deploy good.tflite --port /dev/tty-none --yes"
    done = CliRunner().invoke(main, line.split())
    assert done.exit_code == 1
    assert "/dev/tty-none: No such file or directory; `tflm doctor` lists the ports" in done.stderr
