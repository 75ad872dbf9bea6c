"""Tables of the documentation: figures of bench/ and of peers, boards, error messages, tests."""

import ast
import csv
import re
from urllib.parse import urlsplit

from ..certify import form
from ..deploy import gallery as models
from ..places import BOARDS, ROOT
from ..targets.boards import KB, all_board_names, load_board, stm32_board_names
from . import docs_messages, docs_ways

BOARD = "MPS2_AN386"
PREPARED = re.compile(r"<!-- prepared (\w+) -->")
KINDS = "boards|certificates|gallery|heaps|memories|messages|peers|sources|tests|ways"
TABLE = re.compile(rf"<!-- table of ({KINDS}) -->")
ROWS = (("instructions of loading", "load"), ("instructions of a run", "invoke"))
ROWS += (("bytes of arena", "arena"), ("bytes of Python heap, besides", "heap"))
EMULATORS = {"rp2040js": "rp2040js", "unicorn": "Unicorn"}  # all other machines are QEMU's
CERTIFIED = BOARDS / "certified"
CASES = "tests_host/cases"
TESTS = {
    "tests_host/kernels": "each kernel, C and viper, against TFLM and stored vectors",
    "tests_host/runtime": "reading, refusing, planning, running, on CPython",
    "tests_host/tools": "the commands and what they write",
    "tests_host/firmware": "builds, emulated boards, sites, releases",
    "tests_device": "scripts that run on boards",
}


def _read(name):
    with open(ROOT / "bench" / name, newline="") as file:
        return list(csv.DictReader(file))


def _figures():
    """Return {(model, kind): row} of C kernels on BOARD."""
    rows = [
        row for row in _read("figures.csv") if row["target"] == BOARD and row["backend"] == "c"
    ]
    return {(row["model"], row["kind"]): row for row in rows}


def prepared(model):
    """Return rows that compare *model*, plain and prepared."""
    plain, after = (_figures()[model, kind] for kind in ("plain", "prepared"))
    lines = [f"| {name} | {int(plain[key]):,} | {int(after[key]):,} |" for name, key in ROWS]
    return "\n".join(lines)


def peers():
    """Return a table of models: ours beside TFLM with CMSIS-NN."""
    figures = _figures()
    arenas = {row["model"]: int(row["tflm"]) for row in _read("arena.csv") if row["tflm"]}
    theirs = {
        row["model"]: int(row["invoke"])
        for row in _read("peers.csv")
        if row["target"] == BOARD and row["library"] == "CMSIS-NN"
    }
    lines = [
        "| model | TFLM, instructions | tflm | prepared | TFLM, arena | tflm | prepared |",
        "|---|---|---|---|---|---|---|",
    ]
    for model in sorted(set(theirs) & set(arenas)):
        plain, after = figures[model, "plain"], figures[model, "prepared"]
        runs = [theirs[model], int(plain["invoke"]), int(after["invoke"])]
        bytes_ = [arenas[model], int(plain["arena"]), int(after["arena"])]
        lines.append(f"| {model} | " + " | ".join(f"{n:,}" for n in runs + bytes_) + " |")
    return "\n".join(lines)


def boards():
    """Return a table of the boards, from their folders."""
    lines = [
        "| board | core | kernels | heap, KB | left for a model | `/rom`, KB | tried in |",
        "|---|---|---|---|---|---|---|",
    ]
    checkout = {*stm32_board_names(), "RPI_PICO_W"}
    certified = certificates()
    for board in map(load_board, all_board_names()):
        sizes = f"{board.heap_size // KB:,} | {board.free_heap:,} | {board.romfs_size // KB:,}"
        emulator = EMULATORS.get(board.machine, "QEMU") if board.machine else "builds only"
        tried = [emulator, *["with a checkout"] * (board.name in checkout)]
        tried = ", ".join([*tried, *certified.get(board.name, ())])
        core = board.cpu.replace("-", "&#8209;")  # where no line breaks
        lines.append(f"| `{board.name}` | {core} | `{board.isa}` | {sizes} | {tried} |")
    return "\n".join(lines)


def memories():
    """Return a table of the memories beside the heap, from the folders of the boards."""
    lines = ["| board | memory | address | KB | free | from |", "|---|---|---|---|---|---|"]
    for board in map(load_board, all_board_names()):
        for memory in board.memories:
            where = f"{memory.name} | {memory.start:#010x} | {memory.nbytes // KB:,}"
            free = memory.condition or "always"
            lines.append(f"| `{board.name}` | {where} | {free} | {memory.source} |")
    return "\n".join(lines)


def certificates(folder=CERTIFIED):
    """Return {board: a text for each certificate} of the certificates in *folder*."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        one = form.load(path)
        where = "on silicon" if one["kind"] == form.SILICON else "emulated"
        verdict = "certified" if one["passed"] else "failed"
        found.setdefault(one["board"], []).append(f"{verdict} {where} on {one['date']}")
    return found


def certified(folder=CERTIFIED):
    """Return a table of the certificates in *folder*."""
    lines = [
        "| board | on | day | minutes | bytes | device tests passed | skipped | not passed |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for path in sorted(folder.glob("*.json")):
        one = form.load(path)
        where = {form.SILICON: "silicon", form.UNIX: "Linux"}.get(one["kind"], one["emulator"])
        minutes = sum(step["milliseconds"] for step in one["steps"]) / 60_000
        passed, skipped = (sum(s[key] for s in one["scripts"]) for key in ("passed", "skipped"))
        left = [s["name"] for s in one["steps"] if s["result"] != form.PASSED]
        figures = f"{minutes:.1f} | {path.stat().st_size:,} | {passed} | {skipped}"
        lines.append(
            f"| `{one['board']}` | {where} | {one['date']} | {figures} | {', '.join(left)} |"
        )
    return "\n".join(lines)


def gallery():
    """Return a table of the gallery's models, with the figures of `make gallery`."""
    figures = {row["model"]: row for row in _read("gallery.csv")}
    lines = [
        "| name | task | model, bytes | arena, bytes | prepared for a Pico | licence | from |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, entry in models.entries().items():
        sizes = [f"{int(figures[name][key]):,}" for key in ("bytes", "arena", "prepared")]
        owner, repository = urlsplit(entry.source).path.split("/")[1:3]
        cells = f"`{name}`", entry.task, *sizes, entry.licence, f"{owner}/{repository}"
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def tests():
    """Return a table of the folders that have tests, with their contents."""
    lines = ["| folder | files | functions | what they look at |", "|---|---|---|---|"]
    for folder, what in TESTS.items():
        paths = sorted((ROOT / folder).glob("test_*.py"))
        count = sum(_functions(path) for path in paths)
        lines.append(f"| `{folder}` | {len(paths)} | {count:,} | {what} |")
    cases = sum(path.stem not in ("__init__", "op") for path in (ROOT / CASES).glob("*.py"))
    lines.append(f"| `{CASES}` | {cases} | | draws random models, a file a family of operators |")
    return "\n".join(lines)


def _functions(path):
    nodes = ast.walk(ast.parse(path.read_text()))
    return sum(isinstance(n, ast.FunctionDef) and n.name.startswith("test_") for n in nodes)


def with_tables(text):
    """Return *text*, a page, with its tables."""
    made = {"boards": boards, "gallery": gallery, "messages": docs_messages.tables}
    made |= {"memories": memories}
    made |= {"certificates": certified, "peers": peers, "tests": tests}
    made |= {"heaps": docs_ways.heaps, "sources": docs_ways.sources, "ways": docs_ways.ways}
    text = PREPARED.sub(lambda found: prepared(found[1]), text)
    return TABLE.sub(lambda found: made[found[1]](), text)
