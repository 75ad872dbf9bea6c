"""The tables of bench/*.csv in README.md and in pages of docs.

python -m tflm_host.measure.figures_page      writes them, as `make bench` does at its end

A table stands between `<!-- name -->` and `<!-- /name -->`.
"""

from ..places import ROOT
from ..report.text import number
from . import ledger
from .bench_cores import CORES_FILE
from .bench_cores import KEYS as CORES_KEYS
from .bench_features import KEYS as FEATURE_KEYS
from .bench_image import KEYS as IMAGE_KEYS
from .bench_table import FIGURES, FOLDER, KEYS, PEER_KEYS

M4, M0, M3, M55, PICO = "MPS2_AN386", "M0PLUS", "MPS2_AN385", "MPS3_AN547", "RPI_PICO"
KINDS = "plain", "prepared"
MODELS = (
    "sine",
    "digits_cnn",
    "digits_ds_cnn",
    "digits_gated",
    "hello_world_int8",
    "ad01_int8",
    "micro_speech_quantized",
    "keyword_scrambled_8bit",
    "kws_ref_model",
    "pretrainedResnet_quant",
    "person_detect",
    "vww_96_int8",
)
KNOWN = "hello_world_int8", "kws_ref_model", "person_detect"
TIMED = "ad01_int8", "kws_ref_model", "pretrainedResnet_quant", "person_detect", "vww_96_int8"
MOST = 100_000  # numbers from here on are millions
PICO_CHIP, PICO2_CHIP, F4 = (M0, "waiting"), (M4, "waiting"), (M4, "f4_waiting")
MHZ = {PICO_CHIP: 125, PICO2_CHIP: 150, F4: 168}
L4R5 = "STM32L4R5"


class Figures:
    """The cells of the tables: each method returns the text of one, empty if it is not known."""

    def __init__(self):
        self._ours = ledger.parse(FIGURES.read_text(), KEYS)
        self._peers = ledger.parse((FOLDER / "peers.csv").read_text(), PEER_KEYS)
        self._features = ledger.parse((FOLDER / "features.csv").read_text(), FEATURE_KEYS)
        self._images = ledger.parse((FOLDER / "image.csv").read_text(), IMAGE_KEYS)
        self._cores = ledger.parse(CORES_FILE.read_text(), CORES_KEYS)
        self._arena = ledger.parse((FOLDER / "arena.csv").read_text(), ("model",))

    def of(self, target, model, kind, name):
        """Return the figure *name* of a model with C kernels."""
        return shown(self._ours.get((target, model, "c", kind), {}).get(name))

    def peer(self, target, model):
        return shown(self._peers.get((target, model, "CMSIS-NN"), {}).get("invoke"))

    def published(self, model):
        """Return the cycles that others published for a board with an STM32L4R5, the fewest."""
        keys = [key for key in self._peers if key[:2] == (L4R5, model)]
        return shown(min((self._peers[key]["invoke"] for key in keys), default=None))

    def arena(self, model, kind):
        return exact(self._ours.get((M4, model, "c", kind), {}).get("arena"))

    def tflm_arena(self, model):
        return exact(self._arena.get((model,), {}).get("tflm"))

    def feature_kinds(self):
        """Return the names of the kinds of features that are measured."""
        return list(dict.fromkeys(name for _, name in self._features))

    def feature(self, target, name, figure):
        return shown(self._features[target, name][figure])

    def image_kinds(self):
        """Return (format, channels, fit, resize) of each way to an input that is measured."""
        return list(dict.fromkeys(tuple(kind) for _, *kind in self._images))

    def image(self, target, kind, figure):
        return shown(self._images[(target, *kind)][figure])

    def on_cores(self):
        """Return {(model, kind): figures} of one and of two cores."""
        return self._cores

    def milliseconds(self, chip, model, kind):
        """Return the time of a run with flash that waits, on one of MHZ."""
        target, name = chip
        cycles = self._ours.get((target, model, "c", kind), {}).get(name)
        return f"{cycles / MHZ[chip] / 1000:,.1f}" if cycles else ""


def exact(value):
    return number(value) if value else ""


def shown(value):
    """Return a number as it stands in a table, with three digits where it is large."""
    if not value:
        return ""
    if value < MOST:
        return number(value)
    millions = value / 1e6
    return f"{millions:.2f} M" if millions < 9.995 else f"{millions:.1f} M"


def table(titles, rows):
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def arenas(figures):
    """Arena and load of every model."""
    titles = "model", "arena", "prepared", "TFLM's smallest", "load", "load, prepared"
    return table(
        titles,
        (
            [
                model,
                *(figures.arena(model, kind) for kind in KINDS),
                figures.tflm_arena(model),
                *(figures.of(M4, model, kind, "load") for kind in KINDS),
            ]
            for model in MODELS
        ),
    )


def instructions(figures):
    """Instructions of a run on each core, beside CMSIS-NN's."""
    cores = {"M4F": M4, "M0+": M0, "M3": M3, "M55": M55}
    titles = [title for core in cores for title in (core, "prepared", "CMSIS-NN")]
    rows = []
    for model in MODELS:
        cells = [
            cell
            for core in cores.values()
            for cell in (
                *(figures.of(core, model, kind, "invoke") for kind in KINDS),
                figures.peer(core, model),
            )
        ]
        rows.append([model, *cells, figures.of(PICO, model, "plain", "invoke")])
    return table(["model", *titles, "Pico, cycles"], rows)


def cycles(figures):
    """Modelled cycles of a run from memory that never waits, and from the flash of a chip."""
    titles = ["model"]
    for core, chip in (("M4F", "STM32F4"), ("M0+", "RP2040")):
        titles += [core, chip, f"{core}, prepared", f"{chip}, prepared"]
    titles.insert(5, "STM32L4R5, published")
    rows = []
    for model in TIMED:
        row = [model]
        for (core, name), prepared in ((F4, "art"), (PICO_CHIP, "cached")):
            for kind in ("plain", prepared):
                row += [figures.of(core, model, kind, figure) for figure in ("cycles", name)]
        row.insert(5, figures.published(model))
        rows.append(row)
    return table(titles, rows)


def waiting(figures):
    """Milliseconds of a run on a Pico, a Pico 2 and an STM32F4, whose flash waits."""
    titles = ["model"]
    for board in ("Pico", "Pico 2", "STM32F4"):
        titles += [f"{board}, unprepared", f"{board}, prepared", "arena"]
    rows = []
    for model in MODELS:
        row = [model]
        for chip, prepared in ((PICO_CHIP, "cached"), (PICO2_CHIP, "cached"), (F4, "art")):
            row += [figures.milliseconds(chip, model, kind) for kind in ("plain", prepared)]
            row.append(figures.of(chip[0], model, prepared, "arena"))
        rows.append(row)
    return table(titles, rows)


def known(figures):
    """Three models of README, beside TFLM."""
    titles = "model", "arena", "prepared", "TFLM", "instructions", "prepared", "TFLM"
    return table(
        titles,
        (
            [
                model,
                *(figures.arena(model, kind) for kind in KINDS),
                figures.tflm_arena(model),
                *(figures.of(M4, model, kind, "invoke") for kind in KINDS),
                figures.peer(M4, model),
            ]
            for model in KNOWN
        ),
    )


def features(figures):
    """What lines of features cost on each core, for a second of sound."""
    titles = "features", "lines", "M4F, instructions", "M0+, instructions", "Pico, cycles"
    return table(
        [*titles, "normalising", "RAM", "file"],
        (
            [
                name,
                figures.feature(M4, name, "lines"),
                *(figures.feature(core, name, "count") for core in (M4, M0, PICO)),
                figures.feature(PICO, name, "normalize"),
                figures.feature(PICO, name, "ram"),
                figures.feature(PICO, name, "file"),
            ]
            for name in figures.feature_kinds()
        ),
    )


def images(figures):
    """What a frame costs on each core, 160x120 pixels to 96x96."""
    titles = "frame", "input", "`fit`", "`resize`", "M4F, instructions", "M0+, instructions"
    return table(
        [*titles, "Pico, cycles", "RAM"],
        (
            [
                kind[0],
                "grey" if kind[1] == "1" else "colours",
                *kind[2:],
                *(figures.image(core, kind, "count") for core in (M4, M0, PICO)),
                figures.image(PICO, kind, "ram"),
            ]
            for kind in figures.image_kinds()
        ),
    )


def two_cores(figures):
    """Cycles of a run on one core and on two, of a Pico."""
    titles = ["model", "form", "1 core", "2 cores", "gain"]
    titles += ["flash waits: 1 core", "2 cores", "gain"]
    rows = []
    for (model, kind), row in figures.on_cores().items():
        cells = []
        for wait in ("", "_waiting"):
            one, two = row["one" + wait], row["two" + wait]
            cells += [shown(one), shown(two), f"{one / two:.2f}"]
        rows.append([model, kind, *cells])
    return table(titles, rows)


PAGES = {
    "README.md": {"known models": known},
    "docs/figures.md": {
        "arenas": arenas,
        "instructions": instructions,
        "cycles": cycles,
        "waiting": waiting,
    },
    "docs/audio.md": {"features": features},
    "docs/camera.md": {"frames": images},
    "docs/boards.md": {"two cores": two_cores},
}


def with_tables(text, tables, figures):
    """Return *text* with each of *tables* {name: function} between its marks."""
    for name, function in tables.items():
        first, last = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, rest = text.split(first)
        text = before + first + function(figures) + last + rest.split(last)[1]
    return text


def write():
    figures = Figures()
    for page, tables in PAGES.items():
        path = ROOT / page
        path.write_text(with_tables(path.read_text(), tables, figures))


if __name__ == "__main__":
    write()
