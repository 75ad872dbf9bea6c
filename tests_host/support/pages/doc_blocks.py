"""The code blocks of the pages in docs/, and what they say that they print.

site/docs/README.md has the rules for those who write pages.
"""

import re
from dataclasses import dataclass, field

from tflm_host.places import ROOT

PAGES = sorted((ROOT / "docs").glob("*.md"))
FENCE = re.compile(r"^( *)```(.*)\n((?:.*\n)*?)^\1```$", re.MULTILINE)
HEAD = re.compile(r"\A---\n(.*?\n)---\n", re.DOTALL)
# Titles of blocks that no test runs, each with the reason that a reader sees, too.
NOT_RUN = (
    "Needs a board",  # a serial port, a drive, a debug probe
    "Needs the network",  # fetches what is no part of this project
    "Needs TensorFlow",  # half a gigabyte
    "Needs litert-torch",  # a gigabyte
    "Builds",  # minutes of compiling; `make test` runs these builds or their tests elsewhere
    "A sketch",  # names that the reader puts in
)
ON_PC = "On the PC"
ON_BOARD = "On a board"


@dataclass
class Block:
    """One fenced block."""

    page: str
    line: int
    language: str
    title: str
    text: str
    output: str | None = None  # what it prints, where the page says so

    @property
    def is_run(self):
        return not self.title.startswith(NOT_RUN)

    def __str__(self):
        return f"docs/{self.page}:{self.line}"


@dataclass
class Page:
    """The blocks of a page, and the models of others that they open."""

    name: str
    models: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)

    def of(self, language):
        """Return the blocks of *language* that are run."""
        return [block for block in self.blocks if block.language == language and block.is_run]


def read_page(path):
    """Return the Page of file *path*."""
    text = path.read_text()
    page = Page(path.name)
    head = HEAD.match(text)
    named = head and re.search(r"^models: (.*)$", head[1], re.MULTILINE)
    page.models = named[1].split() if named else []
    end = None
    for found in FENCE.finditer(text):
        language, title = _info(found[2])
        body = re.sub(f"^{found[1]}", "", found[3], flags=re.MULTILINE)
        follows = end is not None and not text[end : found.start()].strip()
        if language == "text" and follows:
            page.blocks[-1].output = body
            continue
        line = text.count("\n", 0, found.start()) + 1
        page.blocks.append(Block(path.name, line, language, title, body))
        end = found.end()
    return page


def _info(words):
    """Return (language, title) of what stands behind the fence."""
    title = re.search(r'title="([^"]*)"', words)
    language = re.match(r"\s*(?:\{\s*\.)?(\w*)", words)
    return language[1], title[1] if title else ""


def local_name(name):
    """Return what *name*, a file of others' models, is called on a page: without its sum."""
    return re.sub(r"-[0-9a-f]{6}(?=\.)", "", name)


def commands(text):
    """Yield (command, what it prints) of a `console` block."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, printed = part.split("\n", 1)
        while command.endswith("\\"):
            more, printed = printed.split("\n", 1)
            command = command[:-1] + more
        yield command, printed


def is_like(wanted, printed):
    """Return whether *printed* is *wanted*: a line `...` is any lines, `...` in one any text."""
    lines = [line.rstrip() for line in wanted.strip("\n").splitlines()]
    parts = [r"(?:.*\n)*?" if line == "..." else f"{_line(line)}\n" for line in lines]
    text = "".join(line.rstrip() + "\n" for line in printed.strip("\n").splitlines())
    return re.fullmatch("".join(parts), text) is not None


def _line(line):
    """Return the pattern of *line*, with any text for `...`."""
    return ".*".join(map(re.escape, line.split("...")))
