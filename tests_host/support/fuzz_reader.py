"""Builds and runs fuzz_reader.c, the coverage-guided fuzzer, with Debian's clang and libFuzzer.

It starts from small models and keeps what it learns in build/fuzz/corpus, so that the next run
goes on from there. A file that it finds a defect with is left in build/fuzz.
"""

import re
import shutil
import subprocess
from pathlib import Path

from support.fuzz_workers import Report
from tflm_host.model.native import SOURCES, include_flags
from tflm_host.places import ROOT

HARNESS = Path(__file__).with_name("fuzz_reader.c")
FOLDER = ROOT / "build" / "fuzz"
UNITS = ("flatbuffer.c", "describe.c", "convolution.c")
COMPILERS = ("clang", "clang-14")
PACKAGES = "clang-14 libclang-rt-14-dev"
LARGEST = 4096  # bytes of an input
SLOWEST_S = 2  # of the processor's time, for one input
HANGS_S = 100  # of the clock: it does not end
FLAGS = ["-std=c99", "-O1", "-g", f"-DSLOWEST_S={SLOWEST_S}"]
FLAGS += ["-fsanitize=fuzzer,address,undefined"]
FLAGS += ["-fno-sanitize-recover=undefined", *include_flags()]


class FuzzerMissing(RuntimeError):
    """There is no clang with libFuzzer here."""


def build():
    """Return the program, built when a source is newer."""
    program = FOLDER / "fuzz_reader"
    units = [HARNESS, *(SOURCES / name for name in UNITS)]
    newest = max(file.stat().st_mtime for file in [*units, *SOURCES.glob("*.h"), Path(__file__)])
    if program.exists() and program.stat().st_mtime >= newest:
        return program
    compiler = next(filter(shutil.which, COMPILERS), None)
    if compiler is None:
        raise FuzzerMissing(f"no clang here: apt-get install {PACKAGES}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    command = [compiler, *FLAGS, *map(str, units), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise FuzzerMissing(f"{compiler} does not build the fuzzer:\n{done.stderr[-2000:]}")
    return program


def run_fuzzer(seeds, seconds=0, runs=0, seed=1):
    """Fuzz for *seconds*, or *runs* inputs, from *seeds* (models); return the Report."""
    program = build()
    corpus = FOLDER / "corpus"
    corpus.mkdir(exist_ok=True)
    for i, data in enumerate(seeds):
        if len(data) <= LARGEST:
            (corpus / f"seed{i}").write_bytes(data)
    options = {
        "max_len": LARGEST,
        "timeout": HANGS_S,
        "seed": seed,
        "artifact_prefix": f"{FOLDER}/",
    }
    options.update({"max_total_time": seconds} if seconds else {"runs": runs})
    options.update(len_control=0, print_final_stats=1, verbosity=0)
    command = [program, *(f"-{name}={value}" for name, value in options.items()), corpus]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    report = Report()
    found = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    report.outcomes["inputs"] = int(found.group(1)) if found else 0
    if done.returncode != 0:
        report.findings.append((0, done.stderr[-3000:]))
    return report
