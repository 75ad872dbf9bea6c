"""What each built firmware takes of flash and RAM, and how much of that is tflm.

    python -m tflm_host.firmware_size          # beside what boards/<BOARD>/sizes.csv says
    python -m tflm_host.firmware_size --save   # writes sizes.csv

Numbers come from the linker's map: sections that were kept, by the object file they come from.
The frozen Python code includes that of no other package (see boards/common/manifest.py); on the
boards of the rp2 and STM32 ports the strings of a few small ones are counted too.
"""

import csv
import re

import click
from rich.console import Console
from rich.table import Table

from .boards import BOARDS, BUILD, all_board_names

# part: which object files, as the map names them
PARTS = {
    "firmware": "",
    "tflm C": r"/(build/\w+|firmware)/tflm/.*\.o$",
    "tflm Python": r"/frozen_content(\.c)?\.o$",
}
# part: which sections of those are not its own
OTHERS = {
    "tflm Python": r"asyncio|rp2_|_boot_|_(dht|onewire|lcd160cr|requests|mip|webrepl|ssl|ntptime)_"
}
MAPS = ("firmware.map", "firmware.elf.map")
SECTION = re.compile(
    r"^ (?P<name>\.[\w.$]+|COMMON)\s+0x(?P<address>\w+)\s+0x(?P<size>\w+) (?P<object>\S+)$", re.M
)
RAM_ONLY = (".bss", "COMMON", ".stack", ".heap", ".ram_vector_table")
BOTH = (".data", ".time_critical")  # initialised: a copy in flash, the variable in RAM


def measure(map_text):
    """Return {part: (flash bytes, RAM bytes)} of a linker map."""
    sizes = {part: [0, 0] for part in PARTS}
    for section in SECTION.finditer(map_text[map_text.index("Linker script and memory map") :]):
        name = section["name"]
        if int(section["address"], 16) == 0 or name.startswith(
            (".debug", ".comment", ".ARM.attr")
        ):
            continue
        for part, pattern in PARTS.items():
            others = OTHERS.get(part)
            if others and re.search(others, name):
                continue
            if re.search(pattern, section["object"]):
                size = int(section["size"], 16)
                sizes[part][0] += 0 if name.startswith(RAM_ONLY) else size
                sizes[part][1] += size if name.startswith(RAM_ONLY + BOTH) else 0
    return {part: tuple(both) for part, both in sizes.items()}


def read_saved(board):
    """Return what measure() gave when the board's sizes.csv was saved, {} before that."""
    path = BOARDS / board / "sizes.csv"
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {row["part"]: (int(row["flash"]), int(row["ram"])) for row in csv.DictReader(file)}


def save(board, sizes):
    with (BOARDS / board / "sizes.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["part", "flash", "ram"])
        writer.writerows([part, *both] for part, both in sizes.items())


def difference(now, before):
    return "" if before is None else f"{now - before:+,}" if now != before else "="


@click.command(help=__doc__)
@click.option("--save", "saves", is_flag=True, help="Write the figures to boards/*/sizes.csv.")
def main(saves):
    table = Table("board", "part")
    for title in ("flash", "since", "RAM", "since"):
        table.add_column(title, justify="right")
    for board in all_board_names():
        paths = [path for name in MAPS if (path := BUILD / board / name).exists()]
        if not paths:
            continue
        sizes, saved = measure(paths[0].read_text()), read_saved(board)
        for part, (flash, ram) in sizes.items():
            flash_before, ram_before = saved.get(part, (None, None))
            changes = difference(flash, flash_before), difference(ram, ram_before)
            table.add_row(board, part, f"{flash:,}", changes[0], f"{ram:,}", changes[1])
        table.add_section()
        if saves:
            save(board, sizes)
    if not table.rows:
        raise click.ClickException("no firmware is built: run `make boards`")
    Console().print(table)


if __name__ == "__main__":
    main()
