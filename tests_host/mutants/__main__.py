"""Change one guard or bound at a time in a copy of the clone, and see whether its tests notice.

    make mutants                            all files of targets.py
    make mutants MUTANTS="--sample 40 mp_modules/tflm/base/arena.py"

Each mutant that no test notices is printed as a line of equivalent.txt. Either a test is
missing, or the line goes there, with the reason why the mutant computes the same. Fails where
less than 95 % of the others are noticed.
"""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import numpy as np  # noqa: F401  each mutant's process is a copy of this one: imported once
import pytest

from mutants import c, library, python
from mutants.targets import TARGETS

ROOT = Path(__file__).resolve().parents[2]
BUILT = "build/host"  # the libraries of kernels, which have the sum of their sources in the name
EQUIVALENT = Path(__file__).parent / "equivalent.txt"
GOAL = 0.95
QUICK = "not firmware and not slow and not long"
PATIENCE = 4  # times as long as the unchanged file's tests, a mutant may take
PATIENCE_MORE = 10  # seconds
ENGINES = {".py": python.edits, ".c": c.edits}


def copy_clone(copy):
    """Copy what git knows of the clone, what is new in it and its libraries to *copy*."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout.decode()
    shutil.rmtree(copy, ignore_errors=True)
    for name in filter(None, listed.split("\0")):
        source, target = ROOT / name, copy / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    if (ROOT / BUILT).is_dir():
        shutil.copytree(ROOT / BUILT, copy / BUILT)


def line_of(text, start):
    """Return (number, text) of the line that holds the character *start*."""
    number = text.count("\n", 0, start)
    return number + 1, text.splitlines()[number]


def describe(file, text, edit):
    """Return a mutant's line of equivalent.txt, which does not depend on line numbers."""
    start, end, new = edit
    _, line = line_of(text, start)
    column = start - (text.rfind("\n", 0, start) + 1)
    changed = line[:column] + new + line[column + end - start :]
    return f"{file} | {line.strip()} | {changed.strip()}"


def equivalents():
    """Return {mutant: reason} of equivalent.txt."""
    found = {}
    for line in EQUIVALENT.read_text().splitlines():
        if line and not line.startswith("#"):
            mutant, reason = line.rsplit(" | ", 1)
            found[mutant] = reason
    return found


def sampled(file, text, edits, count):
    """Return *count* of *edits*, the same ones each time, in their order."""
    if not count or count >= len(edits):
        return edits

    def rank(edit):
        return hashlib.sha256(describe(file, text, edit).encode()).digest()

    return sorted(sorted(edits, key=rank)[:count])


def passes(copy, tests, limit):
    """Return whether *tests* pass in *copy* within *limit* seconds, in their own process."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        run_tests(copy, tests)
    end = time.monotonic() + limit
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def run_tests(copy, tests):
    """Run *tests* in *copy* and leave this process with pytest's exit status."""
    os.setpgid(0, 0)
    os.chdir(copy)
    os.environ["PYTHONPATH"] = os.pathsep.join(
        str(copy / folder) for folder in ("mp_modules", "host_tools", "tests_host")
    )
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    status = 1
    try:
        status = pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-m", QUICK, *tests])
    finally:
        os._exit(int(status))


def try_file(copy, file, count):
    """Try the mutants of *file* in *copy*; return (noticed, [survivors], explained)."""
    path = copy / file
    text = path.read_text()
    edits = sampled(file, text, ENGINES[path.suffix](text), count)
    tests = TARGETS[file]
    build = library.Library(copy, path) if path.suffix == ".c" else None
    begin = time.monotonic()
    if not passes(copy, tests, 600):
        raise click.ClickException(f"{file}: its tests do not pass without a mutation")
    limit = PATIENCE * (time.monotonic() - begin) + PATIENCE_MORE
    known = equivalents()
    noticed, survivors, explained = 0, [], 0
    for start, end, new in edits:
        name = describe(file, text, (start, end, new))
        if name in known:
            explained += 1
            continue
        path.write_text(text[:start] + new + text[end:])
        try:
            if (build and not build.make()) or not passes(copy, tests, limit):
                noticed += 1
            else:
                survivors.append(name)
                print(f"line {line_of(text, start)[0]}: {name}", flush=True)
        finally:
            path.write_text(text)
    return noticed, survivors, explained


@click.command()
@click.option("--sample", default=0, help="Try so many mutants a file, the same ones each time.")
@click.option("--copy", default="mutants", help="The copy's folder in build/, one a run.")
@click.argument("files", nargs=-1)
def main(sample, copy, files):
    """Try the mutants of FILES, or of all that targets.py names."""
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    copy = ROOT / "build" / copy
    copy_clone(copy)
    noticed = tried = 0
    for file in files or TARGETS:
        if file not in TARGETS:
            raise click.BadParameter(f"{file} is not in tests_host/mutants/targets.py")
        good, survivors, explained = try_file(copy, file, sample)
        noticed += good
        tried += good + len(survivors)
        print(
            f"{file}: {good} of {good + len(survivors)} noticed, {explained} equivalent",
            flush=True,
        )
    score = noticed / max(tried, 1)
    print(f"{noticed} of {tried} mutants noticed: {score:.1%}")
    raise SystemExit(score < GOAL)


if __name__ == "__main__":
    main()
