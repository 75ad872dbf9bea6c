"""examples/tflm_update.py on littlefs and FAT: a cut at any write leaves a whole model there."""

import json

import pytest

from tflm_host.places import ROOT
from tflm_host.targets.open_target import open_target

MODULE = (ROOT / "examples" / "tflm_update.py").read_text()
CUTS = (ROOT / "tests_host" / "support" / "device" / "slots_device.py").read_text()


# A torn block of FAT damages the file system itself, which no program on it can prevent.
@pytest.mark.parametrize(
    ("target", "kind", "torn"),
    [
        ("unix", "VfsLfs2", True),
        ("unix", "VfsFat", False),
        pytest.param("RPI_PICO", "VfsLfs2", True, marks=pytest.mark.long),
        ("RPI_PICO", "VfsFat", False),
    ],
)
def test_a_cut_at_any_write_leaves_the_old_model_or_the_new_one(target, kind, torn):
    with open_target(target) as board:
        board.exec(MODULE)
        board.exec(CUTS)
        printed = board.exec(f"run(Slots, vfs.{kind}, {torn})", timeout=600)
    # Files of a dead disk, which are collected later, complain in lines before the last one.
    writes, found = json.loads(printed.splitlines()[-1])
    print(f"{target} {kind}: {writes} writes, then none, old, new: {found}")
    assert writes > 12
    assert sum(found) == writes * (1 + torn)
    wrong, old, new = found
    assert (wrong, old > 0, new > 0) == (0, True, True)
