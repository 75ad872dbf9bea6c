"""`tflm ops`: the kernels that a firmware for some models alone needs."""

import click

from tflm.ops.index import kernel_names

from ..model.files import model_files, read_model
from ..model.kernels import kernels_of
from ..report.errors import reports_errors
from .common import print_json


@click.command("ops")
@click.argument("models", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def ops(models, as_json):
    """Print the kernels that MODELS (files, or folders of them) need, in one line.

    It is what `make firmware BOARD=... TFLM_OPS=...` takes: that firmware has these kernels alone.
    """
    found = {str(path): kernels_of(read_model(path)) for path in model_files(models)}
    used = {name for names in found.values() for name in names}
    kernels = [name for name in kernel_names() if name in used]
    if as_json:
        print_json({"kernels": kernels, "models": found})
    else:
        click.echo(",".join(kernels))
