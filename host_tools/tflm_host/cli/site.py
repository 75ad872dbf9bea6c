"""`make site`: the web page that measures arenas, as one file: build/site/arena/index.html.

It has all that it needs in it, packed: MicroPython as WebAssembly, the package tflm, and the
reports of `tflm arena`. So it works from any file server, from a disk, and offline.
"""

import base64
import gzip
import json
import re

from tflm import __version__

from ..generate.frozen import whole
from ..places import BUILD, PACKAGE, ROOT
from ..report.arena_page import STYLE
from ..targets.boards import board_facts
from ..targets.build import run

SOURCES = ROOT / "site" / "arena"
TOOLS = BUILD / "site-tools"
MICROPYTHON = TOOLS / "node_modules" / "@micropython" / "micropython-webassembly-pyscript"
PAGE = BUILD / "site" / "arena" / "index.html"
# Of tflm_host, those modules that run on MicroPython, too.
REPORTS = (
    "__init__",
    "report/__init__",
    "report/advice",
    "report/arena_page",
    "report/arena_picture",
    "report/inspect_remedy",
    "report/text",
    "report/timeline",
    "report/unsupported",
)
KERNELS = "tflm/kernels/"  # in viper, which nothing runs in a browser
SAMPLE = "digits_cnn.tflite"
IMPORT = re.compile(r"^import .*\n", re.MULTILINE)


def files():
    """Return {path: text} of all Python in the page."""
    package = whole()
    found = {path.relative_to(package).as_posix(): path for path in sorted(package.rglob("*.py"))}
    found = {name: path.read_text() for name, path in found.items() if _is_used(name)}
    for name in REPORTS:
        found[f"tflm_host/{name}.py"] = (PACKAGE / f"{name}.py").read_text()
    found["answer.py"] = (SOURCES / "answer.py").read_text()
    found["board_facts.py"] = f"BOARDS = {board_facts()!r}\n"
    return found


def _is_used(name):
    return not name.startswith(KERNELS) or name.endswith("__init__.py")


def page():
    """Return the text of the page."""
    sample = base64.b64encode((ROOT / "models" / SAMPLE).read_bytes()).decode()
    payload = {"files": files(), "samples": {SAMPLE: sample}}
    scripts = [MICROPYTHON / "micropython.mjs", SOURCES / "engine.mjs", SOURCES / "page.mjs"]
    script = "\n".join(IMPORT.sub("", path.read_text()) for path in scripts)
    if "</script" in script or "<!--" in script:
        raise ValueError("a script would end the page's own")
    parts = {
        "STYLE": STYLE,
        "VERSION": __version__,
        "WASM": _packed((MICROPYTHON / "micropython.wasm").read_bytes()),
        "FILES": _packed(json.dumps(payload, sort_keys=True).encode()),
        "SCRIPT": script,
    }
    text = (SOURCES / "index.html").read_text()
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], text)


def _packed(data):
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def main():
    run(ROOT / "scripts" / "npm_install.sh", ROOT / "site", TOOLS)
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)}: {PAGE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
