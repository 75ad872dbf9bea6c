"""Firmware onto a board that shows its boot loader as a drive, as a Pico in BOOTSEL does.

INFO_UF2.TXT on the drive names the boot loader, and each block of a UF2 file names its family of
chips. The two must match.
"""

import os
import re
import struct
import time
from pathlib import Path

from ..model.files import InputError
from ..targets.repl import ExecError, TargetError

BOOTSEL = "INFO_UF2.TXT"
# Board-ID of a boot loader: the families that it takes (see MicroPython's uf2conv.py), and what
# MicroPython on its boards says of their chip.
LOADERS = {
    "RPI-RP2": ((0xE48BFF56,), "RP2040"),
    "RP2350": ((0xE48BFF59, 0xE48BFF5A, 0xE48BFF57), "RP2350"),
}
BLOCK = 512
MAGIC = 0x0A324655, 0x9E5D5157
HAS_FAMILY = 0x2000
STAYS = 20  # seconds until a board that was written to starts its program
COMES = 15  # seconds until a board shows its boot loader
STEP = 0.1


def family_of(data, name):
    """Return the family of chips that the UF2 file *data* is for. Raises InputError for others."""
    families = set()
    for at in range(0, len(data), BLOCK):
        block = data[at : at + BLOCK]
        if len(block) < BLOCK or struct.unpack_from("<2I", block) != MAGIC:
            raise InputError(f"{name} is no UF2 file")
        flags, family = (
            struct.unpack_from("<I", block, 8)[0],
            struct.unpack_from("<I", block, 28)[0],
        )
        families.add(family if flags & HAS_FAMILY else None)
    if len(families) != 1 or None in families:
        raise InputError(f"{name} does not say for which family of chips it is")
    return families.pop()


def board_id(drive):
    """Return the Board-ID of the boot loader whose drive this is, "" where it says none."""
    text = (Path(drive) / BOOTSEL).read_text(errors="replace")
    found = re.search(r"^Board-ID: *(\S+)", text, re.MULTILINE)
    return found[1] if found else ""


def refuse_wrong_drive(drive, family, name):
    """Raise InputError unless firmware *name* of *family* is for the boot loader of *drive*."""
    found = board_id(drive)
    families, chip = LOADERS.get(found, ((), ""))
    if family not in families:
        wanted = chip_of(family) or f"chips of family {family:#x}"
        raise InputError(
            f"{name} is for {wanted}, and {drive} is of {chip or found or 'an unknown board'}:"
            " nothing was written"
        )


def chip_of(family):
    """Return the name of the chip of *family*, None where it is unknown."""
    return next((chip for families, chip in LOADERS.values() if family in families), None)


def refuse_wrong_board(said, family, name):
    """Raise InputError unless *said*, MicroPython's name of its board, has *family*'s chip."""
    chip = chip_of(family)
    if chip is None or chip not in said:
        raise InputError(f"{name} is for {chip or hex(family)}, and the board there is {said!r}")


def start_loader(target):
    """Let the board behind *target* start its boot loader; it is gone from its port then."""
    try:
        target.exec("import machine\nmachine.bootloader()", 2)
    except ExecError as error:
        raise InputError(f"{target.name} starts no boot loader: {error.traceback}") from None
    except (TargetError, OSError):
        pass  # it does not reply any more


def wait_for_drive(drives, before, seconds=COMES):
    """Return the new drive: drives() names it, and *before* does not have it."""
    end = time.monotonic() + seconds
    while True:
        new = [drive for drive in drives() if drive not in before]
        if new:
            return new[0]
        if time.monotonic() > end:
            raise InputError(
                f"no drive with {BOOTSEL} came in {seconds} s: mount it, then run this again"
            )
        time.sleep(STEP)


def write(drive, data, name, seconds=STAYS):
    """Copy firmware to *drive* and wait until the board is gone from there."""
    with open(Path(drive) / name, "wb") as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            if _is_there(drive):
                raise  # else it has had the last block, and starts
    end = time.monotonic() + seconds
    while _is_there(drive):
        if time.monotonic() > end:
            raise InputError(
                f"{drive} is still there after {seconds} s: the board took no firmware"
            )
        time.sleep(STEP)


def _is_there(drive):
    return (Path(drive) / BOOTSEL).exists()
