"""`make site` writes the web pages of build/site, one file each.

arena/index.html measures arenas, run/index.html runs models, repl/index.html is a REPL, and
board/index.html talks to boards. The front page, index.html, leads to them. front.py has its
pictures and figures.

Each page contains everything that it needs, packed: MicroPython as WebAssembly, the package tflm,
and the reports of `tflm arena` or the C kernels as WebAssembly. So it works from any file server
and offline. All except the REPL work from a disk, too: browsers start no worker there.
"""

import base64
import gzip
import json
import re

from tflm import __version__

from ..deploy import gallery
from ..generate.frozen import whole
from ..model import wasm
from ..places import BUILD, PACKAGE, ROOT
from ..report import arena_small
from ..report.arena_page import STYLE
from ..targets.boards import board_facts
from ..targets.build import run
from . import front, site_board

SOURCES = ROOT / "site"
TOOLS = BUILD / "site-tools"
MICROPYTHON = TOOLS / "node_modules" / "@micropython" / "micropython-webassembly-pyscript"
SITE = BUILD / "site"
PAGE = SITE / "arena" / "index.html"
RUN_PAGE = SITE / "run" / "index.html"
REPL_PAGE = SITE / "repl" / "index.html"
BOARD_PAGE = SITE / "board" / "index.html"
FRONT_PAGE = SITE / "index.html"
RUNNING = {"run": RUN_PAGE, "repl": REPL_PAGE, "board": BOARD_PAGE}  # that need the C kernels
RUN_LINK = """<li><a href="board/index.html"><b>Put it on a board, from the browser</b><br>
Chrome or Edge writes a model to the board that you plug in, and runs it there. No Python on
the PC.</a></li>
<li><a href="repl/index.html"><b>Try it in the browser</b><br>Type Python:
MicroPython with tflm, and two models at hand. Nothing is installed.</a></li>
<li><a href="run/index.html"><b>Run your model here</b><br>Drop a .tflite file
and a picture, a sound or a table. The boards' own kernels run in the browser.</a></li>
"""
# What the pages call each other.
NAMES = {
    "arena": "Does it fit?",
    "run": "Run a model",
    "repl": "Type Python",
    "board": "Put it on a board",
}
NAV_STYLE = """nav { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; padding-bottom: 0.6rem;
  border-bottom: 1px solid var(--line); } nav a { color: var(--link); padding: 0.2rem 0; }
"""
RUNS = ("engine", "run/kernels", "run/runner", "run/samples", "run/pad", "run/shown")
# Of each page, its scripts in the order in which they need each other.
SCRIPTS = {
    "arena": ("engine", "arena/answer", "arena/page"),
    "run": (*RUNS, "run/camera", "run/page"),
    "repl": ("repl/page",),
    "board": (*RUNS, "board/serial", "board/deployment", "board/page"),
    "front": ("engine", "run/kernels", "run/samples", "run/pad", "front/page"),
}
WORKER = ("engine", "run/kernels", "repl/python")  # the REPL's, beside MicroPython
# Python of other places, beside the page's own
SHARED = {
    "repl": (SOURCES / "run" / "_tflm.py",),
    "board": (
        *(SOURCES / "run" / f"{name}.py" for name in ("_tflm", "session")),
        PACKAGE / "targets" / "device" / "deploy_device.py",
    ),
}
# Of tflm_host, those modules that run on MicroPython, too.
REPORTS = {
    "arena": (
        "__init__",
        "model/__init__",
        "model/flash_cache",
        "model/kernels",
        "model/loading",
        "model/mistaken",
        "report/__init__",
        "report/advice",
        "report/arena_page",
        "report/arena_picture",
        "report/inspect_remedy",
        "report/duration",
        "report/rates",
        "report/room",
        "report/text",
        "report/timeline",
        "report/unsupported",
    ),
    "run": ("__init__", "model/__init__", "model/told"),
    "board": (
        "__init__",
        "deploy/__init__",
        "deploy/verdicts",
        "model/__init__",
        "model/kernels",
        "model/loading",
        "model/mistaken",
        "targets/__init__",
        "targets/romfs",
    ),
}
KERNELS = "tflm/kernels/"  # in viper, which nothing runs in a browser
SAMPLE = "digits_cnn.tflite"
SAMPLES = {"repl": (SAMPLE, "sine.tflite")}  # of a page that has others than the first
README = ROOT / "README.md"
FIRST = "from samples import digits\npixels = digits[7]\n\n"  # what README leaves open
DIGITS = ROOT / "examples" / "digits.pgm"
DIGIT = 64  # pixels
DRAWN = {  # inputs of known models, in examples/: nobody was photographed, nothing was recorded
    "scene": "a drawn figure, no photograph",
    "clip": "made-up loudnesses, no speech",
}
INK, WHITE = 16, 255  # the darkest of a stored digit, and of a picture
IMPORT = re.compile(r"^import .*\n", re.MULTILINE)


def files(page="arena"):
    """Return {path: text} of all Python in *page*."""
    package = whole()
    found = {path.relative_to(package).as_posix(): path for path in sorted(package.rglob("*.py"))}
    found = {name: path.read_text() for name, path in found.items() if _is_used(name)}
    for path in (*sorted((SOURCES / page).glob("*.py")), *SHARED.get(page, ())):
        found[path.name] = path.read_text()
    for name in REPORTS.get(page, ()):
        found[f"tflm_host/{name}.py"] = (PACKAGE / f"{name}.py").read_text()
    if page == "arena":
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


def drawn():
    """Return {name: its grey picture, with a note} of the inputs in DRAWN."""
    found = {}
    for name, note in DRAWN.items():
        _, size, _, pixels = (DIGITS.parent / f"{name}.pgm").read_bytes().split(b"\n", 3)
        width, height = map(int, size.split())
        text = base64.b64encode(pixels).decode()
        found[name] = {"width": width, "height": height, "pixels": text, "note": note}
    return found


def page(name="arena", kernels=None):
    """Return the text of the page *name*; *kernels* is the result of wasm.build()."""
    samples = {model: _base64(ROOT / "models" / model) for model in SAMPLES.get(name, (SAMPLE,))}
    payload = {"files": files(name), "samples": samples}
    if name in ("run", "board"):
        payload["digits"] = digits()
        payload["names"] = gallery.labels()
    if name == "run":
        payload["known"], payload["drawn"] = gallery.samples(), drawn()
    if name == "board":
        payload["scripts"] = site_board.scripts()
    if name == "repl":
        samples[DIGITS.name] = _base64(DIGITS)
        payload["worker"] = _joined([MICROPYTHON / "micropython.mjs", *_scripts(WORKER)])
    paths = _scripts(SCRIPTS[name])
    if name != "repl":
        paths.insert(0, MICROPYTHON / "micropython.mjs")
    parts = {
        "STYLE": STYLE + NAV_STYLE,
        "NAV": _nav(name, runs=kernels is not None),
        "VERSION": __version__,
        "FIRST": FIRST + first_block(),
        "FIRMWARE": site_board.firmware(),
        "WASM": _packed((MICROPYTHON / "micropython.wasm").read_bytes()),
        "KERNELS": _packed(kernels or b""),
        "FILES": _packed(json.dumps(payload, sort_keys=True).encode()),
        "SCRIPT": _script(paths),
    }
    return _filled(SOURCES / name / "index.html", parts)


def _nav(name, runs):
    """Return links from the page *name* to the others; *runs*: there are some to run models."""
    others = [other for other in NAMES if other != name and (runs or other == "arena")]
    links = [("../index.html", "tflm")]
    links += [(f"../{other}/index.html", NAMES[other]) for other in others]
    links.append(("../docs/index.html", "Documentation"))
    text = "".join(f'<a href="{place}">{text}</a>\n' for place, text in links)
    return f'<nav aria-label="Pages">\n{text}</nav>'


def first_block():
    """Return the first block of Python in README.md."""
    return README.read_text().partition("```python\n")[2].partition("```")[0]


def _scripts(names):
    return [SOURCES / f"{name}.mjs" for name in names]


def _script(paths):
    """Return the script of these modules. Raises ValueError where it would end its element."""
    script = _joined(paths)
    if "</script" in script or "<!--" in script:
        raise ValueError("a script would end the page's own")
    return script


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


def front_page(kernels):
    """Return the text of the page that leads to the others; *kernels* as of page()."""
    folder = SOURCES / "front"
    parts = {
        "STYLE": STYLE + arena_small.STYLE,
        "VERSION": __version__,
        **front.pictures(),
        "FIGURES": front.figures(),
        "BOARDS": front.boards(),
        **dict.fromkeys(("TRY", "RUN", "SCRIPTS"), ""),
    }
    if kernels is not None:
        script = _script(_scripts(SCRIPTS["front"]))
        packed = {"KERNELS": _packed(kernels), "FACTS": front.digit(), "SCRIPT": script}
        parts["TRY"] = (folder / "try.html").read_text()
        parts["RUN"] = RUN_LINK
        parts["SCRIPTS"] = _filled(folder / "scripts.html", packed)
    return _filled(folder / "index.html", parts)


def _filled(path, parts):
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], path.read_text())


def main():
    run(ROOT / "scripts" / "npm_install.sh", SOURCES, TOOLS)
    kernels = wasm.build()
    _write(PAGE, page("arena", kernels))
    if kernels is None:
        for path in RUNNING.values():
            path.unlink(missing_ok=True)
        print(f"the pages that run models are left out: they need {wasm.NEEDS}")
    else:
        for name, path in RUNNING.items():
            _write(path, page(name, kernels))
    _write(FRONT_PAGE, front_page(kernels))


if __name__ == "__main__":
    main()
