"""Walks the pages of docs/ that start from nothing in the release of dist/: a row for each.

    make release walk

A row has the commands, the minutes that they took, and the bytes to download: the release as a zip
file, and what pip fetches. Exit status 1 if a command fails or prints other lines than its page.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from support.pages import terminal, walk
from tflm_host.cli.release import DIST
from tflm_host.report.terminal import Grid, number, say
from tflm_host.targets.build import build


def main():
    failures = []
    grid = Grid("", "page", ">commands", ">minutes", ">bytes of the release", ">of packages")
    with tempfile.TemporaryDirectory(prefix="tflm-") as name:
        folder = Path(name)
        packed = Path(shutil.make_archive(str(folder / "release"), "zip", DIST)).stat().st_size
        for way in walk.WAYS:
            home = folder / way.page
            shutil.copytree(DIST, home / "tflm")
            if way.board:
                build(way.board)
            try:
                done = walk.Walk(way, home / "tflm", home).run()
            except (walk.DiffersError, terminal.StoppedError) as error:
                failures.append(f"{way.page}: {error}")
                continue
            minutes = f"{done.seconds / 60:.1f}"
            cells = str(done.commands), minutes, number(packed), number(done.downloaded)
            grid.add_row(way.page, *cells)
    grid.show()
    for failure in failures:
        say(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
