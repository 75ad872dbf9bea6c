"""The scripts of this folder that give a board another disk."""

from pathlib import Path

FOLDER = Path(__file__).parent
ROOM = "ROOM = 190  # KB"


def ram_disk(room=190):
    """Return a script that mounts a disk in RAM at /ram and keeps *room* KB in one piece."""
    before, found, after = (FOLDER / "ram_disk.py").read_text().partition(ROOM)
    assert found, f"ram_disk.py has no line {ROOM!r}"
    return f"{before}ROOM = {room}{after}"


def outside_disk():
    """Return a script that mounts a disk at /ram whose files lie outside of the heap."""
    content = (FOLDER / "outside_disk.py").read_text().replace("import ram_disk\n", "")
    return ram_disk(0) + content.replace("ram_disk.", "")
