"""What commands write by -o is there as a whole, or what was before is."""

import os
import stat
import subprocess
import sys
import threading

import pytest
from click.testing import CliRunner

from tflm_host.__main__ import main
from tflm_host.model.files import write_file
from tflm_host.places import ROOT

DIGITS = ROOT / "models" / "digits_cnn.tflite"
COMMANDS = {
    "prepare": ["prepare", DIGITS, "-o"],
    "split": ["split", DIGITS, "--after", "1", "-o"],
    "romfs": ["romfs", DIGITS, "-o"],
    "plan": ["plan", DIGITS, "-o"],
    "run": ["run", DIGITS, "--output"],
    "arena --svg": ["arena", DIGITS, "--svg"],
    "arena --html": ["arena", DIGITS, "--html"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_command_that_is_stopped_leaves_the_old_file(tmp_path, monkeypatch, name):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(0o640)
    command = [*map(str, COMMANDS[name]), str(path)]

    def stop(*_paths):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", stop)
        done = CliRunner().invoke(main, command)
    assert done.exit_code == 1, done.output
    assert f"{path}: No space left on device" in done.stderr
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    assert path.stat().st_size > 3
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_whoever_has_the_old_file_open_keeps_it(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with open(path, "rb") as file:
        write_file(path, "new")
        assert file.read() == b"old"
    assert path.read_bytes() == b"new"


def test_new_file_has_the_mode_that_others_have(tmp_path):
    write_file(tmp_path / "a", b"")
    (tmp_path / "b").write_bytes(b"")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_link_leads_where_it_led(tmp_path):
    (tmp_path / "there").mkdir()
    link, target = tmp_path / "link", tmp_path / "there" / "file"
    link.symlink_to(target)
    for data in (b"new", b"newer"):  # made by the first
        write_file(link, data)
        assert link.is_symlink()
        assert target.read_bytes() == data


def test_what_a_shell_pipes_on_is_written_to():
    command = [sys.executable, "-m", "tflm_host", "plan", str(DIGITS), "-o", "/dev/stdout"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout[4:8] == b"TFL3"


def test_pipe_is_written_to(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    found = []
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()))
    reader.start()
    write_file(path, b"data")
    reader.join(10)
    assert found == [b"data"]
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_place_that_takes_no_file_is_named(tmp_path):
    for path in (tmp_path, tmp_path / "no folder" / "file"):
        with pytest.raises(OSError, match="director") as caught:
            write_file(path, b"data")
        assert caught.value.filename == str(path)
    done = CliRunner().invoke(main, ["romfs", str(DIGITS), "-o", str(tmp_path / "no" / "file")])
    assert f"{tmp_path / 'no' / 'file'}: No such file or directory" in done.stderr


def test_file_that_may_not_be_written_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # whoever runs this may be root
    with pytest.raises(PermissionError):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
