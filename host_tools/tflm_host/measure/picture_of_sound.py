"""Draws the live picture of docs/audio.md: what `tflm listen` shows of a wake word.

    python -m tflm_host.measure.picture_of_sound

The sound and its model lie in the folder ../shared.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from ..places import ROOT

PAGE = ROOT / "docs" / "audio.md"
SHARED = ROOT.parent / "shared"
MODEL = "okay_nabu-0689ab.tflite"
SOUND = "sense/data/nabu.wav"
SECONDS = 2.1
FIRST_ROW = "     0.9 s"
BLOCK = re.compile(r"(<!-- picture of sound -->\n```text\n).*?(```)", re.DOTALL)
FACTS = {
    "version": 2,
    "wake_word": "okay nabu",
    "model": "okay_nabu.tflite",
    "micro": {
        "probability_cutoff": 0.97,
        "feature_step_size": 10,
        "sliding_window_size": 5,
    },
}


def picture(shared=SHARED):
    """Return the rows of the wake word, up to its event."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(next((shared / "zoo").rglob(MODEL)), folder / FACTS["model"])
        path = folder / "okay_nabu.json"
        path.write_text(json.dumps(FACTS))
        asked = [path, "--wav", shared / SOUND, "--seconds", SECONDS, "--live"]
        command = [sys.executable, "-m", "tflm_host", "listen", *map(str, asked)]
        rows = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return rows[rows.index(FIRST_ROW) :]


def with_picture(text, rows):
    """Return the page *text* with these rows."""
    new, count = BLOCK.subn(lambda found: found[1] + rows + found[2], text)
    if count != 1:
        raise ValueError(f"{PAGE.name} has {count} places for the picture, 1 expected")
    return new


def main():
    if not SHARED.is_dir():
        raise click.ClickException(f"no folder {SHARED}: the sound is there")
    PAGE.write_text(with_picture(PAGE.read_text(), picture()))


if __name__ == "__main__":
    main()
