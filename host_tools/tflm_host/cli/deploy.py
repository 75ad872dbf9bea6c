"""`tflm deploy`: models onto a board, checked before and proved after."""

import click

from ..deploy.models import Item, Plan
from ..model.descriptions import split
from ..model.files import model_files
from ..places import here
from ..report.errors import reports_errors
from ..report.terminal import Grid, number, progress, warn
from ..targets.boards import UNIX_TARGETS
from ..targets.open_target import is_port, open_target
from .common import complete_port, consent_of, print_json, yes_option

PORT_HELP = "Serial port of the board (/dev/ttyACM0, COM3, ...)" + here(
    ", or an emulated board to try it.", "."
)


@click.command("deploy")
@click.argument("models", nargs=-1, required=True, type=click.Path())
@click.option("--port", required=True, help=PORT_HELP, shell_complete=complete_port)
@click.option("--folder", default="", help="Write files to this folder, not to /rom.")
@yes_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def deploy(models, port, folder, yes, as_json):
    """Write MODELS (or folders of models) to the board at PORT, as its new /rom.

    A .json file of microWakeWord takes the model that it names along. A model takes the file
    MODEL.sample along, a first input. Files of `tflm features`, whose names end with .features,
    may go with the models.

    First it checks the board: operators, arena against free heap, room. Then it lists the files
    that it will replace, and asks you; without a terminal, --yes must agree. It replaces /rom as a
    whole; a board without ROMFS gets files. At last it resets the board and runs every model once.

    In a clone the name of an emulated board tries all of this there. `tflm repl` has models on
    one.
    """
    if port in UNIX_TARGETS:
        raise click.UsageError(f"{port} opens the files of this machine: nothing to deploy")
    files = model_files(models)
    for path in split(files)[0]:
        Item.read(path)  # so that a bad one is named before a board's firmware is built
    with open_target(port) as target:
        plan = Plan(target, files, folder)
        if plan.in_place and not plan.facts["image"] and is_port(port):
            warn("/rom holds no image: it was never written, or not completely")
        for item in plan.items:
            if item.note:
                warn(f"{port}: {item.note}")
        _ask(plan, port, consent_of(yes))
        with progress(f"bytes to {port}", plan.total) as advance:
            plan.write(advance)
        results = plan.prove()
    if as_json:
        print_json({"port": port, "bytes": plan.total, "models": results})
        return
    grid = Grid(
        f"{number(plan.total)} bytes to {port}", "model", "read", ">arena", ">us", "output"
    )
    for result in results:
        grid.add_row(
            result["path"],
            "in place" if result["in_flash"] else "copied to RAM",
            number(result["arena"]),
            number(result["microseconds"]),
            "as on this machine" if result["checked"] else result["outputs"][0][:16],
        )
    grid.show()


def _ask(plan, port, consent):
    """Print the files that will be replaced, and ask."""
    if plan.losses:
        warn(f"{port}: {plan.losses}")
        consent("This cannot be undone")
