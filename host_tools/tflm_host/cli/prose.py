"""The words of documents and Python files, checked by the rules of prose_rules.py.

`make lint` runs it over every document, docstring, help text and message, and looks for old words
in comments. A file that is not clean yet stands in BUDGET with the number of its findings, which
may only fall. `--save` writes the numbers of today. `--draw SEED COUNT` prints random sentences of
all these texts, for readers who did not write them. site/docs/README.md has the rules.
"""

import csv
import random
import sys

from ..places import ROOT
from .prose_comments import findings_in_comments
from .prose_rules import findings, paragraphs, sentences
from .prose_sources import findings_in_source, sentences_in_source

BUDGET = ROOT / "site" / "docs" / "prose.csv"
NAMES = ("README", "CONTRIBUTING", "DESIGN", "SPEC", "CHANGELOG")
PAGES = ("docs/*.md", "firmware/**/*.md", "models/*.md", "site/**/*.md", "tests_host/**/*.md")
SOURCES = ("mp_modules/tflm", "host_tools/tflm_host")
COMMENTED = ("mp_modules", "host_tools", "firmware", "tests_host", "tests_device", "examples")
FIELDS = ("file", "findings")
LEAST = 6  # words of a sentence that is drawn


def documents():
    """Return the paths of the documents, relative to ROOT."""
    names = [f"{name}.md" for name in NAMES if (ROOT / f"{name}.md").exists()]
    pages = [path for pattern in PAGES for path in sorted(ROOT.glob(pattern))]
    return names + [path.relative_to(ROOT).as_posix() for path in pages]


def sources():
    """Return the paths of the Python files, relative to ROOT."""
    found = [path for folder in SOURCES for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path.relative_to(ROOT).as_posix() for path in found]


def commented():
    """Return the paths of the files whose comments are checked, relative to ROOT."""
    paths = [path for folder in COMMENTED for path in sorted((ROOT / folder).rglob("*.*"))]
    return [
        path.relative_to(ROOT).as_posix()
        for path in paths
        if path.suffix in (".py", ".c", ".h") and "node_modules" not in path.parts
    ]


def old_words():
    """Return a line for each old word in a comment, or in a docstring of a test."""
    return [
        f"{name}:{place}"
        for name in commented()
        for place in findings_in_comments(name, (ROOT / name).read_text(encoding="utf-8"))
    ]


def findings_in(names):
    """Return {name: Findings} of the documents and Python files *names*."""
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in names}
    return {
        name: findings_in_source(name, text) if name.endswith(".py") else findings(text)
        for name, text in texts.items()
    }


def budget():
    """Return {file: how many findings it may have}; every other file has none."""
    with open(BUDGET, newline="") as file:
        return {row["file"]: int(row["findings"]) for row in csv.DictReader(file)}


def save(found):
    """Write into BUDGET how many Findings each file of *found* has."""
    with open(BUDGET, "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(FIELDS)
        rows.writerows((name, len(places)) for name, places in found.items() if places)


def complaints(found, allowed):
    """Return lines on files of *found* with more, or fewer, Findings than *allowed*."""
    lines = []
    for name, places in found.items():
        limit = allowed.get(name, 0)
        if len(places) > limit:
            lines += [f"{name}:{place}" for place in places]
            lines.append(f"{name}: {len(places)} findings, {limit} allowed")
        elif len(places) < limit:
            lines.append(f"{name}: {len(places)} findings: write that into {BUDGET.name}")
    gone = set(allowed) - set(found)
    return lines + [f"{name}: no such file, but in {BUDGET.name}" for name in sorted(gone)]


def sentences_of(name):
    """Return (place, sentence) of each sentence of at least LEAST words of the file *name*."""
    text = (ROOT / name).read_text(encoding="utf-8")
    if name.endswith(".py"):
        found = sentences_in_source(name, text)
    else:
        found = [
            (line + before, sentence)
            for line, paragraph in paragraphs(text)
            for before, sentence in sentences(paragraph)
        ]
    return [(place, one) for place, one in found if len(one.split()) >= LEAST]


def drawn(names, seed, count):
    """Return lines with *count* random sentences of the files *names*, chosen by *seed*."""
    every = [(name, *found) for name in names for found in sentences_of(name)]
    chosen = random.Random(seed).sample(every, count)
    return [f"{name}:{place}: {' '.join(sentence.split())}" for name, place, sentence in chosen]


def main(arguments):
    """Print complaints; with names of files, all of their findings; see above for the options."""
    if arguments[:1] == ["--draw"]:
        seed, count = map(int, arguments[1:])
        print("\n".join(drawn(documents() + sources(), seed, count)))
        return
    if arguments == ["--save"]:
        save(findings_in(documents() + sources()))
        return
    found = findings_in(arguments or documents() + sources())
    if arguments:
        lines = [f"{name}:{place}" for name in arguments for place in found[name]]
    else:
        lines = complaints(found, budget()) + old_words()
    print("\n".join(lines), end="\n" if lines else "")
    sys.exit(bool(lines))


if __name__ == "__main__":
    main(sys.argv[1:])
