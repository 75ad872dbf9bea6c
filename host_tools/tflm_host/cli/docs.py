"""`make docs`: the documentation site, build/site/docs, from docs/ and pictures of the tools.

First all sources are laid out in build/docs: the pages with their tables; the pictures of arenas
that pages show; the style. Then Zensical makes the site.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ..places import BUILD, ROOT
from ..plan.compare import DEFAULT
from ..prepare import prepare
from ..report.arena_picture import svg
from ..report.arena_report import measure
from .docs_tables import with_tables

PAGES = ROOT / "docs"
STYLES = [ROOT / "site" / "docs" / name for name in ("style.css", "reach.js")]
SOURCES = BUILD / "docs"
SITE = BUILD / "site" / "docs"
PICTURE = re.compile(r"pictures/(\w+?)(?:-(prepared|linear|tflm))?\.svg")
CORE = "dsp"  # whose kernels the prepared models of pictures are for


def lay_out(folder):
    """Empty *folder* and write all sources of the site into it."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "pictures").mkdir(parents=True)
    for path in sorted(PAGES.glob("*.md")):
        text = path.read_text()
        for found in PICTURE.finditer(text):
            (folder / found[0]).write_text(picture(*found.groups()), encoding="utf-8")
        text = with_tables(text)
        (folder / path.name).write_text(text, encoding="utf-8")
    for path in STYLES:
        shutil.copy(path, folder)


def picture(model, kind):
    """Return the SVG picture that `tflm arena` draws of *model*, a file of models/.

    kind  "prepared", a planner, or None
    """
    path = ROOT / "models" / f"{model}.tflite"
    if kind != "prepared":
        return svg(measure(path, kind or DEFAULT))
    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder) / path.name
        prepared.write_bytes(prepare(path.read_bytes(), CORE))
        return svg(measure(prepared))


def main():
    lay_out(SOURCES)
    shutil.rmtree(SITE, ignore_errors=True)
    program = Path(sys.executable).with_name("zensical")
    command = [program, "build", "--clean", "--strict", "--config-file", ROOT / "mkdocs.yml"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    print(f"{SITE.relative_to(ROOT)}/index.html")


if __name__ == "__main__":
    main()
