"""`tflm certify`: try all of tflm on a board, and write down what came out."""

import sys
import time
from pathlib import Path

import click

from ..certify import examination, form
from ..model.files import InputError, check_folder
from ..places import here
from ..report.errors import fail, reports_errors
from ..report.terminal import Grid, err, number, paint, say, visible, warn
from ..targets.repl import TargetError
from .common import complete_port, print_json

TRANSCRIPT = ".txt"  # suffix of the file beside a certificate
SILENT_SECONDS = 2  # of a step, before a line says what it does
COLOURS = {form.PASSED: "green", form.FAILED: "red", form.NOT_RUN: "red", form.SKIPPED: "yellow"}
PORT_HELP = "Serial port of the board (/dev/ttyACM0, COM3, ...)" + here(
    ", or an emulated board.", "."
)
TARGET_HELP = here(
    "An emulated board, unix, or a serial port.", "The serial port, by another name."
)


@click.command("certify")
@click.option("--port", help=PORT_HELP, shell_complete=complete_port)
@click.option("--target", help=TARGET_HELP)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="File to write.  [default: certificate-BOARD-DATE.json]",
)
@click.option(
    "--soak",
    default=examination.SOAK_SECONDS,
    show_default=True,
    type=click.IntRange(1, 86400),
    help="Seconds to repeat runs.",
)
@click.option(
    "--runs",
    default=examination.RUNS,
    show_default=True,
    type=click.IntRange(1, 10000),
    help="Timed runs of each model, at least.",
)
@click.option("--yes", is_flag=True, help="Replace /rom without asking, if a model needs it.")
@click.option("--check", type=click.Path(path_type=Path), help="Check this certificate instead.")
@click.option("--json", "as_json", is_flag=True, help="The certificate on stdout.")
@reports_errors
def certify(port, target, output, soak, runs, yes, check, as_json):
    """Try a board: models, time, cores, flash, resets, all device tests. Write a certificate.

    It takes some minutes. It interrupts the board's program and resets the board. It leaves no
    file. Models go to RAM; only the largest may need /rom, and the command asks before it
    replaces that. The certificate has no name, path or serial number in it. A second file beside
    it, with the suffix .txt, is the transcript.

    If the board stops replying, or after Ctrl-C, the certificate is marked as incomplete. Exit
    status 1 if it is, or if a step failed. With --check it is 1 if the file was changed, or
    certifies no success. The checksum in the file is no signature.
    """
    if sum(value is not None for value in (port, target, check)) != 1:
        raise click.UsageError("name one of --port, --target and --check")
    if check is not None:
        _check(check, as_json)
        return
    progress = Progress()
    exam = examination.Examination(port or target, _consent(yes), runs, soak, progress)
    exam.begin()
    path = output or Path(f"certificate-{exam.found['board']}-{exam.found['date']}.json")
    _refuse_old(path)
    certificate = exam.go_on()
    text = exam.text()
    written = form.written(certificate)
    if form.private_parts(written + text):
        raise TargetError("the board's output names a folder of a person: nothing was written")
    for file, content in ((path, written), (path.with_suffix(TRANSCRIPT), text)):
        with open(file, "x", encoding="utf-8", newline="\n") as out:
            out.write(content)
    if as_json:
        print_json(certificate)
    else:
        _print(certificate)
        say(f"written: {path} ({number(len(written))} bytes), {path.with_suffix(TRANSCRIPT)}")
    if not certificate["passed"]:
        warn("this certificate is no success: " + "; ".join(_reasons(certificate)))
        fail()


class Progress:
    """Prints what is being done on stderr, at most a line each SILENT_SECONDS."""

    def __init__(self):
        self._last = time.monotonic()

    def __call__(self, text):
        now = time.monotonic()
        if now - self._last >= SILENT_SECONDS:
            self._last = now
            warn(text)


def _refuse_old(path):
    for file in (path, path.with_suffix(TRANSCRIPT)):
        if file.exists():
            raise InputError(f"{file} exists: name another file with -o")
    check_folder(path)


def _consent(yes):
    """Return what asks before /rom is replaced; it raises SkipError unless the user agrees."""

    def consent(what):
        if yes:
            return
        if not sys.stdin.isatty():
            raise examination.SkipError(f"{what}: --yes would agree")
        if not click.confirm(f"{visible(what)}. Go on?", err=True):
            raise examination.SkipError("the user kept /rom as it was")

    return consent


def _reasons(certificate):
    return [
        f"{step['name']}: {step['result']}, {step['why']}"
        for step in certificate["steps"]
        if step["result"] in (form.FAILED, form.NOT_RUN)
    ]


def _print(certificate):
    identity = certificate["identity"]
    kind = {form.SILICON: "a board", form.UNIX: "MicroPython's unix port"}
    what = kind.get(certificate["kind"], f"emulated by {certificate['emulator']}")
    say(paint(certificate["board"], "bold"), f", {identity['machine']}: {what}")
    isa = f"kernels {identity['isa']}" if identity["isa"] else "viper kernels"
    say(f"tflm {identity['tflm']} as {identity['way']}, {isa}; {identity['version']}")
    grid = Grid("", "step", "result", ">seconds", "why")
    for step in certificate["steps"]:
        result = paint(step["result"], COLOURS[step["result"]])
        grid.add_row(step["name"], result, f"{step['milliseconds'] / 1000:.1f}", step["why"])
    grid.show()
    grid = Grid("", "model", ">cores", ">runs", ">min us", ">median", ">max", ">modelled")
    for model in certificate["models"]:
        times = [number(model["microseconds"][key]) for key in ("min", "median", "max")]
        modelled = model["modelled_microseconds"]
        figures = [str(model["cores"]), str(model["runs"]), *times]
        grid.add_row(model["name"], *figures, "" if modelled is None else number(modelled))
    grid.show()


def _check(path, as_json):
    """Say what is wrong with the certificate in the file *path*; exit status 1 if anything is."""
    certificate = form.load(path)
    beside = path.with_suffix(TRANSCRIPT)
    transcript = beside.read_bytes() if beside.exists() else None
    found = form.faults(certificate, examination.known(), transcript)
    is_whole = not found
    if is_whole and not certificate["passed"]:
        found = _reasons(certificate)
    if as_json:
        print_json({"file": str(path), "unchanged": is_whole, "faults": found})
    elif is_whole:
        _print(certificate)
        verdict = "unchanged, and a success" if not found else "unchanged, but no success"
        compared = "compared" if transcript is not None else "not here"
        say(f"{path}: {verdict} of {certificate['date']}; its transcript: {compared}")
    for fault in found if not as_json else ():
        err.print(visible(f"{path}: {fault}"), soft_wrap=True)
    if found:
        fail()
