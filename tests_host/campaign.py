"""The campaign against crashes, hangs and wrong bytes: see FUZZING.md for what each part does.

    python tests_host/campaign.py host --count 2000000
    make fuzz

Every part takes --first and --count; the same numbers are the same trials on every machine with
the same models. A finding is printed with its number, its model is left in build/fuzz, and the
command then fails.
"""

import os
import sys
import time
from pathlib import Path

import click

from support.fuzz import fuzz_calls, fuzz_deploy, fuzz_guided, fuzz_memory, fuzz_targets
from support.fuzz.fence_seeds import of_prepared
from support.fuzz.fuzz_host import HostTrial, OracleTrial
from support.fuzz.fuzz_reader import FENCE, FOLDER, READER, RECORDS, run_fuzzer
from support.fuzz.fuzz_workers import Report, run_trials
from support.fuzz.record_seeds import of_models
from support.fuzz.structured_mutations import corpus_of
from support.models.edge_models import wrong_about
from support.nets import row_groups
from tflm_host.model.oracle import Oracle
from tflm_host.places import ROOT
from tflm_host.targets.boards import RP2_EMULATORS, board_names

SHOWN = 40  # findings that are printed
BATCH = 2000  # mutants of a target at once
SHARED = ROOT.parent / "shared"


def corpus():
    """Return the corpus of all models at hand; the zoo's are beside the clone, where there are."""
    named = os.environ.get("TFLM_MODEL_ZOO")
    folders = [Path(named)] if named else [SHARED / "models", SHARED / "zoo"]
    return corpus_of(ROOT / "models", *folders)


def on_host(first, count):
    """Load, allocate and invoke mutants on this machine."""
    return run_trials(HostTrial(corpus().mutant), first, count)


def cuts(first, count):
    """Load small models that end at every byte."""
    made = list(corpus().cuts())[first : first + count]
    return run_trials(HostTrial(lambda i: made[i - first]), first, len(made))


def against_tflm(first, count):
    """Compare mutants with TFLM."""
    with Oracle() as oracle:
        oracle.start()
        return run_trials(OracleTrial(corpus().mutant, oracle), first, count)


def under_sanitizers(first, count):
    """Load and invoke mutants on MicroPython under the sanitizers, at one address each."""
    return _on_target("unix-asan", first, count, lambda start: (start // BATCH % 4,))


def on_board(first, count, board="MICROBIT"):
    """Load and invoke mutants on an emulated board, at four addresses each."""
    return _on_target(board, first, count, lambda _start: fuzz_targets.SHIFTS)


def _on_target(target, first, count, shifts):
    report, make = Report(), corpus().mutant
    for start in range(first, first + count, BATCH):
        size = min(BATCH, first + count - start)
        report.add(fuzz_targets.run_on(target, make, start, size, shifts(start)))
    return report


def failing_memory(first, count):
    """Let every allocation fail; COUNT is how many ways to run a model are tried."""
    report = Report()
    for kind in fuzz_memory.kinds()[first : first + count]:
        report.add(fuzz_memory.sweep(kind))
    return report


def bad_hooks(first, count):
    """Let a hook raise at every node of the corpus' models."""
    return fuzz_calls.with_bad_hooks(corpus().models[first : first + count])


def reader(first, count):
    """Fuzz the C that reads models, guided by coverage, for COUNT seconds."""
    seeds = [data for _, data in corpus().models]
    return run_fuzzer(READER, seeds, seconds=count, seed=first + 1)


def records(first, count):
    """Fuzz the C that reads operator parameters, guided by coverage, for COUNT seconds."""
    seeds = of_models([data for _, data in corpus().models])
    return run_fuzzer(RECORDS, seeds, seconds=count, seed=first + 1)


def fence(first, count):
    """Fuzz the C that checks prepared models, guided by coverage, for COUNT seconds."""
    seeds = of_prepared([data for _, data in corpus().models])
    return run_fuzzer(FENCE, seeds, seconds=count, seed=first + 1)


def by_rows(first, count):
    """Compare random chains by rows with whole layers, with the kernels of TFLM_ISA."""
    return run_trials(row_groups.trial, first, count, seconds=20)


def fits(first, count):
    """Load every model near the edge of a board's heap on that board; COUNT models of them all."""
    folders = [ROOT / "models", SHARED / "models", SHARED / "zoo" / "models"]
    paths = sorted(path for folder in folders for path in folder.rglob("*.tflite"))
    report = Report()
    for number, path in enumerate(paths[first : first + count], first):
        for board in (*board_names(), *RP2_EMULATORS):
            found = wrong_about(path, board)
            if found:
                left, problem = found
                print(f"{board} {path.stem} {left:+}", problem or "as said", flush=True)
                report.outcomes["fits" if left >= 0 else "does not fit"] += 1
                report.findings += [(number, f"{board} {path}: {problem}")] if problem else []
    return report


PARTS = {
    "host": on_host,
    "cuts": cuts,
    "tflm": against_tflm,
    "sanitizers": under_sanitizers,
    "board": on_board,
    "memory": failing_memory,
    "callbacks": fuzz_calls.with_callbacks,
    "threads": fuzz_calls.in_threads,
    "hooks": bad_hooks,
    "reader": reader,
    "records": records,
    "fence": fence,
    "flexbuffers": fuzz_guided.flexbuffers,
    "served": fuzz_guided.served,
    "answered": fuzz_guided.answered,
    "states": fuzz_guided.states,
    "rows": by_rows,
    "fits": fits,
    "deploy": fuzz_deploy.cut_at_every_block,
}


@click.command(help=__doc__)
@click.option("--first", default=0, show_default=True, help="Number of the first trial.")
@click.option("--count", required=True, type=int, help="How many trials.")
@click.argument("part", type=click.Choice(list(PARTS)))
def main(part, first, count):
    start = time.monotonic()
    report = PARTS[part](first, count)
    outcomes = ", ".join(f"{name} {n}" for name, n in sorted(report.outcomes.items()))
    taken = time.monotonic() - start
    print(
        f"{part} {first} to {first + count - 1}: {outcomes}; {len(report.findings)} findings;",
        end="",
    )
    print(f" {taken:.0f} s", flush=True)
    for number, problem in report.findings[:SHOWN]:
        print(f"! {number}: {problem}")
    _keep(part, report)
    sys.exit(1 if report.findings else 0)


def _keep(part, report):
    """Leave the models of the findings in build/fuzz."""
    if part in ("host", "tflm", "sanitizers", "board") and report.findings:
        make = corpus().mutant
        FOLDER.mkdir(parents=True, exist_ok=True)
        for number, _ in report.findings[:SHOWN]:
            (FOLDER / f"{number}.tflite").write_bytes(make(number)[1])


if __name__ == "__main__":
    main()
