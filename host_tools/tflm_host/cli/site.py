"""`make site` writes the web pages, one file each. build/site/arena/index.html measures arenas,
build/site/run/index.html runs models, build/site/repl/index.html is a REPL, and
build/site/index.html leads to all of them.

Each page contains everything that it needs, packed: MicroPython as WebAssembly, the package tflm,
and the reports of `tflm arena` or the C kernels as WebAssembly. So it works from any file server
and offline. All except the REPL work from a disk, too: browsers start no worker there.
"""

import base64
import gzip
import json
import re

from tflm import __version__

from ..generate.frozen import whole
from ..model import wasm
from ..places import BUILD, PACKAGE, ROOT
from ..report.arena_page import STYLE
from ..report.arena_picture import svg
from ..report.arena_report import measure
from ..targets.boards import board_facts
from ..targets.build import run

SOURCES = ROOT / "site"
TOOLS = BUILD / "site-tools"
MICROPYTHON = TOOLS / "node_modules" / "@micropython" / "micropython-webassembly-pyscript"
SITE = BUILD / "site"
PAGE = SITE / "arena" / "index.html"
RUN_PAGE = SITE / "run" / "index.html"
REPL_PAGE = SITE / "repl" / "index.html"
FRONT_PAGE = SITE / "index.html"
RUN_LINK = """<li><a href="run/index.html"><b>Run a model here</b><br>Draw a digit, or drop a
model and a picture. The board's own kernels run in the browser.</a></li>
<li><a href="repl/index.html"><b>Type Python here</b><br>MicroPython with tflm in the
browser, with two models at hand. Nothing is installed.</a></li>
"""
# Of each page, its scripts in the order in which they need each other.
SCRIPTS = {
    "arena": ("engine", "arena/answer", "arena/page"),
    "run": ("engine", "run/kernels", "run/runner", "run/samples", "run/page"),
    "repl": ("repl/page",),
}
WORKER = ("engine", "run/kernels", "repl/python")  # the REPL's, beside MicroPython
SHARED = {"repl": (SOURCES / "run" / "_tflm.py",)}  # Python of another page
# Of tflm_host, those modules that run on MicroPython, too.
REPORTS = (
    "__init__",
    "model/__init__",
    "model/kernels",
    "model/loading",
    "model/mistaken",
    "report/__init__",
    "report/advice",
    "report/arena_page",
    "report/arena_picture",
    "report/inspect_remedy",
    "report/room",
    "report/text",
    "report/timeline",
    "report/unsupported",
)
KERNELS = "tflm/kernels/"  # in viper, which nothing runs in a browser
SAMPLE = "digits_cnn.tflite"
SAMPLES = {"repl": (SAMPLE, "sine.tflite")}  # of a page that has others than the first
README = ROOT / "README.md"
FIRST = "from samples import digits\npixels = digits[7]\n\n"  # what README leaves open
DIGITS = ROOT / "examples" / "digits.pgm"
DIGIT = 64  # pixels
INK, WHITE = 16, 255  # the darkest of a stored digit, and of a picture
IMPORT = re.compile(r"^import .*\n", re.MULTILINE)


def files(page="arena"):
    """Return {path: text} of all Python in *page*."""
    package = whole()
    found = {path.relative_to(package).as_posix(): path for path in sorted(package.rglob("*.py"))}
    found = {name: path.read_text() for name, path in found.items() if _is_used(name)}
    for path in (*sorted((SOURCES / page).glob("*.py")), *SHARED.get(page, ())):
        found[path.name] = path.read_text()
    if page == "arena":
        for name in REPORTS:
            found[f"tflm_host/{name}.py"] = (PACKAGE / f"{name}.py").read_text()
        found["board_facts.py"] = f"BOARDS = {board_facts()!r}\n"
    return found


def _is_used(name):
    return not name.startswith(KERNELS) or name.endswith("__init__.py")


def digits():
    """Return the pixels of the stored digits, ink white as in the sample's training data."""
    lines = [line.split("#")[0] for line in DIGITS.read_text().splitlines()]
    numbers = [int(word) for word in " ".join(lines).split()[4:]]
    shades = [(number * WHITE + INK // 2) // INK for number in numbers]
    return [shades[start : start + DIGIT] for start in range(0, len(shades), DIGIT)]


def page(name="arena", kernels=b""):
    """Return the text of the page *name*; *kernels* is the result of wasm.build()."""
    samples = {model: _base64(ROOT / "models" / model) for model in SAMPLES.get(name, (SAMPLE,))}
    payload = {"files": files(name), "samples": samples}
    if name == "run":
        payload["digits"] = digits()
    if name == "repl":
        samples[DIGITS.name] = _base64(DIGITS)
        payload["worker"] = _joined([MICROPYTHON / "micropython.mjs", *_scripts(WORKER)])
    paths = _scripts(SCRIPTS[name])
    if name != "repl":
        paths.insert(0, MICROPYTHON / "micropython.mjs")
    script = _joined(paths)
    if "</script" in script or "<!--" in script:
        raise ValueError("a script would end the page's own")
    parts = {
        "STYLE": STYLE,
        "VERSION": __version__,
        "FIRST": FIRST + first_block(),
        "WASM": _packed((MICROPYTHON / "micropython.wasm").read_bytes()),
        "KERNELS": _packed(kernels),
        "FILES": _packed(json.dumps(payload, sort_keys=True).encode()),
        "SCRIPT": script,
    }
    return _filled(SOURCES / name / "index.html", parts)


def first_block():
    """Return the first block of Python in README.md."""
    return README.read_text().partition("```python\n")[2].partition("```")[0]


def _scripts(names):
    return [SOURCES / f"{name}.mjs" for name in names]


def _joined(paths):
    return "\n".join(IMPORT.sub("", path.read_text()) for path in paths)


def _base64(path):
    return base64.b64encode(path.read_bytes()).decode()


def _packed(data):
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def _write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def front_page(runs):
    """Return the text of the page that leads to the others; *runs*: there is one to run models."""
    report = measure(ROOT / "models" / SAMPLE)
    parts = {
        "STYLE": STYLE,
        "VERSION": __version__,
        "RUN": RUN_LINK if runs else "",
        "ARENA": f"{report.arena_bytes:,}",
        "PICTURE": svg(report),
    }
    return _filled(SOURCES / "index.html", parts)


def _filled(path, parts):
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], path.read_text())


def main():
    run(ROOT / "scripts" / "npm_install.sh", SOURCES, TOOLS)
    _write(PAGE, page())
    kernels = wasm.build()
    if kernels is None:
        for path in (RUN_PAGE, REPL_PAGE):
            path.unlink(missing_ok=True)
        print(f"the pages that run models are left out: they need {wasm.NEEDS}")
    else:
        _write(RUN_PAGE, page("run", kernels))
        _write(REPL_PAGE, page("repl", kernels))
    _write(FRONT_PAGE, front_page(runs=kernels is not None))


if __name__ == "__main__":
    main()
