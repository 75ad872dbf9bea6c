"""The heap that packages for stock MicroPython leave on small boards: boards/heaps.csv.

python -m tflm_host.measure.small_heaps [HEAP...]     measures, writes the file

Stock firmware of an emulated Cortex-M4 gets the heap of a smaller board, see
targets/device/small_heap_device.py. A row is a way to install tflm, with digits_cnn, plain or
prepared. "flash" stands for a filesystem of blocks. MicroPython copies each module from there.
"""

import sys
from typing import NamedTuple

from ..deploy.package import package_files
from ..places import BOARDS, MODELS
from ..prepare import prepare
from ..targets.boards import KB, STOCK
from ..targets.device import script
from ..targets.open_target import TargetError, open_target
from ..targets.romfs import build_romfs
from . import ledger

BOARD, ARCH, ISA = "MPS2_AN386" + STOCK, "armv7emsp", "dsp"
SAVED = BOARDS / "heaps.csv"
KEYS = "package", "place", "model", "heap"
# KB of heap: boards/others.csv says whose. The heaps of the linker scripts are larger, as the
# firmware's variables come off.
HEAPS = 87, 160, 184, 224, 416, 768
BLOCK = 4 * KB  # of a flash filesystem, a LittleFS
BLOCKS = 512  # more than any package takes
MODEL = "digits_cnn"
# A way that leaves less is said not to run: the next version may take some bytes more.
MARGIN = 4 * KB


class Way(NamedTuple):
    """How tflm lies on a board with stock MicroPython, and a model."""

    package: str  # the list of files without .json
    place: str  # "rom" or "flash"
    model: str  # "plain" or "prepared"


WAYS = (
    Way("package", "rom", "plain"),
    Way("package", "flash", "plain"),
    Way("package", "flash", "prepared"),
    Way("prepared", "rom", "prepared"),
    Way("prepared", "flash", "prepared"),
    Way("viper", "rom", "plain"),
    Way("viper", "flash", "plain"),
)


def files_of(way):
    """Return [(name, bytes)] that a board gets for *way*, beside models."""
    return [("lib/" + name, data) for name, data in package_files(ARCH, way.package + ".json")]


def room(way):
    """Return the KB of /rom, or of a filesystem of its own, that *way* needs without a model."""
    files = files_of(way)
    if way.place == "rom":
        return -(-len(build_romfs(files)) // KB)
    with open_target("unix-stock") as target:
        target.exec(script("little_fs_device") + f"\nmount({BLOCKS})")
        for name, data in files:
            target.exec(f"put({name!r}, {data!r})")
        return int(target.exec("taken()")) * BLOCK // KB


def model_files():
    """Return [(name, bytes)] of the model in both forms."""
    plain = (MODELS / f"{MODEL}.tflite").read_bytes()
    return [("plain.tflite", plain), ("prepared.tflite", prepare(plain, ISA))]


def open_small(heap, files):
    """Start the firmware with *files* in /rom, and the code that gives it *heap* KB."""
    target = open_target(BOARD, files)
    target.exec(script("small_heap_device") + f"\nshrink({heap * KB})")
    return target


def measured(way, heap):
    """Return {"taken", "left"}: bytes of a heap of *heap* KB, None if the model does not run."""
    with open_small(heap, [*files_of(way), *model_files()]) as target:
        code = "import_copied()\n" * (way.place == "flash")
        try:
            printed = target.exec(f"{code}use('/rom/{way.model}.tflite')").split()
        except TargetError as error:
            if "MemoryError" not in str(error):
                raise
            printed = []
    if not printed:
        return {"taken": None, "left": None}
    taken, left, backend = printed
    if backend != ("viper" if way.package == "viper" else "c"):
        raise TargetError(f"{way} ran on {backend}")
    return {"taken": int(taken), "left": int(left)}


def saved():
    """Return {(package, place, model, heap): {"taken", "left", "room"}} of the file."""
    rows = ledger.parse(SAVED.read_text(), KEYS)
    return {(Way(*key[:3]), int(key[3])): row for key, row in rows.items()}


def main():
    heaps = [int(text) for text in sys.argv[1:]] or HEAPS
    rows = {}
    for way in WAYS:
        needed = room(way)
        for heap in heaps:
            row = measured(way, heap)
            if (row["left"] or 0) < MARGIN:
                row = dict.fromkeys(row)
            row["room"] = needed
            rows[(*way, f"{heap:03}")] = row
            print(*way, heap, row, flush=True)
    ledger.update(SAVED, KEYS, rows)


if __name__ == "__main__":
    main()
