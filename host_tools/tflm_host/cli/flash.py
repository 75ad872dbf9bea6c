"""`tflm flash`: firmware onto a board, in its boot loader or behind its serial port."""

from pathlib import Path

import click

from ..deploy import flash as flashing
from ..model.files import InputError
from ..places import BUILD, IN_CLONE, here
from ..report import doctor
from ..report.errors import reports_errors
from ..report.terminal import number, say, warn
from ..targets.boards import rp2_board_names
from ..targets.open_target import open_target
from .common import BoardName, complete_port, consent_of, yes_option

MAKER = "2e8a:"  # of Raspberry Pi's boards, as USB has it


@click.command("flash")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--board",
    type=BoardName(rp2_board_names()),
    help="Firmware to write, as this clone built it.",
    hidden=not IN_CLONE,
)
@click.option(
    "--port", shell_complete=complete_port, help="Serial port; the board starts its boot loader."
)
@click.option("--drive", type=click.Path(path_type=Path), help="Mounted boot loader.")
@yes_option
@reports_errors
def flash(file, board, port, drive, yes):
    """Write FILE, a UF2, to a board with RP2040 or RP2350.

    The board is at --port or --drive, or in BOOTSEL, or at the only serial port with a board of
    Raspberry Pi. The command asks first, and refuses firmware for another chip. Models in /rom and
    files stay.

    In a clone --board writes the firmware that was built for this board, without FILE.
    """
    path = _firmware(file, board)
    data = path.read_bytes()
    family = flashing.family_of(data, path)
    consent = consent_of(yes)
    if drive is None and port is None:
        drive, port = _find()
    if drive is None:
        drive = _start_loader(port, family, path, consent)
    else:
        flashing.refuse_wrong_drive(drive, family, path)
        consent(
            f"this replaces the firmware of the {flashing.chip_of(family)} at {drive} by {path}"
        )
    flashing.write(drive, data, path.name)
    say(f"{number(len(data))} bytes written; `tflm doctor --ask` says what the board is now")


def _firmware(file, board):
    if (file is None) == (board is None):
        raise click.UsageError(here("name FILE or --board", "name FILE"))
    path = file or BUILD / board / "firmware.uf2"
    if board and not IN_CLONE:
        raise InputError(f"--board takes the build of a clone: name the release's {board}.uf2")
    if board and not path.exists():
        raise InputError(f"{path} is missing: make firmware BOARD={board}")
    return path


def _find():
    """Return (drive, None) of the board in its boot loader, or (None, port) of the only one."""
    drives = doctor.drives()
    ports = [port["port"] for port in doctor.ports() if port["usb"].startswith(MAKER)]
    if len(drives) == 1:
        return Path(drives[0]), None
    if drives or len(ports) > 1:
        found = ", ".join(drives or ports)
        raise InputError(f"several boards found: name --port or --drive, of {found}")
    if not ports:
        raise InputError(
            "no board found: hold BOOTSEL while you plug it in, or name --port or --drive"
        )
    return None, ports[0]


def _start_loader(port, family, path, consent):
    """Ask the board at *port* for its name, start its boot loader and return the drive."""
    before = doctor.drives()
    with open_target(port) as target:
        said = target.exec("import sys\nprint(sys.implementation._machine)").strip()
        flashing.refuse_wrong_board(said, family, path)
        consent(f"this replaces the firmware of {said} at {port} by {path}")
        flashing.start_loader(target)
    warn(f"{port}: the boot loader starts")
    drive = flashing.wait_for_drive(doctor.drives, before)
    flashing.refuse_wrong_drive(drive, family, path)
    return drive
