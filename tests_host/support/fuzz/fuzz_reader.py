"""Builds and runs the coverage-guided fuzzers of C, with Debian's clang and libFuzzer.

They start from what they are given and keep what they learn in build/fuzz, so that the next run
goes on from there. A file that one finds a defect with is left there, too. run_inputs() gives
inputs to the same programs, built with gcc.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from tempfile import NamedTemporaryFile

from support.fuzz.fuzz_workers import Report
from tflm_host.generate import inputs
from tflm_host.model.native import SOURCES, include_flags
from tflm_host.places import ROOT

HERE = Path(__file__).parent
FOLDER = ROOT / "build" / "fuzz"
READER, RECORDS, FENCE = "reader", "records", "fence"
UNITS = {READER: ("flatbuffer.c", "describe.c", "convolution.c"), RECORDS: ("slices.c",)}
UNITS[FENCE] = ("fence.c",)
# Sizes that no model has may wrap around: all that comes of them is how many parts a node has.
UNCHECKED = {READER: (), RECORDS: ("-fno-sanitize=signed-integer-overflow",)}
UNCHECKED[FENCE] = ()
COMPILERS = ("clang", "clang-14")
PACKAGES = "clang-14 libclang-rt-14-dev"
LIBRARY = "libclang_rt"  # in what the linker says without it
LARGEST = 4096  # bytes of an input
SLOWEST_S = 2  # of the processor's time, for one input
HANGS_S = 100  # of the clock: it does not end
FLAGS = ["-std=c99", "-O1", "-g", f"-DSLOWEST_S={SLOWEST_S}"]
FLAGS += ["-fno-sanitize-recover=undefined", *include_flags()]
CHECKS = "-fsanitize=address,undefined"


class FuzzerMissing(RuntimeError):
    """There is no clang with libFuzzer here. A source that does not compile is a RuntimeError."""


def build(name):
    """Return the fuzzer of fuzz_{name}.c, built when a source has changed."""
    compiler = next(filter(shutil.which, COMPILERS), None)
    if compiler is None:
        raise FuzzerMissing(f"no clang here: apt-get install {PACKAGES}")
    program, units = FOLDER / f"fuzz_{name}", _units(name)
    done = _compile(program, units, [compiler, "-fsanitize=fuzzer"], name)
    if done:
        kind = FuzzerMissing if LIBRARY in done else RuntimeError
        raise kind(f"{compiler} does not build the fuzzer:\n{done[-2000:]}")
    return program


def _units(name):
    return [HERE / f"fuzz_{name}.c", *(SOURCES / unit for unit in UNITS[name])]


def _compile(program, units, start, name):
    """Build *program* where a source differs; return what the compiler says where it fails."""
    command = [*start, CHECKS, *FLAGS, *UNCHECKED[name], *map(str, units), "-o"]
    facts = {"compiler": inputs.version_of(start[0]), "command": " ".join(command)}
    text = inputs.listed([*units, *SOURCES.glob("*.h"), Path(__file__)], facts)
    folder = program.with_suffix(".of")
    if program.exists() and inputs.is_same(folder, text):
        return ""
    folder.mkdir(parents=True, exist_ok=True)
    part = program.with_suffix(f".{os.getpid()}")  # another process may run or build it, too
    done = subprocess.run([*command, str(part)], capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr or "it fails"
    os.replace(part, program)
    (folder / inputs.INPUTS).write_text(text)
    return ""


def run_inputs(name, inputs):
    """Run fuzz_{name}.c on *inputs*; return (number, problem) of the first that it finds."""
    program = FOLDER / f"driven_{name}"
    wrong = _compile(program, [HERE / "fuzz_driver.c", *_units(name)], ["gcc"], name)
    if wrong:
        raise RuntimeError(f"gcc does not build fuzz_{name}.c:\n{wrong[-2000:]}")
    with NamedTemporaryFile(dir=FOLDER, prefix=f"inputs_{name}_") as file:
        file.write(b"".join(len(data).to_bytes(4, "little") + data for data in inputs))
        file.flush()
        command = [program, file.name]
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False
        )
    numbers = done.stdout.split()
    if done.returncode == 0 and len(numbers) == len(inputs):
        return None
    return int(numbers[-1]) if numbers else -1, done.stderr[-3000:]


def run_fuzzer(name, seeds, seconds=0, runs=0, seed=1):
    """Fuzz for *seconds*, or *runs* inputs, from *seeds*, bytes; return the Report."""
    program = build(name)
    corpus = FOLDER / ("corpus" if name == READER else f"corpus_{name}")
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
