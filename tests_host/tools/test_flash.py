"""`tflm flash`: the right file goes to the right board, and nothing to any other."""

import shutil
import struct
import threading
import time
from contextlib import contextmanager

import pytest
from click.testing import CliRunner

from tflm_host.__main__ import main
from tflm_host.cli import flash as command
from tflm_host.deploy import flash
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build
from tflm_host.targets.emulator import QEMU, Emulator
from tflm_host.targets.repl import TargetError

RP2040, RP2350 = 0xE48BFF56, 0xE48BFF59
IDS = {RP2040: "RPI-RP2", RP2350: "RP2350"}
SEEN = 0.05  # seconds between two looks of a board at its drive


def uf2(*families):
    """Return a file of one block for each of *families*; None: it names none."""
    blocks = []
    for i, family in enumerate(families):
        flags = 0 if family is None else flash.HAS_FAMILY
        head = (*flash.MAGIC, flags, 0x10000000 + 256 * i, 256, i, len(families), family or 0)
        blocks.append(struct.pack("<8I", *head) + bytes(476) + struct.pack("<I", 0x0AB16F30))
    return b"".join(blocks)


@pytest.fixture
def firmware(tmp_path):
    path = tmp_path / "firmware.uf2"
    path.write_bytes(uf2(RP2040, RP2040))
    return path


@pytest.fixture
def drives(tmp_path, monkeypatch):
    """The folder below which drives of boards appear; no others are seen, and no ports."""
    monkeypatch.setattr(command.doctor, "DRIVES", (f"{tmp_path}/media/*",))
    monkeypatch.setattr(command.doctor, "ports", lambda: [])
    return tmp_path / "media"


def plug_in(drives, family, name="RPI"):
    drive = drives / name
    drive.mkdir(parents=True)
    (drive / flash.BOOTSEL).write_text(f"UF2 Bootloader v3.0\r\nBoard-ID: {IDS[family]}\r\n")
    return drive


@contextmanager
def starting(drive):
    """Behave as a board: the drive goes when it has firmware. Yields what it got."""
    got, end = [], threading.Event()

    def watch():
        while not end.wait(SEEN):
            for path in drive.glob("*.uf2"):
                time.sleep(SEEN)
                got.append(path.read_bytes())
                (drive / flash.BOOTSEL).unlink()
                return

    thread = threading.Thread(target=watch)
    thread.start()
    yield got
    end.set()
    thread.join()


def run(*arguments):
    return CliRunner().invoke(main, ["flash", *map(str, arguments)])


def test_board_in_bootsel_gets_the_file(firmware, drives):
    with starting(plug_in(drives, RP2040)) as got:
        done = run(firmware, "--yes")
    assert done.exit_code == 0, done.output
    assert got == [firmware.read_bytes()]
    assert "1,024 bytes written" in done.output


def test_nothing_is_written_unasked(firmware, drives):
    drive = plug_in(drives, RP2040)
    refused = run(firmware)
    assert refused.exit_code == 2  # nobody can be asked here
    assert "the firmware of the RP2040 at" in refused.stderr
    assert [path.name for path in drive.iterdir()] == [flash.BOOTSEL]


@pytest.mark.parametrize("way", ["found", "named"])
def test_wrong_board_gets_nothing(firmware, drives, way):
    drive = plug_in(drives, RP2350)
    refused = run(firmware, "--yes", *(["--drive", drive] if way == "named" else []))
    assert refused.exit_code == 1
    assert f"{firmware} is for RP2040, and {drive} is of RP2350" in refused.stderr
    assert [path.name for path in drive.iterdir()] == [flash.BOOTSEL]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "does not say"),
        (b"\x7fELF" * 128, "is no UF2 file"),
        (uf2(RP2040)[:-1], "is no UF2 file"),
        (uf2(None), "does not say"),
        (uf2(RP2040, RP2350), "does not say"),
        (uf2(0x57755A57), "is for chips of family 0x57755a57"),
    ],
)
def test_file_that_is_no_firmware_for_it_is_refused(firmware, drives, data, said):
    plug_in(drives, RP2040)
    firmware.write_bytes(data)
    refused = run(firmware, "--yes")
    assert refused.exit_code == 1
    assert said in refused.stderr


def test_which_board_must_be_clear(firmware, drives, monkeypatch):
    assert "no board found: hold BOOTSEL" in run(firmware).stderr
    monkeypatch.setattr(
        command.doctor, "ports", lambda: [{"port": f"/dev/p{i}", "usb": "2e8a:5"} for i in "12"]
    )
    assert "of /dev/p1, /dev/p2" in run(firmware).stderr
    plug_in(drives, RP2040)
    plug_in(drives, RP2350, "RP2350")
    assert "several boards found" in run(firmware).stderr
    assert run().exit_code == run(firmware, "--board", "RPI_PICO").exit_code == 2


def test_board_that_takes_nothing_is_told(drives, monkeypatch):
    monkeypatch.setattr(flash, "STAYS", 0)
    with pytest.raises(flash.InputError, match="is still there"):
        flash.write(plug_in(drives, RP2040), b"", "firmware.uf2", 0)


def test_board_at_a_port_starts_its_boot_loader(firmware, drives, monkeypatch):
    class Board:
        name = "/dev/here"

        def __enter__(self):
            return self

        def __exit__(self, *exc_info):
            pass

        def exec(self, code, _timeout=0):
            if "bootloader" not in code:
                return "Raspberry Pi Pico with RP2040\n"
            plug_in(drives, RP2040)
            raise TargetError("no answer")

    monkeypatch.setattr(command, "open_target", lambda _port: Board())
    with starting(drives / "RPI") as got:
        done = run(firmware, "--port", "/dev/here", "--yes")
    assert done.exit_code == 0, done.output
    assert got == [firmware.read_bytes()]


class Clock:
    """Time that goes on by a second where the code sleeps."""

    def __init__(self, monkeypatch):
        self.now = 0
        monkeypatch.setattr(flash, "time", self)

    def monotonic(self):
        return self.now

    def sleep(self, _seconds):
        self.now += 1


def test_drive_that_comes_is_found_and_no_other(monkeypatch):
    clock = Clock(monkeypatch)
    assert flash.wait_for_drive(lambda: ["old"] + ["new"] * (clock.now >= 3), ["old"], 9) == "new"
    assert clock.now == 3


def test_drive_that_does_not_come_is_told_when_the_time_is_over(monkeypatch):
    clock, looks = Clock(monkeypatch), []
    with pytest.raises(flash.InputError, match="no drive with INFO_UF2.TXT came in 3 s"):
        flash.wait_for_drive(lambda: looks.append(clock.now) or ["old"], ["old"], 3)
    assert looks == [0, 1, 2, 3, 4]


def test_write_waits_for_the_board_as_long_as_it_says(drives, monkeypatch):
    clock = Clock(monkeypatch)
    with pytest.raises(flash.InputError, match="is still there after 3 s: the board took no"):
        flash.write(plug_in(drives, RP2040), b"firmware", "firmware.uf2", 3)
    assert clock.now == 4


@pytest.mark.parametrize("goes", [True, False])
def test_write_that_fails_is_an_error_unless_the_board_is_gone(drives, monkeypatch, goes):
    drive = plug_in(drives, RP2040)

    def fail(_file):
        if goes:
            (drive / flash.BOOTSEL).unlink()
        raise OSError("no such device")

    monkeypatch.setattr(flash.os, "fsync", fail)
    if goes:
        flash.write(drive, b"firmware", "firmware.uf2", 0)
    else:
        with pytest.raises(OSError, match="no such device"):
            flash.write(drive, b"firmware", "firmware.uf2", 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Board-ID: RP2350\n", "is of RP2350: nothing was written"),
        ("Board-ID: SAMD51-x\n", "is of SAMD51-x: nothing was written"),
        ("UF2 Bootloader\n", "is of an unknown board: nothing was written"),
    ],
)
def test_drive_of_another_board_is_named(drives, text, said):
    drive = plug_in(drives, RP2040)
    (drive / flash.BOOTSEL).write_text(text)
    with pytest.raises(flash.InputError, match=f"f.uf2 is for RP2040, and {drive} {said}"):
        flash.refuse_wrong_drive(drive, RP2040, "f.uf2")


def test_board_that_names_another_chip_is_refused():
    flash.refuse_wrong_board("Raspberry Pi Pico with RP2040", RP2040, "f.uf2")
    for family, chip in ((RP2350, "RP2350"), (0x57755A57, "0x57755a57")):
        with pytest.raises(
            flash.InputError, match=f"f.uf2 is for {chip}, and the board there is 'Pico, RP2040'"
        ):
            flash.refuse_wrong_board("Pico, RP2040", family, "f.uf2")


@pytest.mark.firmware
def test_emulated_board_at_a_port_is_asked_what_it_is(firmware, drives, monkeypatch):
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    assert not drives.exists()
    build("MPS2_AN386")
    with Emulator(load_board("MPS2_AN386"), pty=True) as emulator:
        refused = run(firmware, "--port", emulator.port, "--yes")
        assert (
            "is for RP2040, and the board there is 'mps2-an386 with Cortex-M4F'" in refused.stderr
        )
        monkeypatch.setitem(flash.LOADERS, "RPI-RP2", ((RP2040,), "Cortex-M4F"))
        refused = run(firmware, "--port", emulator.port, "--yes")
        assert "starts no boot loader" in refused.stderr
