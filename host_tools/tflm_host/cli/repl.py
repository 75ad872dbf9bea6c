"""`tflm repl`: Python on a board, an emulated one or the unix build; typed, or from a pipe."""

import sys

import click

from ..model.descriptions import companions
from ..model.files import model_files
from ..places import here
from ..report.errors import reports_errors
from ..report.proven import named_models
from ..report.terminal import warn
from ..targets.boards import UNIX_TARGETS
from ..targets.build import program_path
from ..targets.console import console
from ..targets.microphone import samples_of
from ..targets.open_target import is_port, open_target, refuse_unless_emulated
from ..targets.pictures import frames_of
from ..targets.repl import ExecError, TargetError
from .common import EMULATED_CAMERA, EMULATED_MIC, complete_port

PIPE_SECONDS = 3600  # for code that came through a pipe


@click.command("repl")
@click.argument("port", shell_complete=complete_port)
@click.argument("models", nargs=-1, type=click.Path())
@click.option("--mic", **EMULATED_MIC)
@click.option("--camera", **EMULATED_CAMERA)
@reports_errors
def repl(port, models, mic, camera):
    """Open a REPL on the board at serial port PORT, until Ctrl-].

    If stdin is no terminal, the command runs the code from stdin and prints its output. Exit
    status 1 if the code raises.

    In a clone PORT may be an emulated board (MPS2_AN386) or unix. An emulated board has MODELS,
    files or folders, in /rom. A .json file of microWakeWord takes its model along, a model the
    .sample file beside it.

    In a clone --mic plays a sound of 16,000 samples a second to a microphone, an INMP441. It is
    connected to GPIO 16 (SCK), 17 (WS) and 18 (SD). The inputs of the ADC get the sound, too. It
    begins again at its end.

    In a clone --camera shows pictures to a camera, which sends RGB565 of 160x120. It is connected
    to GPIO 2 to 9 (D0 to D7), 10 (PCLK), 11 (HREF) and 12 (VSYNC).
    """
    if mic is not None:
        samples_of(mic, port)
    frames = frames_of(camera, port) if camera else None
    if models and (is_port(port) or port in UNIX_TARGETS):
        raise click.UsageError(
            here(
                "MODELS go to /rom of emulated boards: `tflm deploy` writes them to a real one,"
                " and unix opens the files of this machine by their paths",
                "`tflm deploy` writes models to a board",
            )
        )
    paths, beside = companions(model_files(models)) if models else ([], [])
    files = named_models(paths) + [(path.name, path.read_bytes()) for path in beside]
    if not is_port(port):
        refuse_unless_emulated(port)
        program_path(port)
    if not sys.stdin.isatty():
        _run(port, files, sys.stdin.read(), {"mic": mic, "camera": frames})
        return
    for name, _ in files:
        warn(f"/rom/{name}")
    status = console(port, files, mic, frames)
    if status:
        sys.exit(1)


def _run(port, files, code, devices):
    with open_target(port, files, **devices) as target:
        try:
            click.echo(target.exec(code, PIPE_SECONDS), nl=False)
        except ExecError as error:
            click.echo(error.output, nl=False)
            raise TargetError(error.traceback) from None
