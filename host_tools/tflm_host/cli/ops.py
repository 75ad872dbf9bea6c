"""`tflm ops`: the kernels that a firmware for only some models needs."""

import click

from tflm.base.errors import ModelError
from tflm.interpreter import Interpreter
from tflm.model import Model
from tflm.ops.index import kernel_names

from ..generate.frozen import families_alone
from ..generate.rows import rows
from ..generate.squeeze import SERVICES
from ..model.files import model_files
from ..model.kernels import picked_for
from ..report.errors import reports_errors
from ..report.proven import read_proven
from .common import print_json


@click.command("ops")
@click.argument("models", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def ops(models, as_json):
    """Print the kernels that MODELS (files, or folders of them) need, in one line.

    Operators that Python runs have no kernel; the line has the name of their family.

    In a clone `make firmware BOARD=... TFLM_OPS=...` takes this line, and builds firmware with
    only these kernels. Add the services that you call behind the kernels: {services}.
    """
    alone = families_alone(rows())
    found = {str(path): _needs(path) for path in model_files(models)}
    used = {name for names in found.values() for name in names}
    kernels = [name for name in [*kernel_names(), *alone, *SERVICES] if name in used]
    if as_json:
        print_json({"kernels": kernels, "models": found})
    else:
        click.echo(",".join(kernels))


ops.help = ops.help.format(services=", ".join(sorted(SERVICES)))


def _needs(path):
    """Return the options that build a firmware for the model at *path*."""
    try:
        return picked_for(Interpreter(Model(read_proven(path), prepared=True), measure=True))
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error
