"""Lets the runner of MLPerf Tiny, main.py of mlcommons/tiny, measure emulated boards.

    python tests_host/mlperf.py [--tiny FOLDER] [--model NAME]... [BOARD]...
    make mlperf [TINY=FOLDER] [TARGETS=...] [MODELS=...]

On a board runs examples/mlperf_tiny.py. Inputs are drawn at random, so "accuracy" says only that
each result comes back: they are compared with those of this machine. FOLDER is a checkout of
mlcommons/tiny; without it, the files of the runner come by https and stay in build/mlperf. Their
checksums are those of mlperf.csv. Exit status 1 where a run does not complete or a result differs.
"""

import csv
import hashlib
import json
import math
import shutil
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from support.device.mlperf import FORMS, booted, drawn, expected
from tflm_host.model.files import InputError, write_file
from tflm_host.places import BUILD, ROOT
from tflm_host.report.errors import reports_errors
from tflm_host.report.terminal import Grid, say
from tflm_host.targets.boards import RP2_EMULATORS, load_board
from tflm_host.targets.build import build
from tflm_host.targets.emulator import ICOUNT_SHIFT, Emulator
from tflm_host.targets.links import SerialLink
from tflm_host.targets.open_target import mpremote
from tflm_host.targets.romfs import build_romfs
from tflm_host.targets.rp2040 import Rp2040Emulator

PINNED = Path(__file__).with_suffix(".csv")
COMMIT = "1afd2c9820f795965a6134facd0b4dfae41ef23f"
URL = f"https://raw.githubusercontent.com/mlcommons/tiny/{COMMIT}/benchmark/runner/"
WORK = BUILD / "mlperf"
PROGRAM = ROOT / "examples" / "mlperf_tiny.py"
MAIN = ROOT / "tests_host" / "support" / "device" / "mlperf_main.py"
MODELS = ROOT.parent / "shared" / "models"
BOARDS = {"MPS2_AN386": tuple(FORMS), "RPI_PICO": ("kws01",)}  # and models, unless they are named
SECONDS = 3600  # of one run
FETCH_SECONDS = 30
WINDOWS, WINDOW_US = 5, 10_200_000  # of board time, as the rules want at least 10 s
# Of a window, on this machine: the runner wants 10 s for all five, and waits 30 s for a line.
LEAST_SECONDS, MOST_SECONDS = 5, 12
WARM_UP = 1
# QEMU's clock counts instructions, whatever this machine does meanwhile. A board that waits for a
# command sleeps, and hears it soon.
CLOCK = ("-icount", f"shift={ICOUNT_SHIFT},align=off,sleep=on")
TRIAL = 3  # runs
# Files of each model. The runner wants each class at least once, and a file for each window.
CLASSES = {"kws01": 12, "ic01": 10, "vww01": 2, "ad01": 2}
FILES = {"kws01": 24, "ic01": 20, "vww01": 6, "ad01": 6}
SEGMENTS, STRIDE = 3, 512  # of a file of ad01, bytes from one to the next


@dataclass
class Outcome:
    """What the runner said in one mode."""

    board: str
    model: str
    mode: str
    said: str
    compared: int
    wrong: int


def runner_folder(tiny):
    """Return the folder of the runner, with the files that PINNED promises.

    Raises InputError, which names the file that is missing or another one.
    """
    with PINNED.open(newline="") as file:
        pinned = {row["file"]: row["sha256"] for row in csv.DictReader(file)}
    if tiny:
        folder = Path(tiny)
        if not (folder / "main.py").exists():
            folder = folder / "benchmark" / "runner"
    else:
        folder = WORK / "runner"
    for name, digest in pinned.items():
        path = folder / name
        if not tiny and not path.exists():
            _fetch(name, path)
        if not path.exists():
            raise InputError(f"{path} is missing: TINY must be a checkout of mlcommons/tiny")
        if hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            raise InputError(f"{path} is not the file of mlcommons/tiny at commit {COMMIT}")
    return folder


def _fetch(name, path):
    try:
        with urllib.request.urlopen(URL + name, timeout=FETCH_SECONDS) as answer:
            data = answer.read()
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise InputError(
            f"{URL + name} cannot be fetched: {reason}. With a checkout of mlcommons/tiny"
            f" at commit {COMMIT}: make mlperf TINY=FOLDER"
        ) from None
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, data)


def write_files(folder, name):
    """Write the inputs of *name* and their list to *folder*; return the expected results.

    {file: [result of each part of it]}
    """
    folder.mkdir(parents=True, exist_ok=True)
    model, results, lines = MODELS / f"{FORMS[name][0]}.tflite", {}, []
    for i in range(FILES[name]):
        file = f"s{i:02}.bin"
        line = [file, CLASSES[name], i % CLASSES[name]]
        values = drawn(name, i)
        parts = [values]
        if name == "ad01":
            values = drawn(name, i, (SEGMENTS - 1) * STRIDE // 4)
            first = STRIDE // 4
            parts = [values[k * first : k * first + len(drawn(name, 0))] for k in range(SEGMENTS)]
            line += [len(parts[0]) * 4, STRIDE]
        (folder / file).write_bytes(values.tobytes())
        results[file] = [expected(model, name, part, np.float32) for part in parts]
        lines.append(",".join(map(str, line)))
    (folder / "y_labels.csv").write_text("\n".join(lines) + "\n")
    return results


def run_main(runner, port, folder, mode, steps, name):
    """Run main.py in *mode*; return what it printed, and its list of results."""
    shutil.rmtree(folder / "sessions", ignore_errors=True)
    script = folder / f"{mode}.yaml"
    script.write_text(
        f"{name}:\n  name: {name}\n  model: {name}\n  truth_file: y_labels.csv\n  script:\n{steps}"
    )
    command = [sys.executable, str(MAIN), str(runner), port, "-m", mode, "-t", str(script)]
    command += ["-d", str(runner / "devices_kws_ic_vww.yaml"), "-s", str(folder / "data")]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"main.py has not ended in {SECONDS} s") from None
    found = list((folder / "sessions").glob("*/results.json"))
    if done.returncode or not found:
        raise InputError(f"main.py failed on {port}:\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout, json.loads(found[0].read_text())


def measure(board, name, runner):
    """Return the Outcome of both modes of *name* on *board*."""
    build(board)
    model = MODELS / f"{FORMS[name][0]}.tflite"
    folder = WORK / board / name
    results = write_files(folder / "data" / name, name)
    is_pico = board in RP2_EMULATORS
    emulator = Rp2040Emulator if is_pico else Emulator
    options = () if is_pico else CLOCK
    image = build_romfs([(model.name, model.read_bytes())])
    with emulator(load_board(board), image, pty=True, options=options) as running:
        mpremote(running.port, "run", "--no-follow", str(PROGRAM))
        runs = _runs_of_a_window(running.port, name)
        steps = f"    - loop {WINDOWS}:\n      - download\n      - infer {runs} {WARM_UP}\n"
        outcomes = [_outcome(board, name, "p", runner, running.port, folder, steps, results)]
        steps = "    - loop:\n      - download\n      - infer 1 0\n"
        outcomes += [_outcome(board, name, "a", runner, running.port, folder, steps, results)]
    return outcomes


def _runs_of_a_window(port, name):
    """Ask the board how long a run takes; return how many it needs for a window."""
    link = SerialLink(port)
    try:
        device = booted(link)
        device.load(drawn(name, 0).tobytes())
        device.infer(1, 0)  # which imports
        start = time.monotonic()
        micros, _ = device.infer(TRIAL, 0)
        seconds = (time.monotonic() - start) / TRIAL
    finally:
        link.close()
    return runs_of_a_window(micros / TRIAL, seconds)


def runs_of_a_window(micros, seconds):
    """Return how many runs, each of so many *micros* of the board and *seconds* here, fit."""
    least, most = LEAST_SECONDS / seconds, MOST_SECONDS / seconds
    return max(math.ceil(min(max(WINDOW_US / micros, least), most)), 1)


def _outcome(board, name, mode, runner, port, folder, steps, results):
    printed, found = run_main(runner, port, folder, mode, steps, name)
    said = [line.split("ulp-mlperf: ")[-1] for line in printed.splitlines()]
    kept = [line for line in said if line.startswith(("Median", "ERROR", "Top", "AUC"))]
    compared = wrong = 0
    seen = {}
    for one in found:
        if "infer" in one:
            part = seen.get(one["file"], 0)
            seen[one["file"]] = part + 1
            texts = [f"{value:.3f}" for value in one["infer"]["results"]]
            # With performance, the first part is sent each time.
            compared += 1
            wrong += texts != results[one["file"]][part if mode == "a" else 0]
    return Outcome(board, name, mode, "; ".join(kept), compared, wrong)


@click.command(help=__doc__)
@click.option("--tiny", type=click.Path(exists=True, file_okay=False), help="mlcommons/tiny.")
@click.option("--model", "names", multiple=True, type=click.Choice(list(FORMS)))
@click.argument("boards", nargs=-1)
@reports_errors
def main(tiny, names, boards):
    if not MODELS.is_dir():
        raise InputError(f"the benchmark's models are not there: {MODELS}")
    runner = runner_folder(tiny)
    outcomes = []
    for board in boards or BOARDS:
        for name in names or BOARDS.get(board, FORMS):
            outcomes += measure(board, name, runner)
    grid = Grid("", "board", "model", "mode", "the runner says", ">results", ">not as here")
    for one in outcomes:
        counts = str(one.compared), str(one.wrong)
        grid.add_row(one.board, one.model, one.mode, one.said, *counts)
    grid.show()
    is_whole = all(one.compared and not one.wrong and "ERROR" not in one.said for one in outcomes)
    say("all runs completed" if is_whole else "not all runs completed")
    sys.exit(0 if is_whole else 1)


if __name__ == "__main__":
    main()
