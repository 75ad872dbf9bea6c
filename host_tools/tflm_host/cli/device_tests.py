"""Runs the scripts of tests_device/ on targets and shows one table of their results.

python -m tflm_host.cli.device_tests TARGET...      (or `make test-device PORT=...`)

A target is a serial port, an emulated board's name or "unix"; behind a board's name, "-stock"
stands for upstream's firmware with the package of `make natmod` in /rom/lib.
"""

import sys

from rich.console import Console
from rich.table import Table

from ..certify.scripts import Outcome, run_all, scripts
from ..targets.repl import TargetError

FAILED, OK = "FAILED", "ok"


def table(outcomes):
    """Return one table of all *outcomes*."""
    grid = Table(box=None, pad_edge=False)
    for column in (
        "target",
        "script",
        "",
        "passed",
        "skipped",
        "failed",
        "seconds",
        "why skipped",
    ):
        numeric = column in ("passed", "skipped", "failed", "seconds")
        grid.add_column(column, justify="right" if numeric else "left")
    for one in outcomes:
        verdict = f"[green]{OK}[/green]" if one.ok else f"[red]{FAILED}[/red]"
        figures = [str(one.passed), str(one.skipped), str(one.failed), f"{one.seconds:.1f}"]
        grid.add_row(one.target, one.script, verdict, *figures, "; ".join(sorted(set(one.skips))))
    return grid


def main(names):
    """Run everything on the targets *names*; return the exit status."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    outcomes = []
    for name in names:
        try:
            with console.status(f"tests_device on {name}"):
                for outcome in run_all(name, scripts()):
                    outcomes.append(outcome)
                    if not outcome.ok:
                        console.print(outcome.output, markup=False)
        except TargetError as error:
            outcomes.append(Outcome(name, "(does not answer)", failed=1))
            console.print(str(error), markup=False)
    console.print(table(outcomes))
    return 0 if outcomes and all(outcome.ok for outcome in outcomes) else 1


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit("usage: python -m tflm_host.cli.device_tests TARGET...")
    sys.exit(main(sys.argv[1:]))
