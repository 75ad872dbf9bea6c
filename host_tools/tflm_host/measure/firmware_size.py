"""Flash and RAM of each built firmware, and the share of tflm.

    python -m tflm_host.measure.firmware_size          # shows them
    python -m tflm_host.measure.firmware_size --save   # writes boards/<BOARD>/sizes.csv, too
    python -m tflm_host.measure.firmware_size --diff   # compares with the last commit

--diff fails if a size has risen by more than a hundredth. A firmware with only the kernels of
TFLM_OPS is measured, but not written down.

Numbers come from the linker's map: sections that were kept, by the object file they come from.
Frozen code lies in sections with the names of its modules. Data of all frozen modules, mostly
strings, counts as tflm's in the proportion of its modules.
"""

import re
import sys

import click

from ..places import BOARDS, BUILD
from ..report.terminal import Grid, number, paint
from ..targets.boards import SOME_OPS, all_board_names
from . import ledger

KEYS = ("part",)
COLUMNS = ("flash", "ram")

PYTHON = "tflm Python"
# part: which object files, as the map names them
PARTS = {
    "firmware": "",
    "tflm C": r"/(build/[\w-]+|firmware)/tflm/.*\.o$",
    "kernels": r"/(build/[\w-]+|firmware)/tflm/kernels/.*\.o$",
    PYTHON: r"/frozen_content(\.c)?\.o$",
}
# Sections of one frozen module, by their names; a package's begin with its name.
OF_A_MODULE = re.compile(
    r"\.rodata\.(fun_data|proto_fun|children|const_obj_table_data|const_obj|const_qstr_table_data"
    r"|const_table_data|frozen_module|raw_code)_(?P<module>\w+)"
)
PACKAGE = "tflm_"
TESTS = "tflm_tests"  # tests_device has it
MAPS = ("firmware.map", "firmware.elf.map")
KEPT = "\nLinker script and memory map\n"  # the title of the sections that were kept
KEPT_END = "\nOUTPUT("  # the line behind their last one
SECTION = re.compile(
    r"^ (?P<name>\.[\w.$]+|COMMON)\s+0x(?P<address>\w+)\s+0x(?P<size>\w+) (?P<object>\S+)$", re.M
)
RAM_ONLY = (".bss", "COMMON", ".stack", ".heap", ".ram_vector_table")
BOTH = (".data", ".time_critical")  # initialised: a copy in flash, the variable in RAM


def measure(map_text):
    """Return {part: (flash bytes, RAM bytes)} of a linker map."""
    sizes = {part: [0, 0] for part in PARTS}
    frozen = {"own": 0, "others": 0}
    for section in SECTION.finditer(map_text[map_text.index(KEPT) :]):
        name = section["name"]
        if int(section["address"], 16) == 0 or name.startswith(
            (".debug", ".comment", ".ARM.attr")
        ):
            continue
        for part, pattern in PARTS.items():
            if re.search(pattern, section["object"]):
                size = int(section["size"], 16)
                module = OF_A_MODULE.match(name)
                if part == PYTHON and module:
                    is_own = _is_in_package(module["module"])
                    frozen["own" if is_own else "others"] += size
                sizes[part][0] += 0 if name.startswith(RAM_ONLY) else size
                sizes[part][1] += size if name.startswith(RAM_ONLY + BOTH) else 0
    of_modules = sum(frozen.values())
    if of_modules:
        sizes[PYTHON][0] = round(sizes[PYTHON][0] * frozen["own"] / of_modules)
    return {part: tuple(both) for part, both in sizes.items()}


def flash_of_modules(map_text, names):
    """Return the flash bytes of frozen modules *names* of tflm, without the firmware's strings."""
    total = 0
    for section in SECTION.finditer(map_text[map_text.index(KEPT) :]):
        module = OF_A_MODULE.match(section["name"])
        if module and int(section["address"], 16) and re.search(PARTS[PYTHON], section["object"]):
            total += int(section["size"], 16) * _is_of(module["module"], names)
    return total


def _is_of(module, names):
    return any(f"{module}_".startswith(f"{PACKAGE}{name}_") for name in names)


def flash_of_objects(map_text, pattern):
    """Return the flash bytes of the object files whose names *pattern* finds."""
    return sum(
        int(section["size"], 16)
        for section in SECTION.finditer(map_text[map_text.index(KEPT) :])
        if int(section["address"], 16)
        and re.search(pattern, section["object"])
        and not section["name"].startswith((*RAM_ONLY, ".debug", ".comment", ".ARM.attr"))
    )


def _is_in_package(module):
    return module.startswith(PACKAGE) and not module.startswith(TESTS)


def built():
    """Yield (name, sizes) of every firmware that is built, with TFLM_OPS too."""
    for board in all_board_names():
        for name in (board, board + SOME_OPS):
            sizes = sizes_of(name)
            if sizes:
                yield name, sizes


def sizes_of(name):
    """Return the sizes of the firmware called *name*, None where it is not built.

    A map without its end is of a link that was stopped, or is under way.
    """
    path = next((path for file in MAPS if (path := BUILD / name / file).exists()), None)
    if path is None:
        return None
    text = path.read_text()
    if KEPT_END not in text[text.find(KEPT) :]:
        click.echo(f"{path}: the map is incomplete: build {name} again", err=True)
        return None
    return measure(text)


def saved_in(name):
    """Return the file with the sizes of a board's firmware, None for one of TFLM_OPS."""
    return None if name.endswith(SOME_OPS) else BOARDS / name / "sizes.csv"


def rows_of(sizes):
    """Return the rows of sizes.csv."""
    return {(part,): dict(zip(COLUMNS, both, strict=True)) for part, both in sizes.items()}


def save(name, sizes):
    path = saved_in(name)
    if path:
        ledger.write(path, KEYS, rows_of(sizes))


def show(firmwares):
    grid = Grid("", "firmware", "!part", *(">" + title for title in COLUMNS))
    for name, sizes in firmwares:
        for part, both in sizes.items():
            grid.add_row(name, part, *map(number, both))
    grid.show()


def compare(firmwares):
    """Show what differs from the last commit; return how many sizes have risen too far."""
    grid = Grid("", "firmware", "!part", "!memory", ">bytes", ">since the last commit", "")
    risen = 0
    for name, sizes in firmwares:
        path = saved_in(name)
        before = ledger.parse(ledger.committed(path), KEYS) if path else {}
        for key, row in rows_of(sizes).items():
            for column in COLUMNS if key in before else ():
                now, then = row[column], before[key][column]
                if now != then:
                    rises = ledger.rose(now, then)
                    risen += rises
                    cells = name, *key, column, number(now), ledger.change(now, then)
                    grid.add_row(*cells, paint("rose", "red") if rises else "")
    if grid.row_count:
        grid.show()
    click.echo(f"{risen} sizes have risen by more than 1 %")
    return risen


@click.command(help=__doc__)
@click.option("--diff", is_flag=True, help="Compare.")
@click.option("--save", "saves", is_flag=True, help="Write sizes.csv of each.")
def main(diff, saves):
    firmwares = list(built())
    if not firmwares:
        raise click.ClickException("no firmware is built: run `make boards`")
    if diff:
        sys.exit(1 if compare(firmwares) else 0)
    for name, sizes in firmwares if saves else ():
        save(name, sizes)
    show(firmwares)


if __name__ == "__main__":
    main()
