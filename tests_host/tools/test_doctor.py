"""`tflm doctor`: what is missing, and the line that cures it."""

import json

import pytest
from click.testing import CliRunner

from tflm_host.__main__ import main
from tflm_host.report import doctor as examined
from tflm_host.targets.boards import all_board_names
from tflm_host.targets.repl import TargetError


class Board:
    """A target that says *facts* of itself."""

    def __init__(self, facts):
        self.facts = facts

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        pass

    def exec(self, code):
        return "tflm:" + json.dumps(self.facts) if code == "say_facts()" else ""


@pytest.fixture
def board(monkeypatch):
    """Let each port lead to a board that says these facts; {} of one that does not reply."""

    def answer(**changed):
        facts = {
            "board": "a board",
            "micropython": "1.25.0",
            "heap_free": 100_000,
            "tflm": examined.__version__,
            "backends": ["c"],
            "rom": [],
        }

        def open_target(name):
            if changed.get("silent"):
                raise TargetError(f"{name}: no answer")
            return Board({**facts, **changed})

        monkeypatch.setattr(examined, "open_target", open_target)

    return answer


def doctor(*arguments):
    return CliRunner().invoke(main, ["doctor", *arguments])


def test_what_is_missing_has_a_cure_and_what_is_there_none(monkeypatch):
    monkeypatch.setattr(examined.util, "find_spec", lambda name: name == "PIL")
    monkeypatch.setenv("CC", "")
    monkeypatch.setattr(examined.shutil, "which", lambda name: name == "node" and "/bin/node")
    facts = json.loads(doctor("--json").stdout)
    found = {part["name"]: part["found"] for part in facts["parts"]}
    assert (found["node"], found["ortools"], found["C compiler"]) == ("/bin/node", None, None)
    assert found["pillow"]
    for part in facts["parts"]:
        assert bool(part["found"]) != bool(part["cure"]), part
    assert "missing" in doctor().stdout


def test_an_installed_package_is_cured_by_pip_and_has_no_firmware(monkeypatch):
    monkeypatch.setattr(examined, "IN_CLONE", False)
    monkeypatch.setattr(examined.util, "find_spec", lambda _name: None)
    facts = json.loads(doctor("--json").stdout)
    assert (facts["clone"], facts["firmware"]) == (None, [])
    cures = {part["name"]: part["cure"] for part in facts["parts"]}
    assert cures["ortools"] == "pip install ortools"
    assert "cmake" not in cures


def test_firmware_of_every_board_is_built_or_has_its_line():
    firmware = json.loads(doctor("--json").stdout)["firmware"]
    assert {build["target"] for build in firmware} == {"unix", *all_board_names()}
    for build in firmware:
        assert (build["state"] == "built") == (build["cure"] is None)
    lines = {build["target"]: build["cure"] for build in firmware}
    assert lines["PYBV11"] is None or lines["PYBV11"].startswith("MICROPYTHON_DIR=")


def test_ports_with_usb_devices_are_listed_and_asked_on_request(monkeypatch, board):
    class Port:
        device, vid, pid, description = "/dev/ttyACM7", 0x2E8A, 5, "Board in FS mode"

    class Other(Port):
        device, vid = "/dev/ttyS0", None

    monkeypatch.setattr(examined.list_ports, "comports", lambda: [Other, Port])
    board()
    facts = json.loads(doctor("--json").stdout)
    assert facts["ports"] == [{"port": "/dev/ttyACM7", "usb": "2e8a:0005 Board in FS mode"}]
    assert facts["boards"] == []
    text = doctor("--ask").stdout
    assert "a board, MicroPython 1.25.0" in text
    assert "ready" in text


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"tflm": None, "backends": []}, "no tflm on this board"),
        ({"tflm": "0.0.1"}, "it has tflm 0.0.1"),
        ({"backends": []}, "neither C nor viper"),
        ({"silent": True}, "no answer"),
    ],
)
def test_board_that_cannot_be_used_ends_with_1_and_says_why(board, changed, reason):
    board(**changed)
    done = doctor("--port", "/dev/ttyACM7")
    assert done.exit_code == 1
    assert reason in done.stdout
    answer = json.loads(doctor("--port", "/dev/ttyACM7", "--json").stdout)
    assert reason in answer["boards"][0]["error"]


def test_drive_of_a_boot_loader_is_found(monkeypatch, tmp_path):
    (tmp_path / "someone" / "RPI-RP2").mkdir(parents=True)
    monkeypatch.setattr(examined, "DRIVES", (f"{tmp_path}/*/*",))
    assert examined.drives() == []
    (tmp_path / "someone" / "RPI-RP2" / "INFO_UF2.TXT").write_text("UF2 Bootloader")
    assert examined.drives() == [str(tmp_path / "someone" / "RPI-RP2")]
